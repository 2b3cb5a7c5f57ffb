"""Running the assistant's own Python functions."""
