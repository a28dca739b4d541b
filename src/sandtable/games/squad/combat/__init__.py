"""Advancing, and close combat."""
