"""Bodies of requests about reviews. Their answer is in `games/review_queue.py`."""

from __future__ import annotations

from tavolino.server import protocol as p


class ShareReview(p.Body):
    """Whether everybody with the link may see the review of your own seat."""

    shared: bool
