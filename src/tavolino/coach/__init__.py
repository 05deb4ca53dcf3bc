"""The coach: what a finished game was, over what a seat could know, and positions to learn from."""
