"""Parsers for what users say: numbers, days, times of day, durations, money."""
