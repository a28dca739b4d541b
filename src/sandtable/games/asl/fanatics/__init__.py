"""Fanatics: troops with a higher morale who do not cower (A10.8)."""
