"""What counts how much for the regular of PBI, in bases lost or saved; found by playing many games."""

POINT = 6.0
"""A victory point for a unit."""
PRIZE = 0.55
"""A victory point of an objective against one for a unit: what one side gains the other loses."""
EARLY = 0.45
"""What an objective is worth early in the battle: there is time to lose it again."""
PULL = 0.35
"""What an objective in reach is worth before it is taken ..."""
BACK = 0.25
"""... to the defender, who had it ..."""
FADE = 0.87
"""... and how much less for every action point of the way to it."""
GUARD = 0.3
"""What standing in an objective of ours is worth that the enemy can reach."""
STAYS = 0.7
"""How much the enemy's foot need those who hold an objective to be gone before they can enter it."""
VOLLEYS = 1.3
"""What a square with enemies shoots in its own turn, in volleys ..."""
SHARING = 0.3
"""... which go to one of the squares in its view; the more there are, the less (0: all at each of them, 1: shared)."""
REACTION = 0.6
"""How much of the opportunity shooting that can meet a step does so."""
THREAT = 0.8
"""What the targets in view of a place are worth, in one volley at the best of them."""
VOLLEY = 0.8
"""What a volley after a step is worth against one that has been reckoned exactly."""
PIN = 0.12
"""What it is worth to pin a base."""
UNPIN = 0.28
"""What it is worth to free a base of ours."""
CARE = 0.5
"""How much a casualty mark less is worth against what it may prevent."""
COHESION = 0.45
"""What a chance of motivation is worth, for each base."""
STORM = 1.0
"""The prospect of an assault next turn, for us and for them."""
COMMANDER = 5.0
"""What the company commander is worth beside his weapon: he is a unit by himself, and the others need him."""
