"""Infinity Gauntlet, for 2 to 6 players: Thanos against a team of heroes."""
