"""A turn of Splendor: Marvel: what is legal, and the four actions (SM-10 to SM-19).

The set-up and the rows are in layout.py, paying is in payment.py, and what follows an action (tiles, the ten
tokens, the end of the round) is in turn_end.py.
"""

from tavolino.engine.compiled import compiled
from tavolino.engine.events import NO_ONE, emit
from tavolino.engine.record import Numbers
from tavolino.games.splendor_marvel.facts import (
    AVENGERS,
    BONUS,
    COLOUR_COUNT,
    GREEN,
    GREY,
    LEFT_TO_TAKE_TWO,
    LEVEL,
    LEVELS,
    MOST_RESERVED,
    NO_CARD,
    PACKED_COST,
    POINTS,
    wide,
)
from tavolino.games.splendor_marvel.layout import next_card, refill
from tavolino.games.splendor_marvel.notation import (
    DIFFERENT,
    GREY_FOR,
    N_DIFFERENT,
    PASS,
    PAY,
    RECRUIT,
    RESERVE,
    RESERVE_BLIND,
    RETURN,
    TAKE,
    TAKE_TWO,
    TAKEN,
    VISIT,
    Event,
)
from tavolino.games.splendor_marvel.payment import (
    begin_payment,
    close_payment,
    has_choice,
    means_of,
    put_grey,
    shortfall,
)
from tavolino.games.splendor_marvel.state import SplendorState, Step
from tavolino.games.splendor_marvel.turn_end import (
    end_turn,
    give_back,
    list_locations,
    take_time_stone,
    visit,
)

# -- what is legal


@compiled
def legal(s: SplendorState, out: Numbers) -> int:
    """The actions of the current step, in ascending order."""
    n = 0
    if s.step == Step.TURN:
        n = _list_takes(s, out)
        n = _list_reserves(s, out, n)
        n = _list_recruits(s, out, n)
        if n == 0:  # SM-19
            out[0] = PASS
            n = 1
    elif s.step == Step.RETURN:  # SM-23: never green
        for token in range(GREEN):
            if s.tokens[s.current, token] > 0:
                out[n] = RETURN + token
                n += 1
    elif s.step == Step.PAY:
        out[0] = PAY
        n = 1
        if s.tokens[s.current, GREY] > s.payment[GREY]:
            for colour in range(COLOUR_COUNT):
                if s.payment[colour] > 0:
                    out[n] = GREY_FOR + colour
                    n += 1
    elif s.step == Step.VISIT:
        n = list_locations(s, out)
    return n


@compiled
def _list_takes(s: SplendorState, out: Numbers) -> int:
    """SM-10, SM-11."""
    left = 0  # the colours of which there is one, as bits
    for colour in range(COLOUR_COUNT):
        left |= (s.bank[colour] > 0) << colour
    n = wide(N_DIFFERENT[left])
    for i in range(n):
        out[i] = DIFFERENT[left, i]
    for colour in range(COLOUR_COUNT):
        if s.bank[colour] >= LEFT_TO_TAKE_TWO:
            out[n] = TAKE_TWO + colour
            n += 1
    return n


@compiled
def _list_reserves(s: SplendorState, out: Numbers, n: int) -> int:
    """SM-13, SM-14: any card that lies face up, or the top of a deck."""
    if s.n_reserved[s.current] == MOST_RESERVED:
        return n
    for at in range(s.n_face_up):
        out[n] = RESERVE + s.face_up[at]
        n += 1
    for level in range(LEVELS):
        if s.pool_size[level] > 0:
            out[n] = RESERVE_BLIND + level
            n += 1
    return n


@compiled
def _list_recruits(s: SplendorState, out: Numbers, n: int) -> int:
    """SM-15 to SM-17: the cards of the rows and of one's hand that bonuses, tokens and grey can pay for."""
    me = s.current
    means, grey = means_of(s, me), s.tokens[me, GREY]
    first = n
    for at in range(s.n_face_up):
        card = s.face_up[at]
        out[n] = RECRUIT + card
        n += shortfall(PACKED_COST[card], means) <= grey  # otherwise the next one overwrites it
    for place in range(s.n_reserved[me]):
        card = s.reserved[me, place]
        if shortfall(PACKED_COST[card], means) <= grey:
            at = n
            while at > first and out[at - 1] > RECRUIT + card:
                out[at] = out[at - 1]
                at -= 1
            out[at] = RECRUIT + card
            n += 1
    return n


# -- the four actions


