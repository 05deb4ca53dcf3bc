"""`tavolino replay`: stepping through a record, or a list of what happened."""

import json
from pathlib import Path

import pytest

import tavolino


@pytest.fixture
def record(tmp_path: Path) -> Path:
    match = tavolino.load("mantis").start(3, "replay")
    for _ in range(6):
        match.play("score")
    path = tmp_path / "record.json"
    path.write_text(json.dumps(match.record()))
    return path


@pytest.mark.parametrize(("language", "word"), [("en", "tries to score"), ("it", "prova a fare"), ("pl", "próbuje")])
def test_without_a_terminal_the_game_is_listed(run, record: Path, language: str, word: str) -> None:
    done = run("replay", str(record), "--language", language)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert sum(line[0].isdigit() for line in lines) == 6
    assert word in done.stdout
    assert "score" in lines[[line[:2] for line in lines].index("1.")]


def test_from_the_eyes_of_a_seat(run, record: Path) -> None:
    done = run("replay", str(record), "--seat", "1", "--language", "en")
    assert "You try to score" in done.stdout
    assert "Player 1 tries to score" in done.stdout
    assert "The record ends here; the game was not over." in done.stdout


def test_stepping_with_the_arrow_keys(sit, record: Path) -> None:
    terminal = sit("replay", str(record))
    terminal.expect("step 0 of 6")
    for key, step in [
        (b"\x1b[C", 1),
        (b"\n", 2),
        (b"\x1b[D", 1),
        (b"G", 6),
        (b"\x1b[C", 6),
        (b"x", 6),
        (b"g", 0),
        (b"\x1b[D", 0),
    ]:
        terminal.press(key)
        terminal.expect(f"step {step} of 6")
        terminal.expect("q leave")
    terminal.press(b"q")
    assert terminal.end() == 0


def test_an_open_replay_shows_the_cards_that_a_seat_may_not_see(tmp_path: Path) -> None:
    from tavolino.cli.replay import _look

    match = tavolino.load("infinity-gauntlet").start(3, "open")
    opened = _look(match, None)
    assert all(seat["hand"] for seat in opened["seats"])
    assert [seat["hand"] is None for seat in _look(match, 1)["seats"]] == [True, False, True]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"actions": ["dance"]}, "Action 1 of the record, 'dance', is not legal"),
        ({"rules": "99"}, "The record follows rules '99'"),
        ({"hash": "0" * 32}, "its hash"),
        ({"game": "chess"}, "There is no game 'chess'"),
    ],
)
def test_a_record_that_does_not_fit_is_a_failure(run, record: Path, change: dict[str, object], sentence: str) -> None:
    record.write_text(json.dumps(json.loads(record.read_text()) | change))
    done = run("replay", str(record))
    assert done.returncode == 1
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_wrong_use(run, record: Path) -> None:
    assert run("replay", "/nowhere.json").returncode == 2
    assert run("replay", str(record), "--seat", "3").returncode == 2
    assert run("replay", str(record), "--language", "xx").returncode == 2
