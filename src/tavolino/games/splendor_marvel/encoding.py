"""Splendor: Marvel as numbers. Cards are flags by their number, the same numbers as in the actions that name them;
what is printed on each is in `GAME.parts["cards"]`, in that order.

Only their holder is shown blindly reserved cards (SM-40); others are shown their level.
"""

from typing import Any

from tavolino.engine.compiled import compiled
from tavolino.engine.observation import ActionRange, Encoding, Slice, offsets
from tavolino.engine.record import NOBODY
from tavolino.games.splendor_marvel.facts import (
    AVENGERS,
    AVENGERS_POINTS,
    CARD_COUNT,
    COLOUR_COUNT,
    COLOURS,
    LARGEST_LEVEL,
    LAST_ROUND,
    LEVEL,
    LEVELS,
    LOCATION_COUNT,
    LOCATION_POINTS,
    MOST_PLAYERS,
    MOST_RESERVED,
    NO_CARD,
    NO_LOCATION,
    OF_EACH_COLOUR,
    PAYMENT,
    POINTS,
    TOKEN_COUNT,
    TOKENS,
)
from tavolino.games.splendor_marvel.game import GAME
from tavolino.games.splendor_marvel.notation import (
    GREY_FOR,
    PASS,
    PAY,
    RECRUIT,
    RESERVE,
    RESERVE_BLIND,
    RETURN,
    STEPS,
    TAKE,
    TAKES,
    VISIT,
)
from tavolino.games.splendor_marvel.state import SplendorState

MOST_OF_A_TOKEN = int(OF_EACH_COLOUR.max())
CARDS_OF_A_BONUS = CARD_COUNT // COLOUR_COUNT
MOST_POINTS = int(POINTS.sum()) + MOST_PLAYERS * LOCATION_POINTS + AVENGERS_POINTS

SLICES = (
    Slice("players", 1, MOST_PLAYERS, "how many play"),
    Slice("to_act", MOST_PLAYERS, 1, "whose decision it is, one flag a seat (+0 is the viewer)"),
    Slice("first", MOST_PLAYERS, 1, "who begins every round"),
    Slice("step", len(STEPS), 1, f"what is being waited for: {', '.join(STEPS)}"),
    Slice("round", 1, LAST_ROUND, "the number of the round, from 1"),
    Slice("passes", 1, MOST_PLAYERS, "passes in this round"),
    Slice("bank", TOKEN_COUNT, MOST_OF_A_TOKEN, f"tokens in the middle: {', '.join(TOKENS)}"),
    Slice("tokens", MOST_PLAYERS * TOKEN_COUNT, MOST_OF_A_TOKEN, "tokens of each seat, in that order"),
    Slice("bonuses", MOST_PLAYERS * COLOUR_COUNT, CARDS_OF_A_BONUS, f"bonuses of each seat: {', '.join(COLOURS)}"),
    Slice("points", MOST_PLAYERS, MOST_POINTS, "points of each seat"),
    Slice("avengers", MOST_PLAYERS, int(AVENGERS.sum()), "Avengers symbols of each seat"),
    Slice("avengers_tile", MOST_PLAYERS, 1, "who holds the Avengers tile"),
    Slice("cards", MOST_PLAYERS, CARD_COUNT, "how many cards each seat has recruited"),
    Slice("decks", LEVELS, LARGEST_LEVEL, "cards left in the deck of each level"),
    Slice("locations", LOCATION_COUNT, 1, "the locations on the table"),
    Slice("face_up", CARD_COUNT, 1, "the cards that lie face up"),
    Slice("reserved", MOST_PLAYERS * CARD_COUNT, 1, "the reserved cards of each seat that the viewer knows"),
    Slice(
        "hidden",
        MOST_PLAYERS * LEVELS,
        MOST_RESERVED,
        "reserved cards of each level that the viewer does not know, seat by seat",
    ),
    Slice("unseen", CARD_COUNT, 1, "the cards that the viewer has not seen: in a deck, or reserved blindly by another"),
    Slice("paying_for", CARD_COUNT, 1, "the card that is being paid for"),
    Slice("payment", len(PAYMENT), MOST_OF_A_TOKEN, f"the payment as it stands: {', '.join(PAYMENT)}"),
)

