"""What a viewer of Splendor: Marvel sees, what can be worked out from it, and what is conserved."""

from collections import Counter
from typing import Any

from tavolino.engine.game import Json
from tavolino.engine.record import NOBODY
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

_COST: list[list[int]] = COST.tolist()
_LEVEL: list[int] = LEVEL.tolist()


def view(s: Any, viewer: int) -> Json:
    """Everything on the table; of reserved cards only those that the viewer has seen (SM-24, SM-40)."""
    prices = _prices(s, viewer)
    return {
        "round": s.round_number,
        "first": s.first,
        "bank": dict(zip(TOKENS, s.bank, strict=True)),
        "rows": {str(level + 1): [_name(card) for card in s.rows[level]] for level in range(LEVELS)},
        "decks": {str(level + 1): s.pool_size[level] for level in range(LEVELS)},
        "locations": [LOCATIONS[location] for location in s.locations if location != NO_LOCATION],
        "avengers_tile": None if s.avengers_tile == NOBODY else s.avengers_tile,
        "paying": None if s.paying_for == NO_CARD else _paying(s),
        "prices": prices,
        "affordable": [
            card for card, price in prices.items() if price["grey_needed"] <= s.tokens[viewer][GREY]
        ],
        "seats": [_seat(s, seat, viewer) for seat in range(s.players)],
    }


def _seat(s: Any, seat: int, viewer: int) -> Json:
    return {
        "tokens": dict(zip(TOKENS, s.tokens[seat], strict=True)),
        "bonuses": dict(zip(COLOURS, s.bonuses[seat], strict=True)),
        "points": s.points[seat],
        "avengers": s.avengers[seat],
        "cards": [
            CARDS[card] for card, owner in zip(s.recruited, s.recruited_by, strict=True) if owner == seat
        ],
        "reserved": [
            {"level": _LEVEL[card] + 1, "card": CARDS[card] if _is_known(s, seat, place, viewer) else None}
            for place, card in enumerate(s.reserved[seat][: s.n_reserved[seat]])
        ],
        "locations": [
            LOCATIONS[location] for location, owner in zip(s.visited, s.visited_by, strict=True) if owner == seat
        ],
        "gauntlet": _gauntlet(s, seat),
    }


def _gauntlet(s: Any, seat: int) -> Json:
    """How far a seat is on the way to SM-30."""
    colours = sum(1 for bonus in s.bonuses[seat] if bonus)
    green = bool(s.tokens[seat][GREEN])
    return {
        "points": s.points[seat],
        "colours": colours,
        "green": green,
        "met": s.points[seat] >= POINTS_NEEDED and colours == COLOUR_COUNT and green,
    }


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
    """For a seat and each card that it could recruit: what is due in each colour after bonuses (SM-16), and how many
    grey tokens that needs, because its own tokens of those colours do not reach."""
    if viewer < 0:
        return {}
    on_offer = [card for row in s.rows for card in row if card != NO_CARD]
    on_offer += s.reserved[viewer][: s.n_reserved[viewer]]
    prices: dict[str, dict[str, int]] = {}
    for card in on_offer:
        due = [max(cost - bonus, 0) for cost, bonus in zip(_COST[card], s.bonuses[viewer], strict=True)]
        grey = sum(max(n - held, 0) for n, held in zip(due, s.tokens[viewer], strict=False))
        prices[CARDS[card]] = {**dict(zip(COLOURS, due, strict=True)), "grey_needed": grey}
    return prices


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
