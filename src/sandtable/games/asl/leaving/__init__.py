"""Leaving close combat: Withdrawal, Infiltration, the withdrawal of Ambushers, broken units in Melee (A11.16-A11.41)."""
