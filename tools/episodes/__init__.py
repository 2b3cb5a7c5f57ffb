"""Layers of the sentence model, tuned on small assistants so that vectors tell flows apart."""
