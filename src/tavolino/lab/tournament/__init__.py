"""Tournaments: programs and bots play duplicate deals on one machine (decisions 160, 161)."""
