"""Molotov cocktails, thrown along with fire at close range (A22.6)."""
