"""Plain data, pure rules and protocols, used by every other layer."""
