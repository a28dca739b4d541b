"""Guns, mortars, light anti-tank weapons, Demolition Charges."""
