"""The daily deal: everybody plays the same cards, once, alone against bots (decision 087)."""

from tavolino.server.features.daily_deals.routes import ROUTES as ROUTES
from tavolino.server.features.daily_deals.table import DailyDeals

FEATURE = DailyDeals
PAGES = {"daily": (1,)}
