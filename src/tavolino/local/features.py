"""The features of local tables: what makes sense for one person alone."""

from __future__ import annotations

from typing import Any

from tavolino.local.reviews import LocalReviewsFeature
from tavolino.server.features import advice, plans, rematch, seat_pictures, take_back, votes
from tavolino.server.kernel.entry_kinds import EntryKinds
from tavolino.server.kernel.feature import Features

FEATURES = (
    *(package.FEATURE for package in (advice, plans, rematch, seat_pictures, take_back, votes)),
    LocalReviewsFeature,
)
KINDS = EntryKinds(FEATURES)
FIXED_SETTINGS = frozenset({"public", "rated"})  # they need other people


def features_of(services: Any) -> Features:
    features = Features([feature(services) for feature in FEATURES])
    features.fixed_settings |= FIXED_SETTINGS
    return features
