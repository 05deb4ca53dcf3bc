"""Practice: puzzles, and one's own mistakes, which come back after days."""

from tavolino.server.features.practice.feature import PracticeFeature
from tavolino.server.features.practice.routes import ROUTES as ROUTES

FEATURE = PracticeFeature
PAGES = {"mistakes": (2,), "puzzles": (1, 2, 3)}
