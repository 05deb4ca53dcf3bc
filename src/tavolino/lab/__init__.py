"""Many games, and what they tell: simulation, arena, balance."""
