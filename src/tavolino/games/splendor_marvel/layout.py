"""The table: set-up, decks, and rows that are refilled (SM-01 to SM-05, SM-18)."""

from collections.abc import Mapping, Sequence

from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled
from tavolino.engine.events import NO_ONE, emit
from tavolino.engine.record import NOBODY, Numbers
from tavolino.games.splendor_marvel.facts import (
    CARD_COUNT,
    COLOUR_COUNT,
    FACE_UP,
    GREEN,
    GREEN_TOKENS,
    GREY,
    GREY_TOKENS,
    LEVEL,
    LEVEL_SIZE,
    LEVEL_START,
    LEVELS,
    LOCATIONS,
    MOST_PLAYERS,
    MOST_RESERVED,
    NO_CARD,
    NO_LOCATION,
    OF_EACH_COLOUR,
    ROW_LENGTH,
    SIDES,
    TILES,
    TOKEN_COUNT,
    Reason,
    wide,
)
from tavolino.games.splendor_marvel.notation import Event
from tavolino.games.splendor_marvel.payment import forget_payment
from tavolino.games.splendor_marvel.state import SplendorState
from tavolino.games.splendor_marvel.turn_end import begin_turn


def check_decks(decks: Mapping[str, Sequence[str]]) -> None:
    """An arranged start names sides of locations, and only one side of a tile can be used (SM-03)."""
    tiles: dict[int, str] = {}
    for location in decks.get("locations", ()):
        tile = LOCATIONS.index(location) // SIDES
        if tile in tiles:
            raise ValueError(f"{tiles[tile]} and {location} are the two sides of one tile.")
        tiles[tile] = location


@compiled
def setup(s: SplendorState, options: Numbers, arranged: Numbers, n_arranged: Numbers) -> None:
    """SM-02 to SM-05: three decks with four cards of each face up, locations, tokens."""
    s.players, s.first = options[0], options[1]
    s.winners, s.reason = 0, Reason.NONE
    s.round_number, s.passes = 1, 0
    s.avengers_tile = NOBODY
    forget_payment(s)
    _lay_tokens(s)
    _clear_seats(s)
    for level in range(LEVELS):
        _lay_deck(s, level, arranged[level], n_arranged[level])
        _lay_row(s, level)
    _lay_locations(s, arranged[LEVELS], n_arranged[LEVELS])
    begin_turn(s, s.first)


@compiled
def _lay_tokens(s: SplendorState) -> None:
    """SM-04."""
    for colour in range(COLOUR_COUNT):
        s.bank[colour] = OF_EACH_COLOUR[s.players]
    s.bank[GREY] = GREY_TOKENS
    s.bank[GREEN] = GREEN_TOKENS[s.players]


@compiled
def _clear_seats(s: SplendorState) -> None:
    for seat in range(MOST_PLAYERS):
        for token in range(TOKEN_COUNT):
            s.tokens[seat, token] = 0
        for colour in range(COLOUR_COUNT):
            s.bonuses[seat, colour] = 0
        for place in range(MOST_RESERVED):
            s.reserved[seat, place], s.is_open[seat, place] = NO_CARD, 0
        s.points[seat], s.avengers[seat], s.n_cards[seat], s.n_reserved[seat] = 0, 0, 0, 0
        s.visited[seat], s.visited_by[seat] = NO_LOCATION, NOBODY
    s.n_visited = 0
    for place in range(CARD_COUNT):
        s.recruited[place], s.recruited_by[place] = NO_CARD, NOBODY
    s.n_recruited = 0


@compiled
def _lay_deck(s: SplendorState, level: int, arranged: Numbers, n_arranged: int) -> None:
    """All cards of a level; the arranged ones last and reversed, because cards are drawn from the end of the array."""
    pool, size = s.pool[level], LEVEL_SIZE[level]
    for at in range(size):
        pool[at] = LEVEL_START[level] + at
    for at in range(size, pool.size):
        pool[at] = NO_CARD
    s.pool_size[level] = size
    s.arranged[level] = n_arranged
    for i in range(n_arranged):
        place = size - 1 - i
        for at in range(place + 1):
            if pool[at] == arranged[i]:
                pool[at], pool[place] = pool[place], pool[at]
                break


@compiled
def _lay_row(s: SplendorState, level: int) -> None:
    if level == 0:
        s.n_face_up = 0
        for at in range(FACE_UP):
            s.face_up[at] = NO_CARD
    row = s.rows[level]
    for place in range(ROW_LENGTH):
        row[place] = next_card(s, level)
        s.face_up[s.n_face_up] = row[place]
        s.n_face_up += 1
        _sort_in(s, s.n_face_up - 1)
    emit(s, Event.ROW, NO_ONE, level + 1, row[0], row[1], row[2], row[3])


@compiled
def _lay_locations(s: SplendorState, arranged: Numbers, n_arranged: int) -> None:
    """SM-03: as many tiles as players, each on a random side; arranged sides come first."""
    is_used = 0  # one bit for each tile
    for place in range(MOST_PLAYERS):
        s.locations[place] = NO_LOCATION
        if place < min(n_arranged, s.players):
            s.locations[place] = arranged[place]
            is_used |= 1 << (arranged[place] // SIDES)
    for place in range(n_arranged, s.players):
        nth = draw(s, TILES - place)
        tile = 0
        while nth > 0 or is_used >> tile & 1:
            nth -= 1 - (is_used >> tile & 1)
            tile += 1
        is_used |= 1 << tile
        s.locations[place] = SIDES * tile + draw(s, wide(SIDES))
    laid = s.locations
    emit(s, Event.LOCATIONS, NO_ONE, laid[0], laid[1], laid[2], laid[3])


# -- decks and rows


@compiled
def next_card(s: SplendorState, level: int) -> int:
    """The top card of a deck, drawn uniformly from those that are left; NO_CARD from an empty deck."""
    pool, size = s.pool[level], wide(s.pool_size[level])
    if size == 0:
        return wide(NO_CARD)
    last = size - 1
    if s.arranged[level] > 0:
        s.arranged[level] -= 1
    else:
        at = draw(s, size)
        pool[at], pool[last] = pool[last], pool[at]
    s.pool_size[level] = last
    return wide(pool[last])


@compiled
def _sort_in(s: SplendorState, at: int) -> None:
    """Move one card of `face_up` to its place; the others are in ascending order."""
    card = s.face_up[at]
    while at > 0 and s.face_up[at - 1] > card:
        s.face_up[at] = s.face_up[at - 1]
        at -= 1
    while at + 1 < s.n_face_up and s.face_up[at + 1] < card:
        s.face_up[at] = s.face_up[at + 1]
        at += 1
    s.face_up[at] = card


@compiled
def refill(s: SplendorState, card: int) -> None:
    """SM-18: another card of that level goes to the same place; none if the deck is empty."""
    level = wide(LEVEL[card])
    place = 0
    while s.rows[level, place] != card:
        place += 1
    at = 0
    while s.face_up[at] != card:
        at += 1
    following = next_card(s, level)
    s.rows[level, place] = following
    if following == NO_CARD:
        s.n_face_up -= 1
        for later in range(at, s.n_face_up):
            s.face_up[later] = s.face_up[later + 1]
        s.face_up[s.n_face_up] = NO_CARD
    else:
        s.face_up[at] = following
        _sort_in(s, at)
    emit(s, Event.REFILLED, NO_ONE, level + 1, place, following, s.pool_size[level])
