"""Games from outside `tavolino.games`: these tests run in a process of their own (tests/test_outside_games.py)."""
