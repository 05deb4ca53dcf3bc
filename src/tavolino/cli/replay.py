"""`tavolino replay`: a recorded game step by step, from a seat's eyes or with all cards open."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.option_values import choose_language

if TYPE_CHECKING:
    from tavolino.cli.words import Words
    from tavolino.engine.match import Match


@dataclass(frozen=True)
class Frame:
    """The table after an action: who did what, what happened, and how it looks."""

    seat: int | None  # None: the deal
    action: str | None  # None: the deal, or an action of somebody else, whose text may name hidden cards
    events: list[dict[str, Any]]
    view: dict[str, Any]


def replay(
    file: Annotated[Path, typer.Argument(help="A record: of tavolino play, or downloaded from a table.")],
    seat: Annotated[int | None, typer.Option(help="Whose eyes; without it all cards are open.")] = None,
    language: Annotated[str | None, typer.Option(help="en, it or pl; by default that of your system.")] = None,
) -> None:
    """Step through a recorded game. Without a terminal: list what happened."""
    spoken = choose_language(language)
    from tavolino.cli.saved import read_record
    from tavolino.cli.words import Words

    match, frames = _frames(read_record(file), seat, file)
    # In a replay everybody is a player with a number: nobody at the screen need have been there.
    words = Words(match.game, spoken, range(match.players), seat)
    if sys.stdin.isatty() and sys.stdout.isatty():
        _step(frames, words)
    else:
        _list(frames, words)


def _frames(record: dict[str, Any], seat: int | None, file: Path) -> tuple["Match", list[Frame]]:
    import tavolino
    from tavolino.engine.records import begin_replay

    try:
        tavolino.replay(record)  # whatever is wrong with the record is said before anything is shown
        match = begin_replay(record, tavolino.load)
    except tavolino.BadRecord as bad:
        raise Failure(f"The file {file} does not replay. {bad}") from None
    if seat is not None and not 0 <= seat < match.players:
        raise WrongUse(f"There is no seat {seat}; there are 0 to {match.players - 1}.")
    frames = [Frame(None, None, _told(match, seat, 0), _look(match, seat))]
    for action in record["actions"]:
        before, asked = match.lines, match.to_act
        match.advance(action)
        shown = action if seat is None or seat == asked else None
        frames.append(Frame(asked, shown, _told(match, seat, before), _look(match, seat)))
    return match, frames


def _told(match: "Match", seat: int | None, line: int) -> list[dict[str, Any]]:
    """What happened since a line of the log, as a seat was told; or all that anybody was told of it."""
    told: list[dict[str, Any]] = match.view(seat, line)["log"]
    if seat is None:
        for owner in range(match.players):
            known = match.view(owner, line)["log"]
            told = [event | _not_none(own) for event, own in zip(told, known, strict=True)]
    return told


def _not_none(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if value is not None}


def _look(match: "Match", seat: int | None) -> dict[str, Any]:
    """The view of a seat; or the open table, on which every seat shows what its own player sees there."""
    view = match.view(seat)
    if seat is None:
        view["seats"] = [match.view(owner)["seats"][owner] for owner in range(match.players)]
    return view


def _list(frames: list[Frame], words: "Words") -> None:
    for number, frame in enumerate(frames):
        if frame.seat is not None:
            print(f"{number}. {_deed(frame, words)}")
        for event in frame.events:
            print(f"   {words.tell(event)}")
    print(_ending(frames[-1], words))


def _deed(frame: Frame, words: "Words") -> str:
    """Who decided, and what, if the viewer may know it; otherwise the events tell."""
    assert frame.seat is not None
    name = words.name(frame.seat)
    return name if frame.action is None else f"{name}: {words.label(frame.action)}"


def _ending(frame: Frame, words: "Words") -> str:
    outcome = frame.view["outcome"]
    if outcome is None:
        return words.own("replay.unfinished")
    reason = outcome["reason"]
    return f"{words.say(f'outcome.{reason}', outcome)} [{reason}]"


def _step(frames: list[Frame], words: "Words") -> None:
    from tavolino.cli.keys import read_key, single_keys
    from tavolino.cli.screen import Screen

    screen, at = Screen(), 0
    with single_keys():
        while True:
            _show(screen, frames, at, words)
            key = read_key()
            if key == "leave":
                return
            at = {
                "forward": min(at + 1, len(frames) - 1),
                "back": max(at - 1, 0),
                "first": 0,
                "last": len(frames) - 1,
            }.get(key, at)


def _show(screen: Any, frames: list[Frame], at: int, words: "Words") -> None:
    from rich.text import Text

    from tavolino.cli.drawings import drawing_of
    from tavolino.cli.screen import heading, log_lines

    frame = frames[at]
    screen.clear()
    screen.show(heading(words.say("name"), words.own("replay.step", at=at, last=len(frames) - 1)))
    screen.show(drawing_of(words.game.name).draw(frame.view, words, screen.width))
    if frame.seat is not None:
        screen.show(Text(_deed(frame, words), style="bold"))
    screen.show(log_lines(frame.events, words))
    if at == len(frames) - 1:
        screen.show(Text(_ending(frame, words), style="bold green"))
    screen.show(Text(words.own("replay.keys"), style="dim"))
