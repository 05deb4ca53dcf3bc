"""The rules of Kuhn poker (KP-01 to KP-21)."""

from kuhn_poker.facts import ANTE, CARD_COUNT, SEATS, Action, Reason
from kuhn_poker.notation import Event
from kuhn_poker.state import KuhnState, Step
from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled
from tavolino.engine.events import NO_ONE, emit
from tavolino.engine.record import Numbers, end_game


@compiled
def setup(s: KuhnState, options: Numbers, arranged: Numbers, n_arranged: Numbers) -> None:
    """Everybody puts in a chip and gets a card (KP-02). Arranged cards go to seat 0, then to seat 1."""
    s.players, s.first = options[0], options[1]
    s.winners, s.reason = 0, Reason.NONE
    first_card = arranged[0, 0] if n_arranged[0] > 0 else draw(s, CARD_COUNT)
    if n_arranged[0] > 1:
        second_card = arranged[0, 1] + 0
    else:
        second_card = (first_card + 1 + draw(s, CARD_COUNT - 1)) % CARD_COUNT
    s.card[0], s.card[1] = first_card, second_card
    for seat in range(SEATS):
        s.chips[seat] = ANTE
        emit(s, Event.DEALT, 1 << seat, seat, s.card[seat])
    s.to_act = s.first
    s.step = Step.OPEN


@compiled
def legal(s: KuhnState, out: Numbers) -> int:
    """Check or bet (KP-10, KP-11); after a bet, call or fold (KP-12)."""
    if s.step == Step.OVER:
        return 0
    if s.step == Step.OPEN:
        out[0], out[1] = Action.CHECK, Action.BET
    else:
        out[0], out[1] = Action.CALL, Action.FOLD
    return 2


@compiled
def apply(s: KuhnState, action: int) -> None:
    """Play a legal action."""
    seat = s.to_act + 0
    other = 1 - seat
    emit(s, Event.ACTED, NO_ONE, seat, action)
    if action == Action.BET or action == Action.CALL:
        s.chips[seat] += 1
    if action == Action.FOLD:
        _end(s, other, Reason.FOLD.value)  # KP-20
    elif action == Action.CALL or (action == Action.CHECK and seat != s.first):
        for each in range(SEATS):
            emit(s, Event.SHOWN, NO_ONE, each, s.card[each])
        _end(s, seat if s.card[seat] > s.card[other] else other, Reason.SHOWDOWN.value)  # KP-21
    else:
        s.to_act = other
        s.step = Step.ANSWER if action == Action.BET else Step.OPEN


@compiled
def _end(s: KuhnState, winner: int, reason: int) -> None:
    s.step = Step.OVER
    emit(s, Event.OVER, NO_ONE, winner, reason)
    end_game(s, 1 << winner, reason)


@compiled
def payoff(s: KuhnState, seat: int) -> float:
    """In chips: the winner gets what the other put in."""
    other = 1 - seat
    return s.chips[other] * 1.0 if s.winners >> seat & 1 else -s.chips[seat] * 1.0
