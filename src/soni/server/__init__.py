"""Serving an assistant over HTTP."""
