"""The benchmark of agents: the same deals for all, paired differences, and one sentence for what goes wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavolino.bots import SeatMatch
from tavolino.cli import main
from tavolino.coach.intervals import of_differences
from tavolino.engine.game import Game
from tavolino.games import meta_of
from tavolino.lab import evaluate as evaluating
from tavolino.lab.evaluate import Benchmark, evaluate, sittings, table_row
from tavolino.lab.own_bots import BotFailed

SMALL = Benchmark("random", "mantis", 2, ("easy",), deals=6)
dealt: list[Any] = []


class Watcher:
    """Plays the first action, and writes down what it sees first."""

    def __init__(self, game: str, seed: int):
        self.is_new = True

    def choose(self, match: SeatMatch) -> str:
        if self.is_new:
            dealt.append((match.seat, match.view()["log"][0]))
            self.is_new = False
        return match.legal()[0]


class Unable:
    def __init__(self, game: str, seed: int):
        pass

    def choose(self, match: SeatMatch) -> str:
        raise RuntimeError("the weights are missing\nsecond line")


class Illegal(Unable):
    def choose(self, match: SeatMatch) -> str:
        return "win"


class Unmade:
    def __init__(self, game: str, seed: int):
        raise OSError("no weights")

    def choose(self, match: SeatMatch) -> str:
        return ""


class Argumentless:
    def choose(self, match: SeatMatch) -> str:
        return match.legal()[0]


def agent(kind: type) -> str:
    return f"{__name__}:{kind.__name__}"


def test_an_agent_plays_every_deal_in_every_seat_or_side(game: Game) -> None:
    benchmark = Benchmark("random", game.name, 3, ("easy",), deals=2)
    seats = [sorted(sitting.seats) for sitting in sittings(benchmark)]
    assert seats == ([[0], [1], [2]] if meta_of(game.name).teams is None else [[0], [1, 2]])
    figures = evaluate(benchmark)
    assert figures["games"] == 2 * len(seats)
    assert figures["rules"] == game.rules
    assert len(figures["results"][0]["shares"]) == 2


def test_the_deals_do_not_depend_on_who_plays() -> None:
    """The reference in place of an agent plays the very same games."""
    for level in ("easy", "medium", "random"):
        result = evaluate(replace(SMALL, agent="medium", opponents=(level,)))["results"][0]
        assert result["difference"] == 0
        assert result["difference_low"] == -result["difference_high"] < -0.3, "a few equal results are no certainty"
        assert result["share"] == result["reference_share"]
    dealt.clear()
    for level in ("easy", "random"):
        evaluate(replace(SMALL, agent=agent(Watcher), opponents=(level,)))
    half = len(dealt) // 2
    assert half == 2 * SMALL.deals
    assert dealt[:half] == dealt[half:]


def test_the_interval_is_that_of_the_paired_differences() -> None:
    result = evaluate(SMALL)["results"][0]
    reference = evaluate(replace(SMALL, agent="medium"))["results"][0]
    apart = np.array(result["shares"]) - np.array(reference["shares"])
    assert result["difference"] == pytest.approx(apart.mean())
    assert (result["difference_low"], result["difference_high"]) == of_differences(apart)
    assert result["reference_share"] == reference["share"]


@pytest.mark.slow
def test_the_figures_are_the_same_with_several_workers() -> None:
    benchmark = Benchmark("easy", "infinity-gauntlet", 3, deals=12)
    assert evaluate(benchmark, workers=2) == evaluate(benchmark)


@pytest.mark.parametrize(
    "change",
    [
        {"players": 9},
        {"deals": 1},
        {"opponents": ()},
        {"opponents": ("nobody",)},
        {"agent": "nobody"},
        {"agent": "tests.lab:Nothing"},
        {"options": {"icons": 4}},
    ],
)
def test_what_cannot_be_played_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        evaluate(replace(SMALL, **change))


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Unable, r"failed in deal 0, seat 0: RuntimeError: the weights are missing \(test_evaluate.py, line \d+\)\."),
        (Illegal, r"chose 'win' in deal 0, seat 0, which is not a legal action\."),
        (Unmade, r"cannot be made: OSError: no weights \(test_evaluate.py, line \d+\)\."),
        (Argumentless, r"cannot be made: TypeError: Argumentless\(\) takes no arguments\."),
    ],
)
def test_an_agent_that_fails_is_named(kind: type, sentence: str) -> None:
    with pytest.raises(BotFailed) as failure:
        evaluate(replace(SMALL, agent=agent(kind)))
    assert re.fullmatch(f"{agent(kind)} {sentence}", str(failure.value))


def test_the_command_prints_the_row(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["evaluate", "random", "mantis", "--players", "2", "--deals", "6", "--opponents", "easy"]
    assert main(words) == 0
    *_, row = capsys.readouterr().out.splitlines()
    assert row == f"| {' | '.join(table_row(evaluate(SMALL)))} |"
    assert main(["evaluate", "nobody", "mantis"]) == 2
    assert main(["evaluate", agent(Unable), "mantis", "--players", "2", "--deals", "2"]) == 1
    assert "failed in deal 0" in capsys.readouterr().err
    assert evaluating.PROTOCOL == 1


def test_the_page_of_benchmarks_has_this_row() -> None:
    """The cheapest row, computed anew: another one means that deals, bots or rules have changed."""
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text("utf-8")
    row = f"| {' | '.join(table_row(evaluate(Benchmark('random', 'mantis', 2))))} |"
    assert row in page.splitlines()
