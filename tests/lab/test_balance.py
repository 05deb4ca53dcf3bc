"""Balance: figures by seat and side, lengths, ends, choices, varied options, and their plots."""

import json
from pathlib import Path

import pytest

from tavolino.cli.commands import run
from tavolino.lab.balance import Question, balance


def test_shares_of_all_seats_make_a_whole() -> None:
    figures = balance(Question("mantis", "medium", (2, 3), 200, "seats"))
    assert [table["players"] for table in figures["tables"]] == [2, 3]
    for table in figures["tables"]:
        assert table["games"] == 200
        assert sum(row["share"] for row in table["wins"]) == pytest.approx(1.0)
        assert sum(table["reasons"].values()) == pytest.approx(1.0)
        length = table["length"]
        assert length["shortest"] <= length["median"] <= length["longest"]


def test_choices_are_counted_and_credited_to_winners() -> None:
    figures = balance(Question("mantis", "medium", (2,), 100, "choices"))
    choices = {row["action"]: row for row in figures["actions"]}
    assert set(choices) == {"score", "steal 0", "steal 1", "end-turn"}
    decisions = figures["tables"][0]["length"]["mean"]
    assert sum(row["per_game"] for row in choices.values()) == pytest.approx(decisions)
    assert all(0 < row["won"] < 1 for row in choices.values())


def test_more_life_helps_thanos() -> None:
    question = Question("infinity-gauntlet", "medium", (3,), 300, "life", vary=("thanos_life", (2, 12)))
    figures = balance(question)
    few, many = figures["varied"]
    assert (few["option"], few["who"]) == ("thanos_life", "Thanos")
    assert (few["value"], many["value"]) == (2, 12)
    assert few["high"] < many["low"]
    assert [row["who"] for row in figures["tables"][0]["wins"]] == ["Thanos", "heroes"]


def test_any_option_of_any_game_can_be_varied() -> None:
    figures = balance(Question("mantis", "random", (3,), 50, "vary", vary=("icons", (True, False))))
    assert [(row["value"], row["who"]) for row in figures["varied"]] == [(True, "seat 0"), (False, "seat 0")]


def test_the_command_writes_plots_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["balance", "infinity-gauntlet", "--players", "2", "--games", "40", "--vary", "thanos_life=3,5"]
    assert run([*words, "--plots", str(tmp_path), "--json", str(tmp_path / "figures.json")]) == 0
    assert "Thanos" in capsys.readouterr().out
    figures = json.loads((tmp_path / "figures.json").read_text("utf-8"))
    assert len(figures["varied"]) == 2
    drawings = ("seats", "choices", "thanos-life")
    names = {f"balance-infinity-gauntlet-{what}.{end}" for what in drawings for end in ("png", "svg")}
    assert names <= {path.name for path in tmp_path.iterdir()}
    assert (tmp_path / "balance-infinity-gauntlet-seats.png").read_bytes()[:4] == b"\x89PNG"


def test_wrong_use_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for varied, sentence in (
        ("tea=1,2", "There is no option 'tea'"),
        ("first=0,9", "a seat from 0 to 1"),
        ("first", "NAME=VALUE,VALUE"),
        ("first=", "NAME=VALUE,VALUE"),
        ("first=a,b", "NAME=VALUE,VALUE"),
    ):
        assert run(["balance", "mantis", "--vary", varied]) == 2
        assert sentence in capsys.readouterr().err
    assert run(["balance", "mantis", "--players", "two"]) == 2
    assert run(["balance", "mantis", "--level", "godlike"]) == 2
