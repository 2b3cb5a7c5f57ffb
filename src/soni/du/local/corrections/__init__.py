"""Other values for slots that have one, and slots that are said to be wrong."""
