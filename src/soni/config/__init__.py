"""From YAML to a checked assistant: positions, models, plans and checks."""
