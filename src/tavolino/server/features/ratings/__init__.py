"""Ratings of people, and results that count in circles."""

from tavolino.server.features.ratings.feature import Ratings
from tavolino.server.features.ratings.routes import ROUTES as ROUTES

FEATURE = Ratings
PAGES = {"history": (1,)}
