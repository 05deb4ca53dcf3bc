"""Snapshots change nothing but the time that loading takes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx

from tavolino.server.features import entry_kinds, packages
from tavolino.server.features.chat.mutes import Muted
from tavolino.server.features.invitations import GroupInvited, InvitationDeclined, Invited
from tavolino.server.features.notifications.feature import WebhookSet
from tavolino.server.features.plans import PlanDropped, Planned
from tavolino.server.features.ready_marks import MarkedReady
from tavolino.server.features.rematch import RematchMade
from tavolino.server.features.seat_pictures import AvatarChosen
from tavolino.server.features.take_back import TakeBackAnswered, TakeBackAsked
from tavolino.server.features.vacations.table import VacationEnded, VacationTaken
from tavolino.server.features.votes import EndVoted, StandInVoted
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import snapshots
from tavolino.server.kernel.state import TableState
from tavolino.server.storage import Appended
from tavolino.server.storage.sqlite import SqliteStorage
from tests.server.clients import Guest, dealt_table
from tests.server.conftest import Server
from tests.server.storage_contract import row

EVERYTHING: list[e.Entry] = [
    e.Opened(
        "mantis",
        "1",
        "ada",
        "00" * 32,
        1.0,
        seats=3,
        options={"icons": False},
        first_seat=1,
        public=True,
        seconds_per_move=60,
        hints=True,
    ),
    e.Joined(0, "ada"),
    e.Joined(1, "bo"),
    e.Vacated(1, kicked=True),
    e.Joined(1, "cy"),
    e.Swapped(0, 1),
    e.BotPlaced(2, "easy"),
    e.SettingsChanged(seats=3, options={"icons": True}, seconds_per_move=90),
    e.Salted(0, "ab" * 32),
    MarkedReady(0, True),
    AvatarChosen(1, 13),
    Invited("dee"),
    Invited("eli"),
    InvitationDeclined("dee"),
    GroupInvited(("eli", "fay")),
    WebhookSet(None, "ada"),
    e.Sealing(2.0),
    e.Sealed(),
    e.Dealt(3.0),
    Planned(0, ("score", "steal 1"), ("end-turn",), True),
    e.Moved(0, "score", 4.0),
    PlanDropped(0),
    TakeBackAsked(0, 0),
    TakeBackAnswered(1, True),
    e.TakenBack(0, 0, 4.2, 2.2),
    e.Moved(0, "steal 1", 4.3),
    VacationTaken(1, 7, 4.5, 2.5),
    VacationEnded(1, 3.5),
    e.WentAway(1),
    StandInVoted(1, 0, True),
    e.StandInCame(1, 5.0),
    e.CameBack(1, 6.0),
    EndVoted(0, True),
    Muted("ada", 2, True),
    e.HostPassed("cy"),
    e.Resigned(1, 7.0),
    e.Ended("resigned", (0,), None, 8.0),
    RematchMade("next"),
]


def test_the_list_of_entries_is_complete() -> None:
    assert {type(entry) for entry in EVERYTHING} == {
        *e.KERNEL_ENTRIES,
        *(kind for package in packages().values() for kind in package.FEATURE.entries),
    }


def test_at_every_number_a_snapshot_and_the_rest_give_the_same_table(tmp_path: Path) -> None:
    async def work() -> None:
        storage = SqliteStorage(tmp_path)
        await storage.open()
        await storage.append(Appended(row("t"), 1, [e.encode(entry) for entry in EVERYTHING]))
        whole = await snapshots.load_state(storage, entry_kinds(), "t")
        state = TableState("t")
        for entry in EVERYTHING:
            entry_kinds().apply(state, entry)
            await storage.keep_snapshot("t", state.number, snapshots.encode(state))
            assert await snapshots.load_state(storage, entry_kinds(), "t") == whole
        await storage.close()

    asyncio.run(work())


def test_a_snapshot_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    async def work() -> None:
        storage = SqliteStorage(tmp_path)
        await storage.open()
        await storage.append(Appended(row("t"), 1, [e.encode(entry) for entry in EVERYTHING]))
        whole = await snapshots.load_state(storage, entry_kinds(), "t")
        assert whole is not None
        good = snapshots.encode(whole)
        for number, content in (
            (3, b"nonsense"),
            (3, b"{}"),
            (3, good),
            (whole.number, good.replace(b'"version":3', b'"version":7')),
        ):
            await storage.keep_snapshot("t", number, content)
            assert await snapshots.load_state(storage, entry_kinds(), "t") == whole
        assert await snapshots.load_state(storage, entry_kinds(), "other") is None
        await storage.close()

    asyncio.run(work())


def test_a_long_game_is_loaded_from_its_snapshot(start_server: Callable[..., Server], tmp_path: Path) -> None:
    server = start_server(tmp_path / "data").ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = dealt_table(people, "mantis", first_seat=0)
    for n in range(snapshots.EVERY):
        people[0].do(table, "mute", seat=1, muted=n % 2 == 0)
    people[0].do(table, "move", turn=0, action="score")
    before = people[0].http.get(f"/api/tables/{table}/play").json()
    server.stop()
    again = start_server(tmp_path / "data").ready("mantis")
    stored = again.run(lambda: again.context.storage.snapshot(table))
    assert stored is not None
    after = httpx.get(f"{again.address}/api/tables/{table}/play", headers=people[0].headers).json()
    assert after == before
