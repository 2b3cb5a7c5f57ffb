"""Running conversations: one turn at a time, each a transaction."""
