"""`tavolino play`: whole games through a pseudo-terminal."""

import json
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

import tavolino
from tests.cli.conftest import Run, Sit, Terminal
from tests.sampling import each_language_and_each

QUESTIONS = {"en": "Your turn:", "it": "Tocca a te.", "pl": "Twoja tura."}
ENDS = {"en": "To replay this game", "it": "Per rivedere la partita", "pl": "Żeby obejrzeć tę grę"}


def play_on(terminal: Terminal, choose: Callable[[str], str] = lambda screen: "1") -> str:
    """Answer every question until the command ends; returns its output."""
    while (screen := terminal.ask()) is not None:
        terminal.type(choose(screen))
    return terminal.all


def last_choice(screen: str) -> str:
    return re.findall(r"^ ?(\d+) ", screen, re.MULTILINE)[-1]


def saved_file(folder: Path) -> Path:
    (path,) = (folder / "tavolino").glob("*.json")
    return path


@pytest.mark.parametrize(
    "language", ["pl", pytest.param("en", marks=pytest.mark.long), pytest.param("it", marks=pytest.mark.long)]
)
def test_a_whole_game_of_mantis_in_each_language(sit: Sit, language: str, tmp_path: Path) -> None:
    terminal = sit("play", "mantis", "--language", language, "--seed", "whole", "--pace", "0", "--bots", "random")
    assert QUESTIONS[language] in (terminal.ask() or "")
    said = play_on(terminal)
    assert terminal.end() == 0
    assert ENDS[language] in said
    assert not re.search(r"\b(prompt|event|action|outcome)\.[a-z]", said), "a key is no text"
    record = json.loads(saved_file(tmp_path).read_text())
    match = tavolino.replay(record)
    assert match.over
    assert record["game"] == "mantis"


@each_language_and_each(tavolino.games())
def test_some_turns_of_every_game_in_every_language_on_a_narrow_screen(sit: Sit, game: str, language: str) -> None:
    arguments = ("play", game, "--language", language, "--seed", "narrow", "--pace", "0", "--bots", "random")
    terminal = sit(*arguments, columns=50, rows=120)  # so high that nothing needs a page of its own
    for typed in ("1", "?", "", "l", "", "k", "1", "? 1", "1"):
        screen = terminal.ask() if typed else None
        terminal.type(typed)
        if screen is not None:
            assert max(len(line) for line in screen.splitlines()) <= 50
    assert terminal.ask() is not None
    assert "Traceback" not in terminal.all


def test_the_language_comes_from_the_environment(sit: Sit) -> None:
    assert "Tocca a te" in (sit("play", "mantis", LC_ALL="it_IT.UTF-8").ask() or "")


def test_leaving_with_ctrl_c_and_going_on_gives_the_same_game(sit: Sit, tmp_path: Path) -> None:
    terminal = sit("play", "mantis", "--seed", "break", "--pace", "0", "--bots", "random", is_program=True)
    for _ in range(3):
        terminal.ask()
        terminal.type("1")
    terminal.ask()
    terminal.press(b"\x03")
    assert terminal.end() == 0
    path = saved_file(tmp_path)
    said = terminal.screen.replace("\n", "")
    assert f"tavolino play --resume {path}" in said
    before = json.loads(path.read_text())
    assert before["seed"] == "break"
    assert before["terminal"]["people"] == [0]

    again = sit("play", "--resume", str(path), "--pace", "0")
    assert "Your turn:" in (again.ask() or "")
    play_on(again)
    assert again.end() == 0
    after = json.loads(path.read_text())
    assert after["actions"][: len(before["actions"])] == before["actions"]
    assert tavolino.replay(after).over


@pytest.mark.parametrize("way", ["q", "end of input", "terminated"])
def test_every_way_of_leaving_keeps_the_game(sit: Sit, tmp_path: Path, way: str) -> None:
    terminal = sit("play", "mantis", "--seed", "ways", "--pace", "0")
    terminal.ask()
    if way == "q":
        terminal.type("q")
    elif way == "end of input":
        terminal.press(b"\x04")
    else:
        terminal.process.send_signal(signal.SIGTERM)
    assert terminal.end() == 0
    assert "Game saved" in terminal.screen
    assert tavolino.replay(json.loads(saved_file(tmp_path).read_text())).record()["seed"] == "ways"


