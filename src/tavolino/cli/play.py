"""`tavolino play`: a game in the terminal, alone against bots or several people at one keyboard."""

import secrets
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolino.cli.errors import WrongUse
from tavolino.cli.option_values import (
    LANGUAGE_HELP,
    GameOptions,
    PlayersOption,
    choose_language,
    find_game,
    list_games,
    players_or_usual,
    read_options,
    warn_of_fallbacks,
    warn_of_untranslated,
)

if TYPE_CHECKING:
    from rich.status import Status

    from tavolino.cli.saved import SeatPlan
    from tavolino.engine.match import Match

USUAL_LEVEL = "medium"
USUAL_PACE = 0.7


def play(
    game: Annotated[str | None, typer.Argument(help=list_games())] = None,
    players: PlayersOption = None,
    seat: Annotated[int, typer.Option(help="Your seat; the first is 0.")] = 0,
    name: Annotated[str | None, typer.Option(help="Your name at the table.")] = None,
    language: Annotated[str | None, typer.Option(help=LANGUAGE_HELP)] = None,
    seed: Annotated[str | None, typer.Option(help="Any text; the same text deals the same cards.")] = None,
    hot_seat: Annotated[
        bool, typer.Option("--hot-seat", help="Several people share one keyboard; the screen is hidden between turns.")
    ] = False,
    bots: Annotated[
        str | None,
        typer.Option(help="Bot levels, separated by commas; the last one is used for the remaining seats."),
    ] = None,
    option: GameOptions = None,
    resume: Annotated[Path | None, typer.Option(help="Continue a saved game.")] = None,
    pace: Annotated[float, typer.Option(min=0, help="Seconds a bot waits before each move.")] = USUAL_PACE,
) -> None:
    """Play a game in the terminal."""
    from tavolino.bots.warmup import parts_for, warm_all
    from tavolino.games import games

    spoken = choose_language(language)
    taken_back: list[dict[str, Any]] = []
    if not sys.stdin.isatty():
        raise WrongUse("To play a game, stdin must be a terminal. For games without people: tavolino simulate.")
    with _loading_status(spoken):
        if game is not None:
            warm_all(lambda progress: None, [find_game(game).name], parts_for([]))
        if resume is not None:
            match, plan, taken_back = _resume(resume, game)
        elif game is None:
            raise WrongUse(f"Which game? Choose one: {', '.join(games())}.")
        else:
            match = _begin(game, players, seed, read_options(option or []))
            plan = _seat_plan(match.players, seat, hot_seat, bots, name)
        warm_all(lambda progress: None, [match.game.name], parts_for(plan.levels.values()))
    warn_of_fallbacks(plan.levels.values(), match.game.name)
    warn_of_untranslated(spoken, match.game)
    _run_session(match, plan, spoken, pace, resume, taken_back)


def _loading_status(language: str) -> "Status":
    """A status line while rules and bots are loaded or, the first time, compiled."""
    from rich.console import Console

    from tavolino.cli.words import FOLDER
    from tavolino.engine.texts import read_texts

    return Console(stderr=True).status(read_texts(FOLDER, language)["setting-up"])


def _begin(name: str, players: int | None, seed: str | None, options: dict[str, Any]) -> "Match":
    game = find_game(name)
    try:
        return game.start(players_or_usual(name, players), secrets.token_hex(16) if seed is None else seed, options)
    except ValueError as wrong:
        raise WrongUse(wrong) from None


def _seat_plan(players: int, seat: int, is_hot_seat: bool, bots: str | None, guest: str | None) -> "SeatPlan":
    """Who sits where. On a hot seat all are people, except for the last seats if bots are named; otherwise one is."""
    from tavolino.bots import LEVELS
    from tavolino.cli.saved import SeatPlan

    levels = (bots or USUAL_LEVEL).split(",")
    for level in levels:
        if level not in LEVELS:
            raise WrongUse(f"There is no level {level!r}. Levels: {', '.join(LEVELS)}.")
    if not 0 <= seat < players:
        raise WrongUse(f"There is no seat {seat}: seats are numbered 0 to {players - 1}.")
    if is_hot_seat:
        people = tuple(range(players - (len(levels) if bots is not None else 0)))
        if not people:
            raise WrongUse(f"Too many bots: with {players} seats, none is left for people.")
    else:
        people = (seat,)
    rest = [number for number in range(players) if number not in people]
    return SeatPlan(people, {number: levels[min(n, len(levels) - 1)] for n, number in enumerate(rest)}, guest)


def _resume(path: Path, name: str | None) -> tuple["Match", "SeatPlan", list[dict[str, Any]]]:
    from tavolino.cli.saved import read_saved

    match, plan, taken_back = read_saved(path)
    if name is not None and name != match.game.name:
        raise WrongUse(f"The file {path} is a game of {match.game.name}, not of {name}.")
    return match, plan, taken_back


def _run_session(
    match: "Match",
    plan: "SeatPlan",
    language: str,
    pace: float,
    file: Path | None,
    taken_back: list[dict[str, Any]],
) -> None:
    """Play; at the end print how to resume the game, or how to replay it if it is over."""
    from rich.text import Text

    from tavolino.cli.saved import new_file, save
    from tavolino.cli.screen import Leaving, Screen
    from tavolino.cli.session import Session
    from tavolino.cli.words import Words

    file = file or new_file(match.game.name)
    screen = Screen()
    words = Words(match.game, language, plan.people, None, plan.guest)
    session = Session(match, plan, language, screen, pace, taken_back)
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)
    try:
        session.play()
    except BaseException as why:
        save(session.match, plan, file, session.taken_back)  # also after an error, so that no game is lost
        if not isinstance(why, Leaving | KeyboardInterrupt):
            raise
        if session.is_shared:
            screen.clear(is_final=True)
        screen.show(Text(), Text(words.own("left")))
        screen.show_line(f"  tavolino play --resume {_quoted(file)}")
    else:
        save(session.match, plan, file, session.taken_back)
        screen.show(Text(words.own("end.record")))
        screen.show_line(f"  tavolino replay {_quoted(file)}")


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))
