"""Spanish by words alone: no model that comes with Soni knows the language."""