def test_with_a_hot_seat_the_screen_is_empty_between_players(sit: Sit) -> None:
    terminal = sit("play", "mantis", "--players", "2", "--hot-seat", "--seed", "curtain", "--pace", "0")
    for seat in (1, 2, 1):
        hidden = terminal.expect("Press Enter")
        assert f"Pass the screen to Player {seat}." in hidden
        assert "score" not in hidden
        assert "\x1b[3J" in terminal.all, "the scrollback must be erased"
        terminal.type("")
        table = terminal.ask() or ""
        assert f"▸ Player {seat}" in table
        terminal.type("1")
        assert "You try to score" in terminal.expect("Press Enter"), "what came of it, before the screen is handed on"
        terminal.type("")


def test_what_is_typed_is_answered(sit: Sit) -> None:
    terminal = sit("play", "mantis", "--seed", "typed", "--pace", "0", "--bots", "random")
    answers = {
        "99": "Type a number from 1 to 4",
        "x": "Type a number from 1 to 4",
        "steal 0": "You cannot steal from yourself: choose another player, or score.  [MA-13]",
        "dance": "You can’t do “dance” here",
        "? 1": "[MA-11]",
        "? another-turn": "[MA-22]",
        "? blue:red+purple": "you take another turn right away.  [MA-22]",
        "? nobody": "Nothing found for “nobody”.",
        "k": "Your notebook",
    }
    for typed, answer in answers.items():
        terminal.ask()
        terminal.type(typed)
        screen = terminal.ask() or ""
        assert answer in re.sub(r" *│\n│ ", " ", screen), typed
        assert "Your turn:" in screen, "nothing was played"
    for typed, answer in {"?": "Three colours on the back", "l": "You start with"}.items():
        terminal.type(typed)
        assert answer in terminal.expect("Press Enter")
        terminal.type("")
        terminal.ask()
    terminal.type("score")
    assert "You try to score" in (terminal.ask() or "")


def test_a_hint_says_what_a_strong_player_would_do(sit: Sit) -> None:
    terminal = sit("play", "mantis", "--seed", "hint", "--pace", "0", "--bots", "random")
    terminal.ask()
    terminal.type("h")
    screen = terminal.ask() or ""
    assert re.search(r"[1-4]: Try to (score|steal from \w+)\. Chance to win: \d+%\.", screen)
    assert "Your turn:" in screen


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "chess"), "There is no game 'chess'"),
        (("play",), "Which game?"),
        (("play", "mantis", "--players", "9"), "mantis is for 2 to 6 players, not 9."),
        (("play", "mantis", "--seat", "4"), "There is no seat 4: seats are numbered 0 to 3."),
        (("play", "mantis", "--language", "fr"), "There is no language 'fr'. Languages: en, it, pl."),
        (("play", "mantis", "--bots", "genius"), "There is no level 'genius'"),
        (("play", "mantis", "--option", "icons"), "Write a game option as NAME=VALUE, not 'icons'."),
        (("play", "mantis", "--option", "icons=maybe"), "must be JSON"),
        (("play", "mantis", "--option", "icons=3"), "The option icons must be true or false, not 3."),
        (("play", "mantis", "--option", "first=1", "--option", "first=2"), "The option first is given twice."),
        (("play", "mantis", "--resume", "/nowhere/x.json"), "cannot be read"),
        (("play", "mantis", "--hot-seat", "--players", "2", "--bots", "random,random"), "none is left for people"),
    ],
)
@pytest.mark.usefixtures("typed_input")
def test_wrong_use_is_one_sentence_and_exit_code_2(run_here: Run, arguments: tuple[str, ...], sentence: str) -> None:
    done = run_here(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("tavolino: ")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("not json", "is not a game file: it is not JSON."),
        ("[]", "is not a game file: it is not a JSON object."),
        ("{}", "cannot be replayed. The game file lacks the key 'game'."),
        (None, "does not say who sat where"),
    ],
)
@pytest.mark.usefixtures("typed_input")
def test_a_file_that_cannot_be_resumed_is_a_failure(
    run_here: Run, tmp_path: Path, content: str | None, sentence: str
) -> None:
    path = tmp_path / "game.json"
    record = tavolino.load("mantis").start(3, "x").record()
    path.write_text(json.dumps(record) if content is None else content)
    done = run_here("play", "--resume", str(path))
    assert done.returncode == 1
    assert sentence in done.stderr


def test_without_a_terminal_there_is_no_game(run: Run) -> None:
    done = run("play", "mantis")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "tavolino: To play a game, stdin must be a terminal. For games without people: tavolino simulate.\n"
    )
