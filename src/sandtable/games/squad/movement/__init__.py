"""Moving stacks, and the fire that meets them."""