_AT = offsets(SLICES)
PLAYERS, TO_ACT, FIRST, STEP = (_AT[name] for name in ("players", "to_act", "first", "step"))
ROUND, PASSES, BANK, TOKENS_OF = (_AT[name] for name in ("round", "passes", "bank", "tokens"))
BONUSES_OF, POINTS_OF, AVENGERS_OF = _AT["bonuses"], _AT["points"], _AT["avengers"]
AVENGERS_TILE, CARDS_OF, DECKS, LOCATIONS = (_AT[name] for name in ("avengers_tile", "cards", "decks", "locations"))
FACE_UP, RESERVED, HIDDEN, UNSEEN = (_AT[name] for name in ("face_up", "reserved", "hidden", "unseen"))
PAYING_FOR, PAYMENT_SO_FAR = _AT["paying_for"], _AT["payment"]


@compiled
def observe(s: SplendorState, viewer: int, out: Any) -> None:
    """The table, the seats clockwise from the viewer, and the cards that the viewer has not seen."""
    out[:] = 0
    out[PLAYERS] = s.players
    out[STEP + s.step] = 1
    out[ROUND] = s.round_number
    out[PASSES] = s.passes
    for token in range(TOKEN_COUNT):
        out[BANK + token] = s.bank[token]
    for distance in range(s.players):
        seat = viewer + distance
        if seat >= s.players:
            seat -= s.players
        _observe_seat(s, seat, distance, out)
    for place in range(s.players):
        if s.locations[place] != NO_LOCATION:
            out[LOCATIONS + s.locations[place]] = 1
    for place in range(s.n_face_up):
        out[FACE_UP + s.face_up[place]] = 1
    for level in range(LEVELS):
        out[DECKS + level] = s.pool_size[level]
        for place in range(s.pool_size[level]):
            out[UNSEEN + s.pool[level, place]] = 1
    if s.paying_for != NO_CARD:
        out[PAYING_FOR + s.paying_for] = 1
        for token in range(len(PAYMENT)):
            out[PAYMENT_SO_FAR + token] = s.payment[token]


@compiled
def _observe_seat(s: SplendorState, seat: int, distance: int, out: Any) -> None:
    out[TO_ACT + distance] = seat == s.to_act
    out[FIRST + distance] = seat == s.first
    for token in range(TOKEN_COUNT):
        out[TOKENS_OF + distance * TOKEN_COUNT + token] = s.tokens[seat, token]
    for colour in range(COLOUR_COUNT):
        out[BONUSES_OF + distance * COLOUR_COUNT + colour] = s.bonuses[seat, colour]
    out[POINTS_OF + distance] = s.points[seat]
    out[AVENGERS_OF + distance] = s.avengers[seat]
    out[AVENGERS_TILE + distance] = s.avengers_tile != NOBODY and seat == s.avengers_tile
    out[CARDS_OF + distance] = s.n_cards[seat]
    for place in range(s.n_reserved[seat]):
        card = s.reserved[seat, place]
        if distance == 0 or s.is_open[seat, place] == 1:
            out[RESERVED + distance * CARD_COUNT + card] = 1
        else:
            out[HIDDEN + distance * LEVELS + LEVEL[card]] += 1
            out[UNSEEN + card] = 1


ENCODING = Encoding(
    game=GAME,
    version="1",
    slices=SLICES,
    actions=(
        ActionRange("take COLOUR ...", TAKE, len(TAKES), "three different colours, two different, one, and two of one"),
        ActionRange("reserve CARD", RESERVE, CARD_COUNT, "a face-up card, by its number"),
        ActionRange("reserve level-N", RESERVE_BLIND, LEVELS, "the top card of a deck"),
        ActionRange("recruit CARD", RECRUIT, CARD_COUNT, "a face-up or reserved card, by its number"),
        ActionRange("pay", PAY, 1, "close the payment"),
        ActionRange("grey COLOUR", GREY_FOR, COLOUR_COUNT, "one more grey token in place of that colour"),
        ActionRange("return TOKEN", RETURN, len(PAYMENT), "give a token back"),
        ActionRange("visit LOCATION", VISIT, LOCATION_COUNT, "one of several locations, by its number"),
        ActionRange("pass", PASS, 1, "when nothing else is possible"),
    ),
    observe=observe,
)
