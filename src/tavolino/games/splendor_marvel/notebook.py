"""Card counting in Splendor: Marvel: what a viewer can deduce about decks and reserved cards."""

from typing import Any

from tavolino.games.splendor_marvel.facts import CARDS, CARDS_OF_LEVEL, LEVELS, NO_CARD
from tavolino.games.splendor_marvel.view import LEVEL_OF, HiddenCard, KnownCard, Notebook


def notebook(s: Any, viewer: int) -> Notebook:
    """Reserved cards that the viewer knows, and what the decks and the other hands can still hold."""
    known: list[KnownCard] = []
    hidden: list[HiddenCard] = []
    unseen = [set(cards) for cards in CARDS_OF_LEVEL]
    for card in [*s.recruited[: s.n_recruited], *(card for row in s.rows for card in row if card != NO_CARD)]:
        unseen[LEVEL_OF[card]].discard(card)
    for seat in range(s.players):
        for place, card in enumerate(s.reserved[seat][: s.n_reserved[seat]]):
            where: HiddenCard = {"seat": seat, "place": place, "level": LEVEL_OF[card] + 1}
            if _is_known(s, seat, place, viewer):
                unseen[LEVEL_OF[card]].discard(card)
                known.append({**where, "card": CARDS[card], "open": bool(s.is_open[seat][place])})
            else:
                hidden.append(where)
    names = {str(level + 1): [CARDS[card] for card in sorted(unseen[level])] for level in range(LEVELS)}
    return {
        "known": {"reserved": known},
        "places": {
            "decks": {
                level: {"size": s.pool_size[int(level) - 1], "cards": cards if s.pool_size[int(level) - 1] else []}
                for level, cards in names.items()
            },
            "reserved": [{**where, "cards": names[str(where["level"])]} for where in hidden],
        },
        "unseen": {card: 1 for cards in names.values() for card in cards},
    }


def _is_known(s: Any, seat: int, place: int, viewer: int) -> bool:
    return seat == viewer or bool(s.is_open[seat][place])
