"""`tavolino replay`: stepping through a record, or a list of what happened."""

import json
import random
from pathlib import Path

import pytest

import tavolino
from tests.cli.conftest import Run, Sit


@pytest.fixture
def record(tmp_path: Path) -> Path:
    match = tavolino.load("mantis").start(3, "replay")
    for _ in range(6):
        match.play("score")
    path = tmp_path / "record.json"
    path.write_text(json.dumps(match.record()))
    return path


@pytest.mark.parametrize(
    ("language", "word"), [("en", "tries to score"), ("it", "ha provato a fare"), ("pl", "próbuje")]
)
def test_without_a_terminal_the_game_is_listed(run_here: Run, record: Path, language: str, word: str) -> None:
    done = run_here("replay", str(record), "--language", language)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert sum(line[0].isdigit() for line in lines) == 6
    assert word in done.stdout
    label = {"en": "Try to score", "it": "Prova a fare punti", "pl": "Spróbuj punktować"}[language]
    assert label in lines[[line[:2] for line in lines].index("1.")]


def test_as_a_seat_sees_it(run_here: Run, record: Path) -> None:
    done = run_here("replay", str(record), "--seat", "1", "--language", "en")
    assert "You try to score" in done.stdout
    assert "Player 1 tries to score" in done.stdout
    assert "The file ends here; the game was not finished." in done.stdout


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """A whole game of Infinity Gauntlet with actions that name hidden cards: an order, cards put on the bottom."""
    match, chance = tavolino.load("infinity-gauntlet").start(3, "secrets"), random.Random(3)
    while match.to_act is not None:
        match.play(chance.choice(match.legal()))
    verbs = {action.split()[0] for action in match.record()["actions"]}
    assert {"order", "bottom", "choose"} <= verbs
    path = tmp_path / "secrets.json"
    path.write_text(json.dumps(match.record()))
    return path


def test_a_seat_is_not_shown_what_others_chose_in_secret(run_here: Run, secrets: Path) -> None:
    """Seat 0 is Thanos and puts cards on the bottom; seat 2 puts hero cards in an order."""
    hero = run_here("replay", str(secrets), "--seat", "1", "--language", "en").stdout
    assert "Top to bottom" not in hero
    assert "on the bottom\n" not in hero
    assert "You put" not in hero
    third = run_here("replay", str(secrets), "--seat", "2", "--language", "en").stdout
    assert "8. Player 3: Top to bottom: Hulk, Gamora and Black Panther" in third
    thanos = run_here("replay", str(secrets), "--seat", "0", "--language", "en").stdout
    assert "16. Player 1: Put Black Dwarf on the bottom" in thanos
    assert "\n8. Player 3\n   Player 3 puts the three cards back" in thanos


def test_others_choices_are_not_worded_as_if_they_were_the_viewers(run_here: Run, secrets: Path) -> None:
    """Action 5 is seat 1 choosing itself, action 2 is seat 0 choosing seat 1."""
    lines = run_here("replay", str(secrets), "--seat", "1", "--language", "en").stdout.splitlines()
    assert "5. Player 2: Choose yourself" in lines
    assert lines[lines.index("2. Player 1") + 1] == "   Player 1 chooses you."


@pytest.mark.parametrize(
    ("language", "drawn", "ordered"),
    [
        ("en", "Player 2 draws Black Widow.", "Player 3: Top to bottom: Hulk, Gamora and Black Panther"),
        ("it", "Giocatore 2 ha pescato la carta Vedova Nera.", "Giocatore 3: "),
        ("pl", "Gracz 2 dobiera kartę „Czarna Wdowa”.", "Gracz 3: "),
    ],
)
def test_an_open_replay_names_every_card(run_here: Run, secrets: Path, language: str, drawn: str, ordered: str) -> None:
    listed = run_here("replay", str(secrets), "--language", language).stdout
    assert drawn in listed
    assert f"8. {ordered}" in listed
    assert "order hulk" not in listed
    assert "yourself" not in listed


def test_stepping_with_the_arrow_keys(sit: Sit, record: Path) -> None:
    terminal = sit("replay", str(record))
    terminal.expect("move 0 of 6")
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
        terminal.expect(f"move {step} of 6")
        terminal.expect("q leave")
    terminal.press(b"q")
    assert terminal.end() == 0


def test_an_open_replay_shows_the_cards_that_a_seat_may_not_see(tmp_path: Path) -> None:
    from tavolino.cli.replay import _view_of

    match = tavolino.load("infinity-gauntlet").start(3, "open")
    opened = _view_of(match, None)
    assert all(seat["hand"] for seat in opened["seats"])
    assert [seat["hand"] is None for seat in _view_of(match, 1)["seats"]] == [True, False, True]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"actions": ["dance"]}, "Action 1 of the game file, 'dance', is not legal"),
        ({"rules": "99"}, "The game file follows rules '99'"),
        ({"hash": "0" * 32}, "its hash"),
        ({"game": "chess"}, "There is no game 'chess'"),
    ],
)
def test_a_record_that_does_not_fit_is_a_failure(
    run_here: Run, record: Path, change: dict[str, object], sentence: str
) -> None:
    record.write_text(json.dumps(json.loads(record.read_text()) | change))
    done = run_here("replay", str(record))
    assert done.returncode == 1
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_wrong_use(run_here: Run, record: Path) -> None:
    assert run_here("replay", "/nowhere.json").returncode == 2
    assert run_here("replay", str(record), "--seat", "3").returncode == 2
    assert run_here("replay", str(record), "--language", "xx").returncode == 2


def test_a_record_of_the_first_format_says_what_it_cannot_prove(tmp_path: Path, run_here: Run) -> None:
    match = tavolino.load("mantis").start(2, "old")
    match.play(match.legal()[0])
    record = match.record()
    for key in ("format", "chain"):
        record.pop(key)
    file = tmp_path / "old.json"
    file.write_text(json.dumps(record))
    done = run_here("replay", str(file), "--language", "en")
    assert done.returncode == 0
    assert "does not chain its moves" in done.stderr
    file.write_text(json.dumps(match.record()))
    assert run_here("replay", str(file)).stderr == ""


ESCAPE = "\x1b[31mred\x9b\u202e\x07\n"


@pytest.mark.parametrize("command", ["replay", "review", "verify", "play --resume"])
def test_threat_75_what_a_file_says_cannot_command_the_terminal(run_here: Run, record: Path, command: str) -> None:
    whole = json.loads(record.read_text())
    seats = {"people": [0], "levels": {"1": "easy", "2": "easy"}, "guest": ESCAPE}
    whole |= {"fairness": {"commitment": ESCAPE, "secret": ESCAPE, "salts": [ESCAPE], "bots": [1]}, "terminal": seats}
    words = command.split() if command == "verify" else [*command.split()[:1], "--language", "en", *command.split()[1:]]
    for key in ("", *whole):
        for value in (ESCAPE, [ESCAPE], {ESCAPE: ESCAPE}):
            record.write_text(json.dumps(whole | ({key: value} if key else {})))
            done = run_here(*words, str(record))
            assert not set(done.stdout + done.stderr) & set("\x1b\x9b\u202e\x07"), key
