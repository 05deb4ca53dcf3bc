"""The checker of histories: an honest history passes, and each kind of fault is found."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import tavolino
from tests.nodes.campaign import Leases
from tests.nodes.history import Answered, Connecting, History, Made, Record, Sent, Shown, Told, check, encode

SECRET = "5ec4e7" * 10


def honest(game: str = "mantis", players: int = 2) -> tuple[History, Record]:
    """A game of clients who see everything that happens, on a connection each, and a spectator."""
    match, chance = tavolino.load(game).start(players, "history"), random.Random(7)
    deal, history = match.clone(), History("table")
    moves: list[Made] = []

    def show(from_lines: dict[int | None, int]) -> None:
        for number, viewer in enumerate((*range(players), None)):
            view = match.view(viewer, from_lines.get(viewer, 0))
            lines, start = view.pop("log"), from_lines.get(viewer, 0)
            history.events.append(Shown(number, viewer, len(moves), start, encode(lines), encode(view)))
            from_lines[viewer] = start + len(lines)

    have: dict[int | None, int] = {}
    history.events.append(Told(0, "playing", b'{"type":"table"}'))
    show(have)
    while match.to_act is not None:
        seat, action = match.to_act, chance.choice(match.legal())
        ref = f"m{len(moves)}"
        history.events.append(Sent(ref, seat, len(moves), action))
        match.play(action)
        moves.append(Made(seat, action))
        history.events.append(Answered(ref, len(moves)))
        show(have)
    history.events.append(Told(0, "ended", f'{{"secret":"{SECRET}"}}'.encode()))
    return history, Record(moves, deal, (SECRET,))


@pytest.mark.parametrize(("game", "players"), [("mantis", 2), ("infinity-gauntlet", 3)])
def test_an_honest_history_is_found_right(game: str, players: int) -> None:
    assert check(*honest(game, players)) == []


def lose_the_last(history: History, record: Record) -> None:
    record.moves.pop()


def exchange_two(history: History, record: Record) -> None:
    n = next(n for n in range(len(record.moves) - 1) if record.moves[n] != record.moves[n + 1])
    record.moves[n : n + 2] = record.moves[n + 1], record.moves[n]


def acknowledge_twice(history: History, record: Record) -> None:
    history.events += [Sent("again", *record.moves[3][:1], 3, record.moves[3].action), Answered("again", 4)]


def refuse_what_is_there(history: History, record: Record) -> None:
    history.events[:] = [Answered("m3", None, "busy") if e == Answered("m3", 4) else e for e in history.events]


def write_what_nobody_sent(history: History, record: Record) -> None:
    history.events[:] = [e for e in history.events if not (isinstance(e, Sent | Answered) and e.ref == "m3")]


def show_another_view(history: History, record: Record) -> None:
    frames = [n for n, event in enumerate(history.events) if isinstance(event, Shown)]
    history.events[frames[5]] = history.events[frames[5]]._replace(view=b"{}")  # type: ignore[call-arg]


def show_other_lines(history: History, record: Record) -> None:
    frames = [n for n, event in enumerate(history.events) if isinstance(event, Shown)]
    history.events[frames[5]] = history.events[frames[5]]._replace(lines=b"[]")  # type: ignore[call-arg]


def show_anothers_cards(history: History, record: Record) -> None:
    """Seat 1 gets the frames of seat 0."""
    history.events[:] = [
        event._replace(viewer=1) if isinstance(event, Shown) and event.viewer == 0 else event
        for event in history.events
    ]


def go_back(history: History, record: Record) -> None:
    frames = [event for event in history.events if isinstance(event, Shown) and event.connection == 0]
    history.events.append(frames[2])


def connect_to_the_past(history: History, record: Record) -> None:
    """A node that has missed the last moves shows somebody who comes what it has."""
    frames = [event for event in history.events if isinstance(event, Shown) and event.connection == 0]
    history.events += [Connecting(9), frames[-2]._replace(connection=9)]


def tell_the_secret(history: History, record: Record) -> None:
    history.events.insert(3, Told(0, "playing", SECRET.encode()))


def get_stuck(history: History, record: Record) -> None:
    record.has_ended = False


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        (lose_the_last, "lost"),
        (lose_the_last, "ahead"),
        (exchange_two, "lost"),
        (exchange_two, "damaged"),
        (acknowledge_twice, "twice"),
        (refuse_what_is_there, "refused"),
        (write_what_nobody_sent, "unsent"),
        (show_another_view, "shown"),
        (show_other_lines, "shown"),
        (show_anothers_cards, "shown"),
        (go_back, "back"),
        (connect_to_the_past, "stale"),
        (tell_the_secret, "leaked"),
        (get_stuck, "stuck"),
    ],
)
def test_a_fault_is_found(damage: Callable[[History, Record], None], kind: str) -> None:
    history, record = honest("infinity-gauntlet", 3)
    damage(history, record)
    found = check(history, record)
    assert kind in {violation.kind for violation in found}, found


def test_what_others_saw_after_a_connection_began_may_come_to_it_later() -> None:
    history, record = honest()
    frames = [event for event in history.events if isinstance(event, Shown) and event.connection == 0]
    history.events.insert(history.events.index(frames[4]), Connecting(9))
    history.events += [each._replace(connection=9) for each in frames[4:]]
    assert check(history, record) == []


def test_what_nobody_was_answered_may_be_there_or_not() -> None:
    history, record = honest()
    history.events[:] = [event for event in history.events if event != Answered("m3", 4)]
    assert check(history, record) == []
    history.events.append(Answered("m3", None, "storage-unknown"))
    assert check(history, record) == []
    history.events += [Sent("other", record.moves[4].seat, 4, "something else")]
    assert check(history, record) == []


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (["t 7 1", "t 8 1", "t 9 3"], 0),
        (["t 7 1", "t 8 1", "t 7 3"], 0),  # the same bytes, sent again by a node that has the lease now
        (["t 7 3", "t 8 1"], 1),
        (["t 7 3", "u 8 1"], 0),
    ],
)
def test_an_entry_of_a_node_that_lost_its_lease_is_found(tmp_path: Path, written: list[str], found: int) -> None:
    file = tmp_path / "leases"
    file.write_text("".join(f"{line}\n" for line in written))
    assert [violation.kind for violation in Leases(file).check("t")] == ["lease"] * found
