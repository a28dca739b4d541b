"""Snipers: SAN, their attacks, and Sniper Checks (A14)."""
