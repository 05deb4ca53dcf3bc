"""A bot gets what a seat gets: in two worlds that its seat cannot tell apart it makes the same choice, always."""

import random
from collections.abc import Callable

import pytest

import tavolino
from tavolino.bots import LEVELS, Bot, SeatDoor, make_bot
from tavolino.engine.match import Match

# The fields of a record in which worlds must differ: every kind of hidden card of the game.
HIDDEN = {
    "mantis": {"top", "pile"},
    "splendor-marvel": {"reserved", "pool"},
    "infinity-gauntlet": {"hand", "deck"},
}
PLAYERS = {"mantis": (2, 4), "splendor-marvel": (2, 4), "infinity-gauntlet": (2, 4)}
ITERATIONS = 40


class Peeper:
    """A bot that reads one hidden field of the true state behind the door, and lets it decide."""

    def __init__(self, field: str):
        self._field = field

    def choose(self, door: SeatDoor) -> str:
        legal = door.legal()
        secret = door._match._states[0][self._field].tobytes()
        return legal[sum((at + 1) * byte for at, byte in enumerate(secret)) % len(legal)]


def positions(game: str, players: int, games: int) -> list[Match]:
    """Positions with a choice, from games in which secrets pile up: half medium, half random moves."""
    found = []
    for number in range(games):
        chance = random.Random(f"{game} {players} {number}")
        match = tavolino.load(game).start(players, f"fair {number}")
        habit = make_bot("medium", game, number)
        while match.to_act is not None:
            if len(match.legal()) > 1 and chance.random() < 0.3:
                found.append(match.clone())
            by_habit = chance.random() < 0.5
            match.play(habit.choose(SeatDoor(match, match.to_act)) if by_habit else chance.choice(match.legal()))
            if len(found) > 12 * (number + 1):
                break
    return found


def check_pairs(matches: list[Match], make: Callable[[], Bot]) -> set[str]:
    """Fail at the first pair of worlds in which the bot chooses differently; says in which fields worlds differed."""
    differing: set[str] = set()
    for number, match in enumerate(matches):
        seat = match.to_act
        assert seat is not None
        other = match.resample(seat, f"other world {number}")
        one, two = match._states[0], other._states[0]
        differing |= {name for name in match.game.record.names or () if one[name].tobytes() != two[name].tobytes()}
        here, there = make().choose(SeatDoor(match, seat)), make().choose(SeatDoor(other, seat))
        assert here in match.legal()
        assert here == there, f"{here!r} in the true world, {there!r} in one that seat {seat} cannot tell from it"
    return differing


@pytest.mark.parametrize("game", HIDDEN)
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_chooses_alike_in_worlds_its_seat_cannot_tell_apart(game: str, level: str) -> None:
    differing: set[str] = set()
    for players in PLAYERS[game]:
        seeds = iter(range(10_000))
        matches = positions(game, players, 2)
        for match in matches:
            seed = next(seeds)
            differing |= check_pairs([match], lambda seed=seed: make_bot(level, game, seed, iterations=ITERATIONS))
    assert differing >= HIDDEN[game], "the worlds did not differ in every kind of hidden card: the test is too weak"


@pytest.mark.parametrize(("game", "field"), [(game, field) for game in HIDDEN for field in sorted(HIDDEN[game])])
def test_a_bot_that_peeks_is_caught(game: str, field: str) -> None:
    matches = [match for players in PLAYERS[game] for match in positions(game, players, 2)]
    with pytest.raises(AssertionError, match="cannot tell from it"):
        check_pairs(matches, lambda: Peeper(field))


@pytest.mark.parametrize("game", HIDDEN)
def test_a_world_in_a_contest_is_drawn_for_the_seat_that_decides(game: str) -> None:
    """Compiled contests and bots at a table use the same door: the door's world holds nothing of the truth."""
    for match in positions(game, 4, 1):
        assert match.to_act is not None
        here = SeatDoor(match, match.to_act).resample(5)
        there = SeatDoor(match.resample(match.to_act, 9), match.to_act).resample(5)
        assert here._states.tobytes() == there._states.tobytes()
