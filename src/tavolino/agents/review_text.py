"""A review as text: the parts of the result, and each decision with what it cost."""

from collections.abc import Mapping
from math import ceil
from typing import Any


def review_text(review: Mapping[str, Any]) -> str:
    """From the JSON of a review, as the coach and servers write it."""
    parts = review["parts"]
    lines = [
        f"Result {parts['result']:.2f} = chance at the start {parts['start']:.2f}, luck {parts['luck']:+.2f}, "
        f"your decisions {parts['own']:+.2f}, the others' {parts['others']:+.2f}.",
        f"Your decisions gave away {review['given_away']:.2f} in all.",
    ]
    for decision in review["decisions"]:
        told = f"Decision {decision['turn']}: {decision['chosen']}"
        if decision["label"] is not None:
            told += f" ({decision['label']})"
        cost = round(100 * decision["cost"])
        if decision["best"] != decision["chosen"] and cost > 0:
            # An error is rounded up: what was measured is never told as exact.
            told += f"; {decision['best']} wins {cost}% more often, ±{ceil(100 * decision['cost_error'])}%"
        lines.append(told + ".")
    return "\n".join(lines)
