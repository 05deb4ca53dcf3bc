"""The rules of Mantis, from the deal to the end (MA-01 to MA-41)."""

from tavolino.engine.chance import draw
from tavolino.engine.compiled import compiled, inlined
from tavolino.engine.events import NO_ONE, emit
from tavolino.engine.record import Numbers, end_game, next_seat
from tavolino.games.mantis.facts import (
    BACK_COLOURS,
    CARD_COUNT,
    COLOUR_COUNT,
    FRONT,
    GOAL,
    GOAL_FOR_TWO,
    ICON,
    MOST_PLAYERS,
    NO_CARD,
    RULES_WITH_END_TURN,
    TANK_AT_START,
    Icon,
    Reason,
)
from tavolino.games.mantis.notation import END_TURN, SCORE, STEAL, TAKE, Event, How
from tavolino.games.mantis.state import MantisState, Step

# -- set-up


@compiled
def setup(s: MantisState, options: Numbers, arranged: Numbers, n_arranged: Numbers) -> None:
    """Shuffle, deal four cards to each tank, show the first back (MA-03, MA-04)."""
    s.players, s.current, s.icons, s.rules = options[0], options[1], options[2], options[3]
    s.goal = GOAL_FOR_TWO if s.players == 2 else GOAL  # MA-40
    s.another_turn = 0
    s.winners, s.reason = 0, Reason.NONE
    for seat in range(MOST_PLAYERS):
        s.score[seat] = 0
        for colour in range(COLOUR_COUNT):
            s.tank[seat, colour] = 0
    _lay_pile(s, arranged[0], n_arranged[0])
    for seat in range(s.players):
        _deal(s, seat)
    s.top = _next_card(s)
    _tell_back(s)
    _begin_turn(s, s.current)


@compiled
def _lay_pile(s: MantisState, arranged: Numbers, n_arranged: int) -> None:
    """All cards; the given ones last and backwards, because cards are drawn from the end of the array."""
    for card in range(CARD_COUNT):
        s.pile[card] = card
    s.pile_size = CARD_COUNT
    s.arranged = n_arranged
    for i in range(n_arranged):
        place = CARD_COUNT - 1 - i
        for at in range(place + 1):
            if s.pile[at] == arranged[i]:
                s.pile[at], s.pile[place] = s.pile[place], s.pile[at]
                break


@inlined
def _next_card(s: MantisState) -> int:
    """The next card, drawn uniformly from those that are left."""
    if s.pile_size == 0:
        return NO_CARD
    last = s.pile_size - 1
    s.pile_size = last
    if s.arranged > 0:
        s.arranged -= 1
        return s.pile[last]
    at = draw(s, last + 1)
    card = s.pile[at]
    s.pile[at] = s.pile[last]
    s.pile[last] = card
    return card


@compiled
def _deal(s: MantisState, seat: int) -> None:
    for _ in range(TANK_AT_START):
        s.tank[seat, FRONT[_next_card(s)]] += 1
    if s.quiet == 0:
        first = s.pile_size + TANK_AT_START - 1  # the dealt cards are still in the array, behind the end of the pile
        cards = s.pile[first - 3 : first + 1]
        emit(s, Event.DEALT, NO_ONE, seat, cards[3], cards[2], cards[1], cards[0])


# -- a turn


@inlined
def _begin_turn(s: MantisState, seat: int) -> None:
    s.current = seat
    s.to_act = seat
    s.step = Step.TURN


@inlined
def legal(s: MantisState, out: Numbers) -> int:
    """Score, or steal from anybody else, also from an empty tank (MA-10, MA-16); or the pile to take from (MA-23).

    With two players, the turn that a steal gives can also be ended (MA-41).
    """
    if s.step == Step.TURN or s.step == Step.EXTRA_TURN:
        out[0] = SCORE
        # The other seats in order. Always five of them, because a loop of fixed length is fastest; entries beyond the
        # number returned are ignored.
        for n in range(1, MOST_PLAYERS):
            out[n] = STEAL + n - (n <= s.current)
        if s.step == Step.EXTRA_TURN:
            out[s.players] = END_TURN
            return s.players + 1
        return s.players
    n = 0
    if s.step == Step.TAKE:
        for seat in range(s.players):
            if seat != s.current and s.score[seat] > 0:
                out[n] = TAKE + seat
                n += 1
    return n


@inlined
def apply(s: MantisState, action: int) -> None:
    if action == SCORE:
        _use_top_card(s, s.current, How.SCORE.value)
    elif action < TAKE:
        _use_top_card(s, action - STEAL, How.STEAL.value)
    elif action < END_TURN:
        _take(s, action - TAKE)
    else:
        _end_turn(s)


