"""What a viewer of Splendor: Marvel sees, what can be worked out from it, and what is conserved."""

from collections import Counter
from functools import lru_cache
from typing import Any

from tavolino.engine.game import Json
from tavolino.engine.record import NOBODY, SPECTATOR
from tavolino.games.splendor_marvel.facts import (
    CARDS,
    CARDS_OF_LEVEL,
    COLOUR_COUNT,
    COLOURS,
    COST,
    GREEN,
    GREY,
    LEVEL,
    LEVELS,
    LOCATIONS,
    NO_CARD,
    NO_LOCATION,
    PAYMENT,
    POINTS_NEEDED,
    TOKENS,
)

_LEVEL: list[int] = LEVEL.tolist()
# Of each card the colours it asks for, and how many.
_COST = [[(colour, n) for colour, n in enumerate(cost) if n] for cost in COST.tolist()]


def view(s: Any, viewer: int) -> Json:
    """Everything on the table; of reserved cards only those that the viewer has seen (SM-24, SM-40)."""
    table, seats = _public(s)
    prices = {} if viewer < 0 else _prices(s, viewer)
    grey = 0 if viewer < 0 else s.tokens[viewer][GREY]
    return {
        **table,
        "prices": prices,
        "affordable": [card for card, price in prices.items() if price["grey_needed"] <= grey],
        "seats": [
            {**shown, "reserved": _reserved(s, seat, viewer)} if seat == viewer else shown
            for seat, shown in enumerate(seats)
        ],
    }


@lru_cache(maxsize=16)
def _public(s: Any) -> tuple[Json, list[Json]]:
    """What all viewers see alike: the table and the seats. Made once for a position, and shared by their views."""
    table: Json = {
        "round": s.round_number,
        "first": s.first,
        "bank": dict(zip(TOKENS, s.bank, strict=True)),
        "rows": {str(level + 1): [_name(card) for card in s.rows[level]] for level in range(LEVELS)},
        "decks": {str(level + 1): s.pool_size[level] for level in range(LEVELS)},
        "locations": [LOCATIONS[location] for location in s.locations if location != NO_LOCATION],
        "avengers_tile": None if s.avengers_tile == NOBODY else s.avengers_tile,
        "paying": None if s.paying_for == NO_CARD else _paying(s),
    }
    seats = [_seat(s, seat) for seat in range(s.players)]
    n = s.n_recruited
    for card, owner in zip(s.recruited[:n], s.recruited_by[:n], strict=True):
        seats[owner]["cards"].append(CARDS[card])
    n = s.n_visited
    for location, owner in zip(s.visited[:n], s.visited_by[:n], strict=True):
        seats[owner]["locations"].append(LOCATIONS[location])
    return table, seats


def _seat(s: Any, seat: int) -> Json:
    tokens, bonuses, points = s.tokens[seat], s.bonuses[seat], s.points[seat]
    colours, green = COLOUR_COUNT - bonuses.count(0), bool(tokens[GREEN])
    return {
        "tokens": dict(zip(TOKENS, tokens, strict=True)),
        "bonuses": dict(zip(COLOURS, bonuses, strict=True)),
        "points": points,
        "avengers": s.avengers[seat],
        "cards": [],
        "locations": [],
        "reserved": _reserved(s, seat, SPECTATOR),
        # How far the seat is on the way to SM-30.
        "gauntlet": {
            "points": points,
            "colours": colours,
            "green": green,
            "met": points >= POINTS_NEEDED and colours == COLOUR_COUNT and green,
        },
    }


def _reserved(s: Any, seat: int, viewer: int) -> list[Json]:
    return [
        {"level": _LEVEL[card] + 1, "card": CARDS[card] if _is_known(s, seat, place, viewer) else None}
        for place, card in enumerate(s.reserved[seat][: s.n_reserved[seat]])
    ]


def _name(card: int) -> str | None:
    return None if card == NO_CARD else CARDS[card]


def _is_known(s: Any, seat: int, place: int, viewer: int) -> bool:
    return seat == viewer or bool(s.is_open[seat][place])


def _paying(s: Any) -> Json:
    """The payment that is being put together, open to all (SM-17)."""
    return {
        "seat": s.current,
        "card": CARDS[s.paying_for],
        "payment": dict(zip(PAYMENT, s.payment, strict=True)),
    }


def _prices(s: Any, viewer: int) -> dict[str, dict[str, int]]:
    """For a seat the price of each card that it could recruit."""
    cards = s.face_up[: s.n_face_up] + s.reserved[viewer][: s.n_reserved[viewer]]
    kept = _prices_of(tuple(cards), tuple(s.bonuses[viewer]), tuple(s.tokens[viewer]))
    return {card: price.copy() for card, price in kept}


@lru_cache(maxsize=64)
def _prices_of(
    cards: tuple[int, ...], bonuses: tuple[int, ...], tokens: tuple[int, ...]
) -> list[tuple[str, dict[str, int]]]:
    """What is due, and how many grey tokens that needs, because the seat's own of those colours do not reach.

    Kept, because a decision changes this for few seats.
    """
    prices = []
    for card in cards:
        shown, dues = _due(card, bonuses)
        price = shown.copy()
        for colour, due in dues:
            if due > tokens[colour]:
                price["grey_needed"] += due - tokens[colour]
        prices.append((CARDS[card], price))
    return prices


@lru_cache(maxsize=1 << 10)
def _due(card: int, bonuses: tuple[int, ...]) -> tuple[dict[str, int], list[tuple[int, int]]]:
    """What is due in each colour after bonuses (SM-16), to show; and again for the colours where there is something."""
    dues = [(colour, cost - bonuses[colour]) for colour, cost in _COST[card] if cost > bonuses[colour]]
    shown = dict.fromkeys((*COLOURS, "grey_needed"), 0)
    shown.update((COLOURS[colour], due) for colour, due in dues)
    return shown, dues


def notebook(s: Any, viewer: int) -> Json:
    """Card counting: reserved cards that the viewer knows, and what the decks and the other hands can still hold."""
    known: list[Json] = []
    hidden: list[Json] = []
    unseen = [set(cards) for cards in CARDS_OF_LEVEL]
    for card in [*s.recruited[: s.n_recruited], *(card for row in s.rows for card in row if card != NO_CARD)]:
        unseen[_LEVEL[card]].discard(card)
    for seat in range(s.players):
        for place, card in enumerate(s.reserved[seat][: s.n_reserved[seat]]):
            where = {"seat": seat, "place": place, "level": _LEVEL[card] + 1}
            if _is_known(s, seat, place, viewer):
                unseen[_LEVEL[card]].discard(card)
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


def inventory(s: Any) -> dict[str, int]:
    """Every card, token and tile, wherever it is: what no action may lose or make."""
    stock: Counter[str] = Counter()
    cards = [*s.recruited[: s.n_recruited], *(card for row in s.rows for card in row if card != NO_CARD)]
    for level in range(LEVELS):
        cards += s.pool[level][: s.pool_size[level]]
    for seat in range(s.players):
        cards += s.reserved[seat][: s.n_reserved[seat]]
    stock.update(CARDS[card] for card in cards)
    stock.update(LOCATIONS[location] for location in [*s.locations, *s.visited] if location != NO_LOCATION)
    for n, token in enumerate(TOKENS):
        stock[token] = s.bank[n] + sum(tokens[n] for tokens in s.tokens)
    return dict(stock)
