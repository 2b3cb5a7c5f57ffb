"""The command line: one file per verb, each with `register(app)`."""
