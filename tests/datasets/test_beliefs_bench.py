"""The benchmark of beliefs: prompts hold what a seat has read, and answers are scored against what follows from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavolino.cli import main
from tavolino.coach.beliefs import beliefs_of
from tavolino.datasets import beliefs_bench
from tavolino.datasets.beliefs_bench import BadAnswers, BeliefsBench, ask, prompt, prompts, questions, score
from tavolino.engine.game import Game

BENCH = BeliefsBench("splendor-marvel", 2, 3)


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beliefs_bench, "WORLDS", 40)


def ours(bench: BeliefsBench) -> dict[str, Any]:
    """Our own beliefs as somebody would answer."""
    beliefs = beliefs_of(bench.game)
    answers: dict[str, Any] = {}
    for number, question in enumerate(questions(bench)):
        answers[str(number)] = {}
        for place in question.places:
            row = question.belief.table[place] / question.belief.table[place].sum()
            chances = {card: float(chance) for card, chance in zip(beliefs.cards, row, strict=True) if chance}
            answers[str(number)][beliefs.places[place]] = chances
    return answers


def test_worlds_that_a_seat_cannot_tell_apart_give_the_same_prompt(game: Game) -> None:
    for number, question in enumerate(questions(BeliefsBench(game.name, 3, 3))):
        match, seat = question.match, question.seat
        told = {
            json.dumps(prompt(ask(each, seat), str(number), "en"))
            for each in (match, match.resample(seat, 1), match.resample(seat, 2))
        }
        assert len(told) == 1


def test_prompts_are_those_that_are_scored(game: Game) -> None:
    bench = BeliefsBench(game.name, 2, 3)
    asked = prompts(bench)
    assert [each["id"] for each in asked["prompts"]] == ["0", "1", "2"]
    for each, question in zip(asked["prompts"], questions(bench), strict=True):
        assert each["text"].endswith(question.match.text(question.seat))
        assert each["places"] == [beliefs_of(game.name).places[place] for place in question.places]
        assert each["places"]
    figures = score(bench, ours(bench))
    assert figures["bits"]["answers"]["mean"] == pytest.approx(figures["bits"]["ours"]["mean"])
    assert figures["more_than_ours"]["mean"] == pytest.approx(0)
    assert figures["bits"]["uniform"]["mean"] > figures["bits"]["ours"]["mean"]
    assert figures["counted"] == sum(each.belief.is_exact for each in questions(bench))
    assert figures["counted"] == 3 or game.name == "infinity-gauntlet", "there some positions are too large"


def test_a_loss_is_the_expected_surprise_in_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    half, even = np.array([0.5, 0.5, 0, 0]), np.full(4, 0.25)
    assert beliefs_bench._loss(half, even) == pytest.approx(2)
    assert 7 < beliefs_bench._loss(half, np.array([0, 0, 1.0, 0])) < 9, "a wrong answer costs much, not everything"
    monkeypatch.setattr(beliefs_bench, "FLOOR", 0)
    assert beliefs_bench._loss(half, half) == pytest.approx(1)


def test_what_differs_from_ours_costs_more() -> None:
    answers = ours(BENCH)
    for places in answers.values():
        for place, chances in places.items():
            places[place] = {next(iter(chances)): 1}
    assert score(BENCH, answers)["more_than_ours"]["low"] > 0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda all_: all_.pop("1"), "Prompt 1 has no answer"),
        (lambda all_: all_.update({"7": {}}), "There is no prompt '7'"),
        (lambda all_: all_["0"].update({"sleeve": {}}), "the place 'sleeve', which was not asked"),
        (lambda all_: all_["0"].pop("deck level-1"), "place 'deck level-1', is missing"),
        (lambda all_: all_["0"].update({"deck level-1": {"joker": 1}}), "names 'joker'"),
        (lambda all_: all_["0"].update({"deck level-1": {"vision": 2}}), "the chance 2"),
        (lambda all_: all_["0"].update({"deck level-1": {"vision": 0.5}}), "adds up to 0.500"),
        (lambda all_: all_["0"].update({"deck level-1": {"vision": float("nan")}}), "the chance nan"),
    ],
)
def test_answers_that_cannot_be_scored_are_named(change: Any, sentence: str) -> None:
    answers = ours(BENCH)
    assert "vision" in beliefs_of(BENCH.game).cards
    change(answers)
    with pytest.raises(BadAnswers) as bad:
        score(BENCH, answers)
    assert sentence in str(bad.value)
    assert str(bad.value).endswith(".")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["beliefs-bench", "splendor-marvel", "--players", "2", "--positions", "3"]
    file = tmp_path / "prompts.json"
    assert main([*words, "--prompts", str(file)]) == 0
    assert "belief" not in {key for each in json.loads(file.read_text())["prompts"] for key in each}
    (tmp_path / "answers.json").write_text(json.dumps(ours(BENCH)))
    assert main([*words, "--answers", str(tmp_path / "answers.json")]) == 0
    assert "more than ours, paired: +0.000" in capsys.readouterr().out
    for wrong in ("missing.json", "prompts.json"):
        assert main([*words, "--answers", str(tmp_path / wrong)]) == 1
    (tmp_path / "answers.json").write_text("[]")
    assert main([*words, "--answers", str(tmp_path / "answers.json")]) == 1
    assert main([*words[:2], "--players", "9"]) == 2
