"""Deploying squads and recombining half-squads (A1.3, A2.9)."""
