"""Morale and what fire does to those attacked."""
