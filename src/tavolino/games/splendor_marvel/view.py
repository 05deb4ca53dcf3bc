"""What a viewer of Splendor: Marvel sees, the inventory, and the types of views and notebooks."""

from collections import Counter
from functools import lru_cache
from typing import Any, Literal, TypedDict, cast

from tavolino.engine.record import NOBODY
from tavolino.games.splendor_marvel import facts
from tavolino.games.splendor_marvel.facts import (
    AVENGERS_NEEDED,
    AVENGERS_POINTS,
    CARDS,
    COLOUR_COUNT,
    COST,
    GREEN,
    GREY,
    LEVEL,
    LEVELS,
    LOCATIONS,
    NO_CARD,
    NO_LOCATION,
    POINTS_NEEDED,
)

Colour = Literal["yellow", "blue", "red", "orange", "purple"]
Token = Literal["yellow", "blue", "red", "orange", "purple", "grey", "green"]
Payable = Literal["yellow", "blue", "red", "orange", "purple", "grey"]

COLOURS = cast("tuple[Colour, ...]", facts.COLOURS)
TOKENS = cast("tuple[Token, ...]", facts.TOKENS)
PAYMENT = cast("tuple[Payable, ...]", facts.PAYMENT)


class Price(TypedDict):
    """What a card costs a seat after bonuses, and how many grey tokens that takes."""

    yellow: int
    blue: int
    red: int
    orange: int
    purple: int
    grey_needed: int


class Paying(TypedDict):
    """The payment that is being put together, open to all (SM-17)."""

    seat: int
    card: str
    payment: dict[Payable, int]


class Reserved(TypedDict):
    """`card` is null for who has not seen it."""

    level: int
    card: str | None


class Gauntlet(TypedDict):
    """How far a seat is on the way to the Gauntlet (SM-30)."""

    points: int
    colours: int
    green: bool
    met: bool


class Seat(TypedDict):
    tokens: dict[Token, int]
    bonuses: dict[Colour, int]
    points: int
    avengers: int
    cards: list[str]
    locations: list[str]
    reserved: list[Reserved]
    gauntlet: Gauntlet


class Goal(TypedDict):
    """What the Gauntlet takes besides the Time Stone (SM-30)."""

    points: int
    colours: int


class AvengersTile(TypedDict):
    """How many symbols the tile takes, and how many points it brings (SM-21)."""

    symbols: int
    points: int


class Table(TypedDict):
    round: int
    first: int
    bank: dict[Token, int]
    rows: dict[str, list[str | None]]
    decks: dict[str, int]
    locations: list[str]
    avengers_tile: int | None
    paying: Paying | None
    goal: Goal
    tile: AvengersTile


class View(Table):
    prices: dict[str, Price]
    affordable: list[str]
    seats: list[Seat]


class HiddenCard(TypedDict):
    seat: int
    place: int
    level: int


class KnownCard(HiddenCard):
    card: str
    open: bool


class PossibleCards(HiddenCard):
    cards: list[str]


class Known(TypedDict):
    reserved: list[KnownCard]


class DeckPlaces(TypedDict):
    size: int
    cards: list[str]


class Places(TypedDict):
    decks: dict[str, DeckPlaces]
    reserved: list[PossibleCards]


class Notebook(TypedDict):
    known: Known
    places: Places
    unseen: dict[str, int]


class Card(TypedDict):
    level: int
    bonus: Colour
    points: int
    avengers: int
    green: bool
    cost: dict[Colour, int]


class Location(TypedDict):
    side: str
    points: int
    cost: dict[Colour, int]


class Parts(TypedDict):
    colours: list[Colour]
    tokens: list[Token]
    cards: dict[str, Card]
    locations: dict[str, Location]


LEVEL_OF: list[int] = LEVEL.tolist()
# By card: the colours of its cost, each as (number, count).
_COST = [[(colour, n) for colour, n in enumerate(cost) if n] for cost in COST.tolist()]


# A decision changes little, so parts of views are cached by the numbers that they are built from, and views share them.
# Views are read-only by agreement.


def view(s: Any, viewer: int) -> View:
    """Everything on the table; of reserved cards only those that the viewer has seen (SM-24, SM-40)."""
    table, seats, means, offered = _public(s)
    if viewer < 0:
        return {**table, "prices": {}, "affordable": [], "seats": seats}
    tokens, bonuses, reserved = means[viewer]
    prices, affordable = _prices_of(offered + reserved, bonuses, tokens)
    if reserved:
        own: Seat = {**seats[viewer], "reserved": _reserved(reserved, (1,) * len(reserved))}
        seats = [*seats[:viewer], own, *seats[viewer + 1 :]]
    return {**table, "prices": prices, "affordable": affordable, "seats": seats}


