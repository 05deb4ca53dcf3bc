"""Vacations: in slow games a player's clock can stop for some days."""

from tavolino.server.features.vacations.routes import ROUTES as ROUTES
from tavolino.server.features.vacations.table import Vacations

FEATURE = Vacations
