"""Reading journals: conversations told turn by turn, held again, and summed up."""
