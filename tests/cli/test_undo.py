"""Taking back in the terminal: freely against bots, among people if nobody has learned anything; the record says so."""

import json
from pathlib import Path

import pytest

import tavolino
from tavolino.cli.undo import CannotTakeBack, take_back
from tests.cli.conftest import Sit
from tests.cli.test_play import saved_file


def test_against_bots_the_last_decision_and_all_after_it_are_taken_back() -> None:
    match = tavolino.load("mantis").start(3, "back")
    while not (match.record()["actions"] and match.to_act == 0):
        match.play(match.legal()[0])
    actions = match.record()["actions"]
    before, taken = take_back(match, 0, is_shared=False)
    assert before.to_act == 0
    assert before.record()["actions"] == actions[: taken["turn"]]
    assert taken == {"seat": 0, "turn": taken["turn"], "actions": actions[taken["turn"] :]}


def test_who_has_not_decided_yet_has_nothing_to_take_back() -> None:
    with pytest.raises(CannotTakeBack, match=r"take-back\.none"):
        take_back(tavolino.load("mantis").start(2, "back"), 0, is_shared=False)


def test_people_take_back_what_has_shown_nobody_anything() -> None:
    seen = tavolino.load("mantis").start(2, "back")
    seen.play("score")  # a card is turned
    with pytest.raises(CannotTakeBack, match=r"take-back\.seen"):
        take_back(seen, 0, is_shared=True)
    unseen = tavolino.load("splendor-marvel").start(2, "back")
    unseen.play(next(action for action in unseen.legal() if action.startswith("take ")))
    before, _ = take_back(unseen, 0, is_shared=True)
    assert before.record()["actions"] == []


def test_a_move_is_taken_back_at_the_keyboard_and_the_file_says_so(sit: Sit, tmp_path: Path) -> None:
    terminal = sit("play", "mantis", "--language", "en", "--seed", "back", "--pace", "0", "--bots", "random")
    assert "u take back" in (terminal.ask() or "")
    terminal.type("u")
    assert "You have no move to take back yet." in (terminal.ask() or "")
    terminal.type("1")
    terminal.ask()
    terminal.type("u")
    terminal.ask()
    terminal.type("q")
    assert terminal.end() == 0
    record = json.loads(saved_file(tmp_path).read_text())
    assert [each["seat"] for each in record["taken_back"]] == [0]
    assert record["actions"] + record["taken_back"][0]["actions"], "what was taken back is told"
    assert len(record["actions"]) == record["taken_back"][0]["turn"]
    resumed = sit("play", "--resume", str(saved_file(tmp_path)), "--language", "en", "--pace", "0")
    resumed.ask()
    resumed.type("q")
    assert resumed.end() == 0
    assert json.loads(saved_file(tmp_path).read_text())["taken_back"] == record["taken_back"]
