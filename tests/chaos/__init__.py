"""Faults on purpose: processes that die, stall and lose their database while people talk."""
