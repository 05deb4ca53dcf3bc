"""The arena: mirrored deals, correct intervals, the same figures from every executor, and bots of other packages."""

import json
import re
import sys
from pathlib import Path

import pytest

import tavolino
from tavolino.bots.contest import Contest, Contestant, ContestGame
from tavolino.cli.commands import run
from tavolino.coach.intervals import over_deals
from tavolino.lab import executors
from tavolino.lab.arena import arena, deals_for
from tavolino.lab.matches import Plan
from tavolino.lab.seatings import seatings
from tavolino.lab.workers import fitting_workers

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "write-a-bot.md"


def test_everybody_sits_everywhere_in_every_deal() -> None:
    seated = [seating.players for seating in seatings("mantis", ["hard", "easy"], 4, {})]
    assert seated == [(0, 1, 0, 1), (1, 0, 1, 0), (0, 1, 0, 1), (1, 0, 1, 0)]
    alone = seatings("mantis", ["hard", "easy", "easy"], 3, {})
    assert [seating.players.index(0) for seating in alone] == [0, 1, 2]


def test_in_infinity_gauntlet_everybody_is_thanos_against_everybody() -> None:
    found = seatings("infinity-gauntlet", ["hard", "easy"], 3, {"thanos": 1})
    assert [(seating.players, seating.options["thanos"]) for seating in found] == [
        ((0, 0, 0), 1),
        ((1, 0, 1), 1),
        ((0, 1, 0), 1),
        ((1, 1, 1), 1),
    ]
    assert found[1].sides == (("hard as Thanos", (1,)), ("easy as heroes", (0, 2)))


def test_a_deal_is_the_same_whoever_sits_where() -> None:
    """Two players of one kind who change seats play the same game; another deal is another game."""
    contest = Contest("mantis", [Contestant("medium"), Contestant("medium")])
    straight = contest.play([ContestGame(deal, (0, 1), {}) for deal in range(20)], seed=5).outcomes
    crossed = contest.play([ContestGame(deal, (1, 0), {}) for deal in range(20)], seed=5).outcomes
    assert (straight == crossed).all()
    assert len({tuple(row) for row in straight.tolist()}) > 10


@pytest.mark.slow
def test_medium_beats_random_outside_the_interval_of_even() -> None:
    for game in tavolino.games():
        figures = arena(deals_for(Plan(game, 2, ("medium", "random"), 1, "steps"), 400))
        rows = {row["bot"]: row for row in figures["standings"]}
        teams = tavolino.load(game).meta.teams
        if teams is not None:
            for side in (teams.one, teams.others):
                assert rows[f"medium as {side}"]["low"] > rows[f"random as {side}"]["high"]
        else:
            assert rows["medium"]["low"] > rows["medium"]["even"] == 0.5
            assert figures["standings"][0]["bot"] == "medium", "sorted by rating"


@pytest.mark.slow
def test_the_same_figures_from_one_process_and_from_two() -> None:
    plan = Plan("mantis", 3, ("medium", "easy", "random"), 60, "workers")
    alone, two = arena(plan), arena(plan, workers=2)
    for figures in (alone, two):
        figures.pop("seconds")
    assert alone == two


@pytest.mark.long  # tests/lab/test_ray_cluster.py has it with two nodes
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_the_same_figures_from_a_ray_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.delenv("RAY_AUTH_TOKEN_PATH", raising=False)
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    plan = Plan("mantis", 2, ("medium", "random"), 20, "ray")
    near, far = arena(plan), arena(plan, ray="local")
    for figures in (near, far):
        figures.pop("seconds")
    assert near == far


def test_ctrl_c_keeps_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "LARGEST_CHUNK", 5)

    def stop_after_ten(deals: int) -> None:
        if deals >= 10:
            raise KeyboardInterrupt

    figures = arena(Plan("mantis", 2, ("medium", "random"), 1000, "stop"), progress=stop_after_ten)
    assert figures["stopped"]
    assert 10 <= figures["deals"] < 20
    assert figures["games"] == 2 * figures["deals"]
    assert figures["standings"]


