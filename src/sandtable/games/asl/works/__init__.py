"""Works in a Location: foxholes, trenches, pillboxes, wire, mines, boobytraps, fortified buildings (B23.9-B30)."""
