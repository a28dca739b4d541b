"""Prisoners and their guards: surrender, capture in close combat, escape (A20)."""
