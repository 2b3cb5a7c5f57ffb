"""Real language models in tests: weights from the package index, served on this machine."""
