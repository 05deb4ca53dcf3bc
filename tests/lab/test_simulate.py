"""Simulation: the same figures for any number of workers, and correct figures."""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino.coach.intervals import wilson
from tavolino.engine.batches import Batch, stream_seed
from tavolino.lab import simulate as lab
from tavolino.lab.simulate import Plan, simulate


def without_the_clock(figures: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in figures.items() if key not in {"seconds", "workers"}}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_figures_for_any_number_of_workers(game: tavolino.Game) -> None:
    figures = [
        without_the_clock(simulate(Plan(game.name, 3, 1500, "a seed", workers=workers))) for workers in (1, 2, 3)
    ]
    assert figures[0] == figures[1] == figures[2]
    assert figures[0]["games"] == 1500
    assert without_the_clock(simulate(Plan(game.name, 3, 1500, "another"))) != figures[0]


def test_the_size_of_chunks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = without_the_clock(simulate(Plan("mantis", 4, 1000, 7)))
    monkeypatch.setattr(lab, "LARGEST_CHUNK", 37)
    monkeypatch.setattr(lab, "FIRST_CHUNK", 1)
    assert without_the_clock(simulate(Plan("mantis", 4, 1000, 7))) == whole


def test_the_figures_are_those_of_the_games() -> None:
    figures = simulate(Plan("mantis", 4, 300, "count"))
    outcomes = Batch(tavolino.load("mantis"), 4).play(0, 300, stream_seed("count"))
    assert figures["decisions"] == int(outcomes[:, 2].sum())
    assert figures["length"] == {
        "mean": float(outcomes[:, 2].mean()),
        "shortest": int(outcomes[:, 2].min()),
        "longest": int(outcomes[:, 2].max()),
    }
    wins = Counter(seat for winners in outcomes[:, 0].tolist() for seat in range(4) if winners >> seat & 1)
    assert [row["games"] for row in figures["wins"]] == [wins[seat] for seat in range(4)]
    shared = sum(bin(winners).count("1") > 1 for winners in outcomes[:, 0].tolist())
    assert figures["shared_wins"] == shared
    assert sum(row["games"] for row in figures["reasons"].values()) == 300


def test_progress_only_grows_and_reaches_the_end() -> None:
    reports: list[int] = []
    simulate(Plan("mantis", 2, 5000, 1), reports.append)
    assert reports == sorted(reports)
    assert reports[-1] == 5000


@pytest.mark.parametrize("change", [{"players": 9}, {"games": 0}, {"workers": 0}, {"options": {"icons": 2}}])
def test_a_plan_that_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\."):
        simulate(Plan(**{"game": "mantis", "players": 4, "games": 10, "seed": 0, **change}))


def test_wilsons_interval() -> None:
    """Against published figures (Newcombe 1998, table I, method 3, without continuity correction)."""
    for successes, games, low, high in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]:
        assert np.allclose(wilson(successes, games), (low, high), atol=5e-5)
    assert wilson(29, 29)[1] == 1.0
    assert wilson(0, 0) == (0.0, 1.0)


def test_numpys_whole_numbers_are_numbers(game: tavolino.Game) -> None:
    three: Any = np.int64(3)
    five: Any = np.int64(5)
    match = game.start(players=three, seed=five)
    assert match.hash() == game.start(3, 5).hash()
    assert json.loads(json.dumps(match.record()))["seed"] == 5
    with pytest.raises(ValueError, match="at most 1000 digits"):
        game.start(3, 10**5000)
    for odd in (np.bool_(True), np.array([1, 2]), 1.0):
        with pytest.raises(ValueError, match="A seed is"):
            game.start(3, odd)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="players, not"):
            game.start(odd, 1)  # type: ignore[arg-type]
