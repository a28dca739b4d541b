"""The ENEMY's decisions: which legal action the tables choose, phase by phase (6. to 11.)."""
