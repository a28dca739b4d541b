"""Nationalities: what their troops are good and bad at (A25)."""
