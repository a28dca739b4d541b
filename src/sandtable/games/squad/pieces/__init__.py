"""Counters, kinds and traits of units and weapons, the state they make up, and what happens to them."""
