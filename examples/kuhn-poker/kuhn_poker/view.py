"""What a viewer of Kuhn poker sees, and what can be worked out from it."""

from typing import Any

from kuhn_poker.facts import CARDS, MOST_CHIPS, SEATS, Reason
from tavolino.engine.game import Json


def view(s: Any, viewer: int) -> Json:
    """The chips, the viewer's own card, and after a showdown both cards."""
    return {
        "pot": sum(s.chips),
        "most_chips": MOST_CHIPS,
        "seats": [
            {"chips": s.chips[seat], "card": CARDS[s.card[seat]] if _sees(s, viewer, seat) else None}
            for seat in range(SEATS)
        ],
    }


def _sees(s: Any, viewer: int, seat: int) -> bool:
    return bool(seat == viewer or s.reason == Reason.SHOWDOWN)


def notebook(s: Any, viewer: int) -> Json:
    """Which cards each seat can hold."""
    seen = [s.card[seat] for seat in range(SEATS) if _sees(s, viewer, seat)]
    unseen = [card for number, card in enumerate(CARDS) if number not in seen]
    hands = [[CARDS[s.card[seat]]] if _sees(s, viewer, seat) else unseen for seat in range(SEATS)]
    return {"unseen": dict.fromkeys(unseen, 1), "places": {"hands": hands}, "known": {}}


def inventory(s: Any) -> dict[str, int]:
    """Two different cards are out."""
    return {"cards": len(set(s.card))}
