"""Mantis, for 2 to 6 players: score or steal by the three colours on a card's back."""