def test_an_interval_counts_deals_and_is_never_narrower_than_wilsons() -> None:
    by_deal = [1.0, 0.0] * 50
    low, high = over_deals(by_deal, 400)  # four games of a deal with the same result count as one observation
    assert low < 0.41
    assert high > 0.59
    low, high = over_deals([1.0] * 20, 20)
    assert 0.8 < low < 0.9
    assert high == 1.0


def test_what_cannot_be_played_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words, sentence in (
        (["mantis", "--bots", "godlike"], "module:Class"),
        (["mantis", "--bots", "no_such_module:Bot"], "cannot be loaded"),
        (["mantis", "--bots", "random,easy,medium", "--players", "2"], "do not fit"),
        (["mantis", "--bots", ""], "at least one bot"),
        (["mantis", "--bots", ","], "at least one bot"),
        (["mantis", "--bots", "os:getcwd"], "os:getcwd is not a bot"),
        (["mantis", "--bots", "fractions:Fraction"], "is not a bot"),
        (["mantis", "--bots", ":Bot"], "cannot be loaded"),
        (["mantis", "--players", "9"], "2 to 6"),
        (["mantis", "--players", "0"], "2 to 6"),
        (["mantis", "--option", "icons=7"], "icons"),
        (["chess"], "There is no game"),
    ):
        assert run(["arena", *words]) == 2, words
        assert sentence in capsys.readouterr().err


BROKEN = """
class Breaks:
    def __init__(self, game, seed):
        pass

    def choose(self, match):
        raise RuntimeError("broken")


class Dances(Breaks):
    def choose(self, match):
        return "dance"
"""


def test_a_bot_that_fails_is_named_with_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken_bots.py").write_text(BROKEN, "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name, sentence in (
        ("Breaks", "broken_bots:Breaks failed in deal 0, seat 0: RuntimeError: broken (broken_bots.py, line 7)."),
        ("Dances", "broken_bots:Dances chose 'dance' in deal 0, seat 0, which is not a legal action."),
    ):
        assert run(["arena", "mantis", "--bots", f"broken_bots:{name},random", "--players", "2"]) == 1
        assert capsys.readouterr().err.strip() == f"tavolino: {sentence}"


@pytest.mark.parametrize("name", ["x.gif", "x.jpg", "x"])
def test_a_plot_of_another_kind_is_refused_before_anything_is_played(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tavolino.lab.arena.play_all", None)
    assert run(["arena", "mantis", "--bots", "random", "--plot", name]) == 2
    assert ".png or .svg" in capsys.readouterr().err


def test_no_more_workers_than_chunks_or_than_the_machine_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    assert fitting_workers(3, 100) == 3
    assert fitting_workers(5000, 2) == 2
    assert fitting_workers(5000, 10_000) == 8
    assert fitting_workers(1, 0) == 1


@pytest.mark.slow
def test_the_bot_of_the_guide_plays_in_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = re.search(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.S)
    command = re.search(r"\$ tavolino (arena .*)", GUIDE.read_text("utf-8"))
    ladder = re.search(r"\$ tavolino (tournament .*)", GUIDE.read_text("utf-8"))
    assert code is not None
    assert command is not None
    assert ladder is not None
    lines = [line for line in code[1].splitlines() if line.strip()]
    assert len(lines) <= 25, "the guide's bot stays small"
    (tmp_path / "my_bot.py").write_text(code[1], "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "my_bot", raising=False)
    assert run([*command[1].split(), "--json", "figures.json", "--plot", "arena.svg"]) == 0
    figures = json.loads(Path("figures.json").read_text("utf-8"))
    assert figures["games"] == 20
    assert figures["standings"][0]["bot"] == "my_bot:Rollouts"
    assert run(ladder[1].split()) == 0
    assert len(list(Path("games").iterdir())) == 40
    assert "<svg" in Path("arena.svg").read_text("utf-8")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "openskill", None)
    assert run(["arena", "mantis", "--bots", "random", "--players", "2", "--games", "2"]) == 1
    assert "the extra `lab` brings it" in capsys.readouterr().err
