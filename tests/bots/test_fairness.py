"""A bot knows only what its seat knows: in two worlds that the seat cannot tell apart it makes the same choice."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino.bots import LEVELS, Bot, SeatMatch, make_bot
from tavolino.engine.match import Match

Secret = Callable[[Any], tuple[int, ...]]


def undrawn(level: int) -> Secret:
    """Splendor: Marvel: which cards of a level are still to come, whatever way they lie."""
    return lambda row: tuple(sorted(row["pool"][level, : row["pool_size"][level]].tolist()))


# Every kind of hidden card of a game, as it is read from a record. Worlds must differ in each of them.
HIDDEN: dict[str, dict[str, Secret]] = {
    "mantis": {
        "the card on top": lambda row: (int(row["top"]),),
        "the cards below": lambda row: tuple(sorted(row["pile"][: row["pile_size"]].tolist())),
    },
    "splendor-marvel": {
        "cards reserved blindly": lambda row: tuple(row["reserved"].ravel().tolist()),
        "the deck of level 1": undrawn(0),
        "the deck of level 2": undrawn(1),
        "the deck of level 3": undrawn(2),
    },
    "infinity-gauntlet": {
        "the hand of Thanos": lambda row: tuple(row["hand"][row["thanos"]].tolist()),
        "the hands of heroes": lambda row: tuple(np.delete(row["hand"], row["thanos"], 0).ravel().tolist()),
        "the hero deck": lambda row: tuple(row["deck"][0].tolist()),
        "the deck of Thanos": lambda row: tuple(row["deck"][1].tolist()),
    },
}
PLAYERS = {"mantis": (2, 4), "splendor-marvel": (2, 4), "infinity-gauntlet": (2, 4)}
ITERATIONS = 40


class CheatingBot:
    """A cheating bot: it reads one kind of hidden card in the true state and chooses by it."""

    def __init__(self, secret: Secret):
        self._secret = secret

    def choose(self, match: SeatMatch) -> str:
        legal = match.legal()
        cards = self._secret(match._match._states[0])
        return legal[sum((at + 1) * card for at, card in enumerate(cards)) % len(legal)]


def positions(game: str, players: int, games: int) -> list[Match]:
    """Positions with a choice, from games with many hidden cards: half medium, half random moves."""
    found = []
    for number in range(games):
        chance = random.Random(f"{game} {players} {number}")
        match = tavolino.load(game).start(players, f"fair {number}")
        medium = make_bot("medium", game, number)
        while match.to_act is not None:
            if len(match.legal()) > 1 and chance.random() < 0.3:
                found.append(match.clone())
            if chance.random() < 0.5:
                match.play(medium.choose(SeatMatch(match, match.to_act)))
            else:  # prefer a secret choice, so that there are secrets of every level
                blind = [action for action in match.legal() if action.startswith("reserve level-")]
                match.play(chance.choice(blind or match.legal()))
            if len(found) > 12 * (number + 1):
                break
    return found


def check_pairs(matches: list[Match], make: Callable[[], Bot]) -> set[str]:
    """Fail at the first pair of worlds in which the bot chooses differently; returns which hidden cards differed."""
    differing: set[str] = set()
    for number, match in enumerate(matches):
        seat = match.to_act
        assert seat is not None
        other = match.resample(seat, f"other world {number}")
        one, two = match._states[0], other._states[0]
        differing |= {kind for kind, read in HIDDEN[match.game.name].items() if read(one) != read(two)}
        here, there = make().choose(SeatMatch(match, seat)), make().choose(SeatMatch(other, seat))
        assert here in match.legal()
        assert here == there, f"{here!r} in the true world, {there!r} in one that seat {seat} cannot tell from it"
    return differing


@pytest.mark.parametrize("game", HIDDEN)
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_chooses_alike_in_worlds_its_seat_cannot_tell_apart(game: str, level: str) -> None:
    differing: set[str] = set()
    for players in PLAYERS[game]:
        for seed, match in enumerate(positions(game, players, 2)):
            differing |= check_pairs([match], partial(make_bot, level, game, seed, iterations=ITERATIONS))
    assert differing == set(HIDDEN[game]), "worlds must differ in every kind of hidden card, or the test is too weak"


@pytest.mark.parametrize(("game", "kind"), [(game, kind) for game, kinds in HIDDEN.items() for kind in kinds])
def test_a_bot_that_peeks_is_caught(game: str, kind: str) -> None:
    matches = [match for players in PLAYERS[game] for match in positions(game, players, 2)]
    with pytest.raises(AssertionError, match="cannot tell from it"):
        check_pairs(matches, lambda: CheatingBot(HIDDEN[game][kind]))


@pytest.mark.parametrize("game", HIDDEN)
def test_a_world_in_a_contest_is_drawn_for_the_seat_that_decides(game: str) -> None:
    """Compiled contests and bots at a table use the same match: its world contains nothing of the true deal."""
    for match in positions(game, 4, 1):
        assert match.to_act is not None
        here = SeatMatch(match, match.to_act).resample(5)
        there = SeatMatch(match.resample(match.to_act, 9), match.to_act).resample(5)
        assert here._states.tobytes() == there._states.tobytes()
