"""Diagrams of flows, as Mermaid text, SVG or plain data."""
