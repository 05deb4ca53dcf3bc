"""Every game passes the conformance suite, and the suite finds planted faults."""

from dataclasses import replace
from typing import Any

import pytest

import tavolino
from tavolino.engine.meta import OneAgainstAll
from tavolino.engine.payoffs import shared_payoff
from tavolino.engine.testing import check_game
from tests.sampling import few_or_many

GAMES_IN_PLAIN_PYTHON = 1


@pytest.mark.plain
def test_every_game_conforms(game: tavolino.Game) -> None:
    from tavolino.engine.compiled import IS_PLAIN

    if IS_PLAIN:  # a notebook can take a third of a second there; tests/beliefs/test_notebook.py has some in this mode
        check_game(replace(game, notebook=lambda s, viewer: {}), games=GAMES_IN_PLAIN_PYTHON)
    else:
        check_game(game, games=few_or_many(1, 3))


def with_view(game: tavolino.Game, **extra: Any) -> tavolino.Game:
    """The same game with something added to its views."""
    shown = game.view
    return replace(game, view=lambda s, viewer: {**shown(s, viewer), **{key: read(s) for key, read in extra.items()}})


@pytest.mark.parametrize(
    ("name", "leak"),
    [
        ("mantis", lambda s: s.top),
        ("mantis", lambda s: s.key),
        ("splendor-marvel", lambda s: s.key),
        ("infinity-gauntlet", lambda s: s.key),
        ("infinity-gauntlet", lambda s: s.blocks),
    ],
)
def test_a_planted_leak_is_caught(name: str, leak: Any) -> None:
    with pytest.raises(AssertionError, match="can tell a resampled world"):
        check_game(with_view(tavolino.load(name), leak=leak), games=1)


def test_a_game_that_does_not_end_in_time_is_caught() -> None:
    endless = replace(tavolino.load("mantis"), most_decisions=lambda players: 5)
    with pytest.raises(AssertionError, match="did not end"):
        check_game(endless, games=1)


def test_a_team_game_whose_record_does_not_say_who_is_alone_is_caught() -> None:
    game = tavolino.load("mantis")
    meta = replace(game.meta, teams=OneAgainstAll("loner", "one", "others"))
    with pytest.raises(AssertionError, match="no field `loner`"):
        check_game(replace(game, meta=meta, payoff=shared_payoff), games=1)
