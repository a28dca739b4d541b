"""Terrain of every kind that the boards have (Chapter B)."""
