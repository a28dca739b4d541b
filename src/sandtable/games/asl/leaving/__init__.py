"""Leaving close combat: Withdrawal, Infiltration, Ambushers, and broken units in Melee (A11.16-A11.41)."""
