"""A game needs rules, a view and English texts. Whatever else it lacks has a default, or is a clear error."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

import tavolino
from tavolino.bots import SeatMatch, fallback, hint, make_bot
from tavolino.bots.levels import LEVELS, HeuristicBot, RandomBot, SearchBot
from tavolino.bots.policies import kind_of, policy_of
from tavolino.cli.commands import run
from tavolino.cli.drawings import PlainDrawing, drawing_of
from tavolino.cli.words import Words
from tavolino.engine.policy import OVERLOOK, Policy
from tavolino.engine.testing import check_game
from tavolino.engine.texts import read_texts
from tavolino.server.games.replays import frames
from tavolino.server.kernel.deal import sides
from tests.outside.packages import declare, install_bare_copy, on_path


def test_it_conforms(bare: tavolino.Game) -> None:
    check_game(bare)


def test_two_games_with_one_record_type_are_refused(bare: tavolino.Game, tmp_path: Path) -> None:
    """Compiled code finds a game by the type of its record, so a second game would play by the rules of the first."""
    for package in ("one_poker", "two_poker"):
        install_bare_copy(tmp_path, package, field="the_same")
    with on_path(tmp_path):
        tavolino.load("one-poker")
        with pytest.raises(ValueError, match="same type of record"):
            tavolino.load("two-poker")


def test_two_games_with_one_name_are_refused(tmp_path: Path) -> None:
    declare(tmp_path, tavolino.games()[0], "another_package")
    with on_path(tmp_path), pytest.raises(ValueError, match="Two installed games"):
        tavolino.games()


# -- no policy


def test_without_a_policy_hard_searches_with_random_playouts(bare: tavolino.Game) -> None:
    settings = policy_of(bare.name).search
    assert settings.random_percent == 100
    assert isinstance(make_bot("hard", bare.name, 0), SearchBot)
    match = bare.start(2, 0, decks={"cards": ["jack", "king"]})
    match.play("bet")
    assert make_bot("hard", bare.name, 0, iterations=200).choose(SeatMatch(match, 1)) == "call"
    assert hint(SeatMatch(match, 1), 0, iterations=200) == {"action": "call", "win": 1.0}


def test_without_a_policy_easy_is_random_and_medium_a_short_search_and_both_say_so(bare: tavolino.Game) -> None:
    assert [kind_of(level, bare.name) for level in ("random", "easy", "medium", "hard")] == [
        "random",
        "random",
        "search",
        "search",
    ]
    assert isinstance(make_bot("easy", bare.name, 0), RandomBot)
    assert isinstance(make_bot("medium", bare.name, 0), SearchBot)
    assert "easy plays at random" in str(fallback("easy", bare.name))
    assert "10% of its iterations" in str(fallback("medium", bare.name))
    assert fallback("hard", bare.name) is fallback("random", bare.name) is None


def test_without_a_policy_the_arena_plays_and_says_so(bare: tavolino.Game, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "bare-poker", "--bots", "hard,medium", "--iterations", "40", "--games", "20", "--json", "-"]
    assert run(words) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["games"] == 20
    assert captured.err == (
        "tavolino: bare-poker has no heuristic: medium searches like hard, with 10% of its iterations.\n"
    )


def test_easy_is_medium_with_slips_where_it_has_no_weights_of_its_own() -> None:
    game = next(name for name in tavolino.games() if policy_of(name).has_heuristic)
    whole = policy_of(game)
    policy = Policy(
        whole.record,
        {"medium": whole.weights["medium"]},
        whole.score_actions,
        whole.evaluate,
        whole.information_key,
    )
    easy, medium = policy.weights_of("easy"), policy.weights_of("medium")
    assert easy[OVERLOOK] > medium[OVERLOOK] == 0
    assert (easy[1:] == medium[1:]).all()
    assert isinstance(make_bot("easy", game, 0), HeuristicBot)


# -- no drawing, no texts in a language


@pytest.mark.parametrize("language", ["en", "it"])
def test_without_a_drawing_the_view_is_printed(bare: tavolino.Game, language: str) -> None:
    drawing = drawing_of(bare.name)
    assert isinstance(drawing, PlainDrawing)
    words = Words(bare, language, (0,), 0)
    match = bare.start(2, 0, decks={"cards": ["jack", "king"]})
    console = Console(width=60, file=io.StringIO())
    console.print(drawing.draw(match.view(0), words, 60), drawing.notes(match.view(0), match.notebook(0), words, 60))
    assert isinstance(console.file, io.StringIO)
    drawn = console.file.getvalue()
    assert "pot 2" in drawn
    assert "card jack" in drawn
    assert "chips 1  card -" in drawn, "what is hidden is a dash"
    assert "[queen king]" in drawn


# -- no key `seats` in the view


@pytest.fixture(scope="module")
def seatless(bare: tavolino.Game) -> tavolino.Game:
    return replace(bare, view=lambda s, viewer: {"pot": sum(s.chips), "own": s.card[viewer] if viewer >= 0 else None})


def test_without_seats_it_conforms_and_is_drawn(seatless: tavolino.Game) -> None:
    check_game(seatless)
    drawing, console = PlainDrawing(), Console(width=60, file=io.StringIO())
    console.print(drawing.draw(seatless.start(2, 0).view(0), Words(seatless, "en", (0,), 0), 60))
    assert isinstance(console.file, io.StringIO)
    assert "pot 2" in console.file.getvalue()


def test_without_seats_a_player_can_resign_and_the_game_can_be_replayed(seatless: tavolino.Game) -> None:
    """Resigning asks for the sides, and a replay opens the hands."""
    match = seatless.start(2, 0)
    assert sides(match) == [0, 1]
    views = [frame.view for frame in frames(match, ["bet", "fold"], "open")]
    assert [view["over"] for view in views] == [False, False, True]


def test_without_seats_a_record_is_replayed_in_the_terminal(
    seatless: tavolino.Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = seatless.start(2, 0)
    for action in ("bet", "fold"):
        match.play(action)
    (tmp_path / "game.json").write_text(json.dumps(match.record()))
    monkeypatch.setattr(tavolino, "load", lambda name: seatless)
    assert run(["replay", str(tmp_path / "game.json")]) == 0
    assert "1. " in capsys.readouterr().out


def test_a_language_without_texts_is_english(bare: tavolino.Game) -> None:
    assert read_texts(bare.folder, "it") == read_texts(bare.folder, "en")
    assert Words(bare, "pl", (0,), 0).say("name") == "Kuhn poker"


# -- no encoding


def test_without_an_encoding_research_names_the_missing_module(bare: tavolino.Game) -> None:
    from tavolino.research.encodings import encoding_of

    with pytest.raises(LookupError, match=r"module bare_poker\.encoding is missing"):
        encoding_of("bare-poker")
    with pytest.raises(tavolino.UnknownGame):
        encoding_of("chess")


def test_opponents_without_a_policy_play_as_the_levels_do_at_a_table(bare: tavolino.Game) -> None:
    from tavolino.research.opponents import Opponents
    from tavolino.research.stepping import OUTSIDE, RANDOM

    numbers = {level: Opponents(bare, 2, level, iterations=5).cast().members.item() for level in LEVELS}
    assert numbers == {"random": RANDOM, "easy": RANDOM, "medium": OUTSIDE, "hard": OUTSIDE, "expert": OUTSIDE}
    assert Opponents(bare, 2, "medium").weights is None
