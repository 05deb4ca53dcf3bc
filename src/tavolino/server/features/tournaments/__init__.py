"""Tournaments: programs and people play the same deals, each of them once, alone against bots (decision 162)."""

from tavolino.server.features.tournaments.feature import TournamentsFeature
from tavolino.server.features.tournaments.routes import ROUTES as ROUTES

FEATURE = TournamentsFeature
PAGES = {"tournaments": (1,), "tournament": (2,)}
