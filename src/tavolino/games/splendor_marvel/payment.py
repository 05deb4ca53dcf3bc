"""What a card costs a player, and how it is paid (SM-15 to SM-17)."""

from tavolino.engine.compiled import compiled
from tavolino.engine.events import NO_ONE, emit
from tavolino.games.splendor_marvel.facts import COLOUR_COUNT, COST, GREEN, GREY, NO_CARD, wide
from tavolino.games.splendor_marvel.notation import Event
from tavolino.games.splendor_marvel.state import SplendorState

# Five colours in one number, eight bits each. No count of tokens and bonuses needs more than seven bits.
_HIGH = 0x8080808080
_ONES = 0x0101010101


@compiled
def means_of(s: SplendorState, seat: int) -> int:
    """Bonuses and tokens of each colour, packed: what the seat can pay with before it needs grey (SM-16)."""
    means = wide(0)
    for colour in range(COLOUR_COUNT):
        means |= wide(s.bonuses[seat, colour] + s.tokens[seat, colour]) << (8 * colour)
    return means


@compiled
def bonuses_of(s: SplendorState, seat: int) -> int:
    """The bonuses of each colour, packed: locations require them (SM-22)."""
    bonuses = wide(0)
    for colour in range(COLOUR_COUNT):
        bonuses |= wide(s.bonuses[seat, colour]) << (8 * colour)
    return bonuses


@compiled
def shortfall(cost: int, means: int) -> int:
    """How many tokens are missing in total: the sum of cost - means over the colours where it is positive.

    It handles five colours at once, because `legal` calls it for up to 15 cards. The high bit of each colour stays set
    exactly where the cost is not below the means; the other colours are then masked out, and the rest is added up.
    """
    difference = (cost | _HIGH) - means
    not_below = difference & _HIGH
    missing = difference & (not_below - (not_below >> 7))
    pairs = missing + (missing >> 8)
    return (pairs + (pairs >> 16) + (missing >> 32)) & 0xFF


@compiled
def colours_lacking(cost: int, means: int) -> int:
    """A one in the eight bits of each colour whose cost is above the means."""
    return (((cost | _HIGH) - means - _ONES) & _HIGH) >> 7


@compiled
def begin_payment(s: SplendorState, card: int) -> None:
    """Colours first, grey for what is missing. Nothing moves yet."""
    seat = s.current
    s.paying_for = card
    grey = 0
    for colour in range(COLOUR_COUNT):
        due = max(COST[card, colour] - s.bonuses[seat, colour], 0)
        paid = min(due, s.tokens[seat, colour])
        s.payment[colour] = paid
        grey += due - paid
    s.payment[GREY] = grey


@compiled
def has_choice(s: SplendorState) -> bool:
    """Whether one more grey token could replace a colour in this payment."""
    if s.tokens[s.current, GREY] == s.payment[GREY]:
        return False
    for colour in range(COLOUR_COUNT):
        if s.payment[colour] > 0:
            return True
    return False


@compiled
def put_grey(s: SplendorState, colour: int) -> None:
    """One more grey token in place of one of that colour."""
    s.payment[colour] -= 1
    s.payment[GREY] += 1
    emit(s, Event.GREY_PUT, NO_ONE, s.current, colour)


@compiled
def close_payment(s: SplendorState) -> int:
    """The tokens go back to the middle, grey too. Returns the card that they paid for."""
    seat, card, paid = s.current, wide(s.paying_for), s.payment
    emit(s, Event.RECRUITED, NO_ONE, seat, card, paid[0], paid[1], paid[2], paid[3], paid[4], paid[GREY])
    for token in range(GREEN):
        s.tokens[seat, token] -= paid[token]
        s.bank[token] += paid[token]
    forget_payment(s)
    return card


@compiled
def forget_payment(s: SplendorState) -> None:
    s.paying_for = NO_CARD
    for token in range(GREEN):
        s.payment[token] = 0
