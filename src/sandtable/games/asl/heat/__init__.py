"""Heat of Battle: heroes, Battle Hardening, berserk units (A15)."""