@inlined
def _use_top_card(s: MantisState, target: int, how: int) -> None:
    """MA-11 to MA-14: the top card goes to a tank and is turned; cards of its colour there make a match."""
    card = s.top
    s.top = _next_card(s)  # MA-04: the next back becomes visible
    colour = FRONT[card]
    there = s.tank[target, colour]
    if s.quiet == 0:
        _tell_turned(s, target, how, card, there)
    if there == 0:
        s.tank[target, colour] = 1
        _finish_turn(s)
        return
    s.tank[target, colour] = 0
    if how == How.SCORE:
        s.score[s.current] += there + 1
        _finish_turn(s)
    else:
        _steal(s, card, there + 1)


@compiled
def _steal(s: MantisState, card: int, loot: int) -> None:
    """MA-13: the cards go to the thief's tank; the icon works, because this card made the steal succeed (MA-20)."""
    icon = _icon_shown(s, card)
    if icon == Icon.SCORE_AND_STEAL:  # MA-24
        s.score[s.current] += loot
    else:
        s.tank[s.current, FRONT[card]] += loot
    if icon == Icon.ANOTHER_TURN or s.players == 2:  # MA-22, MA-41
        s.another_turn = 1
    if icon == Icon.STEAL_A_CARD and _somebody_else_has_scored(s):  # MA-23
        s.step = Step.TAKE
    else:
        _finish_turn(s)


@compiled
def _tell_turned(s: MantisState, target: int, how: int, card: int, there: int) -> None:
    emit(s, Event.TURNED, NO_ONE, s.current, how, target, card, _icon_shown(s, card), there > 0, there + 1)
    _tell_back(s)


@compiled
def _tell_back(s: MantisState) -> None:
    if s.top != NO_CARD:
        back = BACK_COLOURS[s.top]
        emit(s, Event.BACK, NO_ONE, back[0], back[1], back[2], s.pile_size + 1)


@compiled
def _take(s: MantisState, victim: int) -> None:
    """MA-23: one card from a score pile into one's own."""
    s.score[victim] -= 1
    s.score[s.current] += 1
    emit(s, Event.TAKEN, NO_ONE, s.current, victim)
    _finish_turn(s)


@compiled
def _end_turn(s: MantisState) -> None:
    """MA-41: skip the turn that a steal gave; the other player has the same top card."""
    emit(s, Event.TURN_ENDED, NO_ONE, s.current)
    _begin_turn(s, next_seat(s, s.current))


@compiled
def _icon_shown(s: MantisState, card: int) -> int:
    """The icon of the card; none with two players, or with icons switched off (MA-41)."""
    if s.icons == 0 or s.players == 2:
        return Icon.NONE.value
    return ICON[card]


@compiled
def _somebody_else_has_scored(s: MantisState) -> bool:
    for seat in range(s.players):
        if seat != s.current and s.score[seat] > 0:
            return True
    return False


# -- end


@inlined
def _finish_turn(s: MantisState) -> None:
    """Goal reached, pile empty, another turn, or the next player, in this order."""
    if s.score[s.current] >= s.goal:  # MA-30
        _end(s, 1 << s.current, Reason.GOAL_REACHED)
    elif s.top == NO_CARD:  # MA-31: also before an extra turn, which would have no card to use
        _end(s, _leaders(s), Reason.PILE_EMPTY)
    elif s.another_turn == 1:
        s.another_turn = 0
        emit(s, Event.ANOTHER_TURN, NO_ONE, s.current)
        _begin_turn(s, s.current)
        if s.players == 2 and s.rules >= RULES_WITH_END_TURN:  # MA-41
            s.step = Step.EXTRA_TURN
    else:
        _begin_turn(s, next_seat(s, s.current))


@compiled
def _end(s: MantisState, winners: int, reason: int) -> None:
    s.step = Step.OVER
    end_game(s, winners, reason)
    emit(s, Event.OVER, NO_ONE, winners, reason)


@compiled
def _leaders(s: MantisState) -> int:
    """MA-31: the most cards scored; if tied, the most in the tank; if still tied, a shared win."""
    leaders = 0
    most_scored = -1
    most_in_tank = -1
    for seat in range(s.players):
        in_tank = 0
        for colour in range(COLOUR_COUNT):
            in_tank += s.tank[seat, colour]
        if s.score[seat] > most_scored or (s.score[seat] == most_scored and in_tank > most_in_tank):
            leaders = 1 << seat
            most_scored, most_in_tank = s.score[seat], in_tank
        elif s.score[seat] == most_scored and in_tank == most_in_tank:
            leaders |= 1 << seat
    return leaders
