"""The end of a turn in its order, the end of a round, and who wins (SM-20 to SM-23, SM-30 to SM-36)."""

from tavolino.engine.compiled import compiled
from tavolino.engine.events import NO_ONE, emit
from tavolino.engine.record import NOBODY, Numbers, end_game, next_seat
from tavolino.games.splendor_marvel.facts import (
    AVENGERS_NEEDED,
    AVENGERS_POINTS,
    COLOUR_COUNT,
    FEWEST_BONUSES,
    GREEN,
    LAST_ROUND,
    LEVEL,
    LOCATION_COUNT,
    LOCATION_POINTS,
    MOST_TOKENS,
    NO_LOCATION,
    PACKED_LOCATION_COST,
    POINTS_NEEDED,
    TIME_STONE_LEVEL,
    TOKEN_COUNT,
    Reason,
    wide,
)
from tavolino.games.splendor_marvel.notation import VISIT, Event
from tavolino.games.splendor_marvel.payment import bonuses_of, shortfall
from tavolino.games.splendor_marvel.state import SplendorState, Step


@compiled
def begin_turn(s: SplendorState, seat: int) -> None:
    s.current = seat
    s.to_act = seat
    s.step = Step.TURN


@compiled
def end_turn(s: SplendorState) -> None:
    """Avengers tile and locations, then the limit of ten tokens; stops if the player must choose a location."""
    _pass_avengers_tile(s)
    reached, location = _locations_reached(s)
    if reached > 1:
        s.step = Step.VISIT
        return
    if reached == 1:
        _take_location(s, location)
    count_tokens(s)


# -- SM-20: the Time Stone


@compiled
def take_time_stone(s: SplendorState, card: int) -> None:
    """The first card with the icon gives a green token; there is one for everybody."""
    if LEVEL[card] + 1 == TIME_STONE_LEVEL and s.tokens[s.current, GREEN] == 0:
        s.bank[GREEN] -= 1
        s.tokens[s.current, GREEN] = 1
        emit(s, Event.TIME_STONE, NO_ONE, s.current)


# -- SM-21: the Avengers tile


@compiled
def _pass_avengers_tile(s: SplendorState) -> None:
    """Goes to the first player with three symbols, then to a player who has more than its holder."""
    me, holder = s.current, s.avengers_tile
    if s.avengers[me] < AVENGERS_NEEDED or holder == me:
        return
    if holder != NOBODY:
        if s.avengers[me] <= s.avengers[holder]:
            return
        s.points[holder] -= AVENGERS_POINTS
    s.points[me] += AVENGERS_POINTS
    s.avengers_tile = me
    emit(s, Event.AVENGERS, NO_ONE, me, holder, s.avengers[me])


# -- SM-22: locations


@compiled
def _locations_reached(s: SplendorState) -> tuple[int, int]:
    """How many locations one's bonuses cover, and the last of them."""
    reached, covered = 0, wide(NO_LOCATION)
    if s.n_cards[s.current] < FEWEST_BONUSES:  # in most turns there is no need to check the tiles
        return reached, covered
    bonuses = bonuses_of(s, s.current)
    for place in range(s.players):
        location = wide(s.locations[place])
        if location != NO_LOCATION and shortfall(PACKED_LOCATION_COST[location], bonuses) == 0:
            reached += 1
            covered = location
    return reached, covered


@compiled
def list_locations(s: SplendorState, out: Numbers) -> int:
    """The locations to choose from, in ascending order."""
    n = 0
    bonuses = bonuses_of(s, s.current)
    for location in range(LOCATION_COUNT):
        for place in range(s.players):
            if s.locations[place] == location and shortfall(PACKED_LOCATION_COST[location], bonuses) == 0:
                out[n] = VISIT + location
                n += 1
    return n


@compiled
def visit(s: SplendorState, location: int) -> None:
    """One of several locations is chosen."""
    _take_location(s, location)
    count_tokens(s)


@compiled
def _take_location(s: SplendorState, location: int) -> None:
    for place in range(s.players):
        if s.locations[place] == location:
            s.locations[place] = NO_LOCATION
    s.points[s.current] += LOCATION_POINTS
    s.visited[s.n_visited], s.visited_by[s.n_visited] = location, s.current
    s.n_visited += 1
    emit(s, Event.VISITED, NO_ONE, s.current, location)


# -- SM-23: at most ten tokens


@compiled
def count_tokens(s: SplendorState) -> None:
    held = 0
    for token in range(TOKEN_COUNT):
        held += s.tokens[s.current, token]
    if held > MOST_TOKENS:
        s.step = Step.RETURN
    else:
        _finish_turn(s)


@compiled
def give_back(s: SplendorState, token: int) -> None:
    s.tokens[s.current, token] -= 1
    s.bank[token] += 1
    emit(s, Event.RETURNED, NO_ONE, s.current, token)
    count_tokens(s)


# -- the end of a round


@compiled
def _finish_turn(s: SplendorState) -> None:
    if s.quiet == 0 and meets_condition(s, s.current):
        emit(s, Event.GAUNTLET, NO_ONE, s.current, s.points[s.current])
    following = next_seat(s, s.current)
    if following == s.first and _is_over_after_round(s):
        return
    begin_turn(s, following)


@compiled
def meets_condition(s: SplendorState, seat: int) -> bool:
    """SM-30: 16 points, a bonus of each colour, and the Time Stone."""
    if s.points[seat] < POINTS_NEEDED or s.tokens[seat, GREEN] == 0:
        return False
    for colour in range(COLOUR_COUNT):
        if s.bonuses[seat, colour] == 0:
            return False
    return True


@compiled
def _is_over_after_round(s: SplendorState) -> bool:
    """All have had equally many turns (SM-31): does anybody win, and if not, does the game end without a winner?

    A seat gets points only in its own turns, so a player who meets the condition now met it at the end of a turn of
    this round; a player who lost it with the Avengers tile does not count (SM-32).
    """
    winners = _winners(s)
    if winners != 0:
        _end(s, winners, Reason.GAUNTLET)
    elif s.passes == s.players:
        _end(s, winners, Reason.ALL_PASSED)  # SM-35
    elif s.round_number == LAST_ROUND:
        _end(s, winners, Reason.LAST_ROUND)  # SM-36
    else:
        s.round_number += 1
        s.passes = 0
        return False
    return True


@compiled
def _winners(s: SplendorState) -> int:
    """SM-33: most points, then the Avengers tile, then the fewest cards, then a shared win; one bit per seat."""
    winners, best = 0, 0
    for seat in range(s.players):
        if meets_condition(s, seat):
            # One number that sorts like the three, because no tableau has 100 cards.
            rank = (s.points[seat] * 2 + (s.avengers_tile == seat)) * 100 + 99 - s.n_cards[seat]
            if rank > best:
                winners, best = 0, rank
            if rank == best:
                winners |= 1 << seat
    return winners


@compiled
def _end(s: SplendorState, winners: int, reason: int) -> None:
    s.step = Step.OVER
    end_game(s, winners, reason)
    emit(s, Event.OVER, NO_ONE, winners, reason)
