"""Splendor: Marvel, for 2 to 4 players: collect Infinity Stones, recruit characters, assemble the Gauntlet."""
