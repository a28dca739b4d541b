"""The sequence of play, and victory."""