@compiled
def apply(s: SplendorState, action: int) -> None:
    _apply(s, wide(action))


@compiled
def _apply(s: SplendorState, action: int) -> None:
    if action < RESERVE:
        _take(s, action - TAKE)
    elif action < RESERVE_BLIND:
        _reserve_face_up(s, action - RESERVE)
    elif action < RECRUIT:
        _reserve_blind(s, action - RESERVE_BLIND)
    elif action < PAY:
        _recruit(s, action - RECRUIT)
    elif action == PAY:
        _add_recruit(s, close_payment(s))
    elif action < RETURN:
        put_grey(s, action - GREY_FOR)
    elif action < VISIT:
        give_back(s, action - RETURN)
    elif action < PASS:
        visit(s, action - VISIT)
    else:
        _pass(s)


@compiled
def _take(s: SplendorState, take: int) -> None:
    """SM-10 to SM-12."""
    for colour in range(COLOUR_COUNT):
        s.tokens[s.current, colour] += TAKEN[take, colour]
        s.bank[colour] -= TAKEN[take, colour]
    emit(s, Event.TAKEN, NO_ONE, s.current, take)
    end_turn(s)


@compiled
def _reserve_face_up(s: SplendorState, card: int) -> None:
    """SM-13: everybody has seen this card, and still knows it in the hand (SM-40)."""
    _take_in_hand(s, card, 1)
    has_grey = _take_grey(s)
    emit(s, Event.RESERVED, NO_ONE, s.current, card, LEVEL[card] + 1, has_grey)
    refill(s, card)
    end_turn(s)


@compiled
def _reserve_blind(s: SplendorState, level: int) -> None:
    """SM-13: the top card of a deck, unseen by the others."""
    card = next_card(s, level)
    _take_in_hand(s, card, 0)
    has_grey = _take_grey(s)
    emit(s, Event.RESERVED_BLIND, 1 << s.current, s.current, card, level + 1, has_grey)
    end_turn(s)


@compiled
def _take_in_hand(s: SplendorState, card: int, is_open: int) -> None:
    place = s.n_reserved[s.current]
    s.reserved[s.current, place] = card
    s.is_open[s.current, place] = is_open
    s.n_reserved[s.current] = place + 1


@compiled
def _take_grey(s: SplendorState) -> int:
    """SM-13: one grey token if there is one."""
    if s.bank[GREY] == 0:
        return 0
    s.bank[GREY] -= 1
    s.tokens[s.current, GREY] += 1
    return 1


@compiled
def _recruit(s: SplendorState, card: int) -> None:
    """SM-15, SM-17: the card is named to all; it is paid at once if there is only one way to pay."""
    place = _place_in_hand(s, card)
    if place >= 0:
        s.is_open[s.current, place] = 1
    begin_payment(s, card)
    if has_choice(s):
        s.step = Step.PAY
        emit(s, Event.RECRUITING, NO_ONE, s.current, card, place >= 0)
    else:
        _add_recruit(s, close_payment(s))


@compiled
def _add_recruit(s: SplendorState, card: int) -> None:
    """The card is paid for and joins its recruiter's team."""
    me = s.current
    place = _place_in_hand(s, card)
    if place >= 0:
        _leave_hand(s, place)
    else:
        refill(s, card)
    s.bonuses[me, BONUS[card]] += 1
    s.points[me] += POINTS[card]
    s.avengers[me] += AVENGERS[card]
    s.n_cards[me] += 1
    s.recruited[s.n_recruited], s.recruited_by[s.n_recruited] = card, me
    s.n_recruited += 1
    take_time_stone(s, card)
    end_turn(s)


@compiled
def _place_in_hand(s: SplendorState, card: int) -> int:
    """Where a card is among one's reserved cards; -1 if it lies in a row."""
    for place in range(s.n_reserved[s.current]):
        if s.reserved[s.current, place] == card:
            return place
    return -1


@compiled
def _leave_hand(s: SplendorState, place: int) -> None:
    hand, is_open = s.reserved[s.current], s.is_open[s.current]
    last = s.n_reserved[s.current] - 1
    for at in range(place, last):
        hand[at], is_open[at] = hand[at + 1], is_open[at + 1]
    hand[last], is_open[last] = NO_CARD, 0
    s.n_reserved[s.current] = last


@compiled
def _pass(s: SplendorState) -> None:
    """SM-19: a pass is a turn."""
    s.passes += 1
    emit(s, Event.PASSED, NO_ONE, s.current)
    end_turn(s)
