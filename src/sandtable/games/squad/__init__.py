"""What the squad-level games share: tables, counters, scenarios, and the rules of fire, movement, morale."""
