"""Dialogue management: the graph that executes commands deterministically."""
