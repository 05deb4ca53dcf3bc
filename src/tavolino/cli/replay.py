"""`tavolino replay`: a recorded game step by step, as one seat sees it or with all cards open."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.option_values import LANGUAGE_HELP, choose_language, warn_of_untranslated
from tavolino.cli.streams import printable

if TYPE_CHECKING:
    from tavolino.cli.words import Words
    from tavolino.engine.match import Match


@dataclass(frozen=True)
class ReplayStep:
    """One step of a replay: the action, its events, and the view after it."""

    seat: int | None  # None: the deal
    action: str | None  # None: the deal, or an action of another seat, whose text may name hidden cards
    events: list[dict[str, Any]]
    view: dict[str, Any]


def replay(
    file: Annotated[Path, typer.Argument(help="A game file saved by “tavolino play” or downloaded from a table.")],
    seat: Annotated[int | None, typer.Option(help="View from this seat; by default all cards are face up.")] = None,
    language: Annotated[str | None, typer.Option(help=LANGUAGE_HELP)] = None,
) -> None:
    """Step through a recorded game. Without a terminal, list what happened."""
    spoken = choose_language(language)
    from tavolino.cli.saved import read_record
    from tavolino.cli.words import Words
    from tavolino.engine.record_format import binds_every_action

    record = read_record(file)
    match, steps = _steps(record, seat, file)
    # A replay names the seats by number: the person who watches it need not have played.
    words = Words(match.game, spoken, range(match.players), seat)
    warn_of_untranslated(spoken, match.game)
    if not binds_every_action(record):
        print(words.own("replay.no-chain"), file=sys.stderr)
    if sys.stdin.isatty() and sys.stdout.isatty():
        _browse(steps, words)
    else:
        _list(steps, words)


def _steps(record: dict[str, Any], seat: int | None, file: Path) -> tuple["Match", list[ReplayStep]]:
    import tavolino
    from tavolino.engine.records import begin_replay

    try:
        tavolino.replay(record)  # raises for a wrong record, before anything is shown
        match = begin_replay(record, tavolino.load)
    except tavolino.BadRecord as bad:
        raise Failure(f"The file {file} cannot be replayed. {bad}") from None
    if seat is not None and not 0 <= seat < match.players:
        raise WrongUse(f"There is no seat {seat}: seats are numbered 0 to {match.players - 1}.")
    steps = [ReplayStep(None, None, _events_since(match, seat, 0), _view_of(match, seat))]
    for action in record["actions"]:
        before, asked = match.lines, match.to_act
        match.advance(action)
        shown = action if seat is None or seat == asked else None
        steps.append(ReplayStep(asked, shown, _events_since(match, seat, before), _view_of(match, seat)))
    return match, steps


def _events_since(match: "Match", seat: int | None, line: int) -> list[dict[str, Any]]:
    """The events from a line of the log on, as a seat saw them; without a seat, everything that any seat saw."""
    seen: list[dict[str, Any]] = match.view(seat, line)["log"]
    if seat is None:
        for owner in range(match.players):
            known = match.view(owner, line)["log"]
            seen = [event | _not_none(own) for event, own in zip(seen, known, strict=True)]
    return seen


def _not_none(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if value is not None}


def _view_of(match: "Match", seat: int | None) -> dict[str, Any]:
    """The view of a seat; without a seat, the table with every seat as its own player sees it. Not all games have seats
    in their views."""
    view = match.view(seat)
    if seat is None and "seats" in view:
        view["seats"] = [match.view(owner)["seats"][owner] for owner in range(match.players)]
    return view


def _list(steps: list[ReplayStep], words: "Words") -> None:
    for number, step in enumerate(steps):
        if step.seat is not None:
            print(printable(f"{number}. {_decision(step, words)}"))
        for event in step.events:
            print(printable(f"   {words.tell(event)}"))
    print(_ending(steps[-1], words))


def _decision(step: ReplayStep, words: "Words") -> str:
    """Who decided, and the action, if the viewer may know it."""
    assert step.seat is not None
    name = words.name(step.seat)
    return name if step.action is None else f"{name}: {words.label(step.action)}"


def _ending(step: ReplayStep, words: "Words") -> str:
    outcome = step.view["outcome"]
    if outcome is None:
        return words.own("replay.unfinished")
    return words.ending(outcome)


def _browse(steps: list[ReplayStep], words: "Words") -> None:
    from tavolino.cli.keys import read_key, single_keys
    from tavolino.cli.screen import Screen

    screen, at = Screen(), 0
    with single_keys():
        while True:
            _show(screen, steps, at, words)
            key = read_key()
            if key == "leave":
                return
            at = {
                "forward": min(at + 1, len(steps) - 1),
                "back": max(at - 1, 0),
                "first": 0,
                "last": len(steps) - 1,
            }.get(key, at)


def _show(screen: Any, steps: list[ReplayStep], at: int, words: "Words") -> None:
    from rich.text import Text

    from tavolino.cli.drawings import drawing_of
    from tavolino.cli.screen import heading, log_lines

    step = steps[at]
    screen.clear()
    screen.show(heading(words.say("name"), words.own("replay.step", at=at, last=len(steps) - 1)))
    screen.show(drawing_of(words.game.name).draw(step.view, words, screen.width))
    if step.seat is not None:
        screen.show(Text(_decision(step, words), style="bold"))
    screen.show(log_lines(step.events, words))
    if at == len(steps) - 1:
        screen.show(Text(_ending(step, words), style="bold green"))
    screen.show(Text(words.own("replay.keys"), style="dim"))
