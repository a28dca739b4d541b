"""Concealment: "?" and Dummies, hidden placement, Detection, Search and Mopping Up (A12)."""
