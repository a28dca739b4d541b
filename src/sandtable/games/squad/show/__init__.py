"""What players see: views, counters, lessons, aids."""
