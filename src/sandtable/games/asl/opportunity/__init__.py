"""Opportunity Fire: units that wait in the PFPh and fire at full strength in the AFPh (A7.25)."""
