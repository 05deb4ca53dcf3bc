"""Kuhn poker, for two players: three cards, and one chip to bet."""
