"""Reading what people say: numbers, days, times of day, spans of time, money."""
