"""Parts that the full squad-level rules add to the shared ones; each game names those that it has."""
