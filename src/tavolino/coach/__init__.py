"""The coach: reviews of finished games from what a seat could know, and puzzles to learn from."""
