"""The map, the setting of a match, where pieces stand, what they see and what covers them."""
