"""Reviews of finished games, and playing on from a position of one. Players of private tables can share theirs."""

from tavolino.server.features.reviews import play_on, routes
from tavolino.server.features.reviews.feature import ReviewsFeature

FEATURE = ReviewsFeature
PAGES = {"review": (2,)}
ROUTES = (*routes.ROUTES, *play_on.ROUTES)