# A seat's bonuses, tokens and reserved cards as numbers. They include secrets, so they never go into a view directly.
Means = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=16)
def _public(s: Any) -> tuple[Table, list[Seat], list[Means], tuple[int, ...]]:
    """What is the same for all viewers, the table and the seats; and the input for the prices of each seat.

    Built once for a position, and shared by its views.
    """
    rows, pools = s.rows, s.pool_size
    table: Table = {
        "round": s.round_number,
        "first": s.first,
        "bank": _tokens(tuple(s.bank)),
        "rows": {str(level + 1): _row(tuple(rows[level])) for level in range(LEVELS)},
        "decks": {str(level + 1): pools[level] for level in range(LEVELS)},
        "locations": _locations(tuple(s.locations)),
        "avengers_tile": None if s.avengers_tile == NOBODY else s.avengers_tile,
        "paying": None if s.paying_for == NO_CARD else _paying(s),
        "goal": {"points": POINTS_NEEDED, "colours": COLOUR_COUNT},
        "tile": {"symbols": AVENGERS_NEEDED, "points": AVENGERS_POINTS},
    }
    n = s.n_recruited
    cards = _by_owner(s.players, tuple(s.recruited[:n]), tuple(s.recruited_by[:n]))
    n = s.n_visited
    places = _by_owner(s.players, tuple(s.visited[:n]), tuple(s.visited_by[:n]))
    means: list[Means] = [
        (tuple(tokens), tuple(bonuses), tuple(reserved[:n]))
        for tokens, bonuses, reserved, n in zip(
            s.tokens[: s.players],
            s.bonuses[: s.players],
            s.reserved[: s.players],
            s.n_reserved[: s.players],
            strict=True,
        )
    ]
    points, avengers, is_open = s.points, s.avengers, s.is_open
    seats = [
        _seat(
            tokens,
            bonuses,
            points[seat],
            avengers[seat],
            cards[seat],
            places[seat],
            reserved,
            tuple(is_open[seat][: len(reserved)]) if reserved else (),
        )
        for seat, (tokens, bonuses, reserved) in enumerate(means)
    ]
    return table, seats, means, tuple(s.face_up[: s.n_face_up])


@lru_cache(maxsize=256)
def _tokens(counts: tuple[int, ...]) -> dict[Token, int]:
    return dict(zip(TOKENS, counts, strict=True))


@lru_cache(maxsize=256)
def _row(cards: tuple[int, ...]) -> list[str | None]:
    return [_name(card) for card in cards]


@lru_cache(maxsize=64)
def _locations(locations: tuple[int, ...]) -> list[str]:
    return [LOCATIONS[location] for location in locations if location != NO_LOCATION]


@lru_cache(maxsize=64)
def _by_owner(players: int, things: tuple[int, ...], owners: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The cards or locations of each seat, in the order in which it got them."""
    of_seat: list[list[int]] = [[] for _ in range(players)]
    for thing, owner in zip(things, owners, strict=True):
        of_seat[owner].append(thing)
    return [tuple(each) for each in of_seat]


@lru_cache(maxsize=256)
def _seat(
    tokens: tuple[int, ...],
    bonuses: tuple[int, ...],
    points: int,
    avengers: int,
    cards: tuple[int, ...],
    places: tuple[int, ...],
    reserved: tuple[int, ...],
    is_open: tuple[int, ...],
) -> Seat:
    colours, green = COLOUR_COUNT - bonuses.count(0), bool(tokens[GREEN])
    return {
        "tokens": _tokens(tokens),
        "bonuses": dict(zip(COLOURS, bonuses, strict=True)),
        "points": points,
        "avengers": avengers,
        "cards": [CARDS[card] for card in cards],
        "locations": [LOCATIONS[place] for place in places],
        "reserved": _reserved(reserved, is_open),
        "gauntlet": {
            "points": points,
            "colours": colours,
            "green": green,
            "met": points >= POINTS_NEEDED and colours == COLOUR_COUNT and green,
        },
    }


@lru_cache(maxsize=256)
def _reserved(cards: tuple[int, ...], is_seen: tuple[int, ...]) -> list[Reserved]:
    return [
        {"level": LEVEL_OF[card] + 1, "card": CARDS[card] if seen else None}
        for card, seen in zip(cards, is_seen, strict=True)
    ]


def _name(card: int) -> str | None:
    return None if card == NO_CARD else CARDS[card]


def _paying(s: Any) -> Paying:
    return {
        "seat": s.current,
        "card": CARDS[s.paying_for],
        "payment": dict(zip(PAYMENT, s.payment, strict=True)),
    }


@lru_cache(maxsize=256)
def _prices_of(
    cards: tuple[int, ...], bonuses: tuple[int, ...], tokens: tuple[int, ...]
) -> tuple[dict[str, Price], list[str]]:
    """For a seat the price of each card that it could recruit, and those that it can pay for.

    A price is what is due in each colour, and how many grey tokens must replace colours that the seat lacks.
    """
    prices, affordable, due_of = {}, [], _due_with(bonuses)
    for card in cards:
        name, due, price_with = due_of[card]
        grey = 0
        for colour, n in due:
            if n > tokens[colour]:
                grey += n - tokens[colour]
        prices[name] = price_with[grey]
        if grey <= tokens[GREY]:
            affordable.append(name)
    return prices, affordable


class _PriceWith(dict[int, Price]):
    """The price of a card by how many grey tokens it needs."""

    def __init__(self, due: dict[Colour, int]):
        super().__init__()
        self._due = due

    def __missing__(self, grey: int) -> Price:
        price: Price = {"yellow": 0, "blue": 0, "red": 0, "orange": 0, "purple": 0, "grey_needed": grey}
        for colour, n in self._due.items():
            price[colour] = n
        self[grey] = price
        return price


# A card on offer: its name, what is due of each colour, and the price.
Due = tuple[str, list[tuple[int, int]], _PriceWith]


class _Due(dict[int, Due]):
    """What is due for each card after these bonuses (SM-16), computed at first use.

    The cache works because most decisions change one card on the table, or the tokens but not the bonuses of a seat.
    """

    def __init__(self, bonuses: tuple[int, ...]):
        super().__init__()
        self._bonuses = bonuses

    def __missing__(self, card: int) -> Due:
        left = [(colour, n - self._bonuses[colour]) for colour, n in _COST[card] if n > self._bonuses[colour]]
        due = self[card] = CARDS[card], left, _PriceWith({COLOURS[colour]: n for colour, n in left})
        return due


@lru_cache(maxsize=256)
def _due_with(bonuses: tuple[int, ...]) -> _Due:
    return _Due(bonuses)


def inventory(s: Any) -> dict[str, int]:
    """Every card, token and tile, wherever it is: no action may change these counts."""
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
