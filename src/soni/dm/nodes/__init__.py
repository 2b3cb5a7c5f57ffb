"""The orchestrator's nodes, one file each."""
