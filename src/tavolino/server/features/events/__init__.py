"""Events for a person: one stream of turns, invitations, starts and ends at all of their tables."""

from tavolino.server.features.events.feature import Events
from tavolino.server.features.events.routes import ROUTES as ROUTES

FEATURE = Events
