"""Pictures of flows: what the language says about them, as a graph to look at."""
