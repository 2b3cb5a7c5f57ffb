"""Plain data, pure rules and protocols that every other layer stands on."""
