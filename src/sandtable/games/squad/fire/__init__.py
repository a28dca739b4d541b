"""Fire attacks, from who may fire to the markers afterwards."""
