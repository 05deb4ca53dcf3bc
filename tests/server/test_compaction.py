"""Finished tables become one row each some days after their end, and look as before."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from tavolino.server.features import entry_kinds
from tavolino.server.features.plans import Planned
from tavolino.server.features.ratings.stored import StoredResults
from tavolino.server.kernel import compaction
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.state import TableState
from tavolino.server.operators.backup import back_up, check_backup
from tavolino.server.operators.transfer import SqliteSide, move_data
from tavolino.server.storage.opening import FILE
from tests.server.clients import Guest, again, play_to_end, seat_everybody, start
from tests.server.conftest import Clock, Server
from tests.server.test_data_folder import bytes_of

StartServer = Callable[..., Server]
DAY = 86_400


def finish(people: list[Guest], **settings: Any) -> str:
    table = seat_everybody(people, "mantis", first_seat=0, **settings)
    start(people, table)
    sockets = [person.socket(table) for person in people]
    play_to_end(people, sockets)
    for socket in sockets:
        socket.close()
    return table


def looked_at(person: Guest, table: str) -> list[Any]:
    paths = ("", "/record", "/frames?perspective=open", "/frames?perspective=0")
    answers = [person.http.get(f"/api/tables/{table}{path}") for path in paths]
    assert {answer.status_code for answer in answers} == {200}
    return [answer.json() for answer in answers]


def stored(server: Server, table: str) -> tuple[int, int]:
    """How many entries of a table are stored one by one, and how many in one row."""
    query = "SELECT (SELECT count(*) FROM entries WHERE table_id = id), compacted FROM tables WHERE id = :table"
    entries, compacted = server.run(lambda: server.context.storage.database.first(query, table=table))
    return entries, compacted


def sweep(server: Server, *tables: str) -> None:
    """The tables are not in memory by then."""
    for table in tables:
        server.run(partial(server.registry.discard, table))
    server.run(server.housekeeping.sweep)


def test_a_compacted_game_is_shown_verified_and_played_on_as_before(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock, compact_days=7).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table, running = finish(people), people[0].open("mantis", 2)
    before, count = looked_at(people[0], table), stored(server, table)[0]
    clock.advance(6 * DAY)
    sweep(server, table)
    assert stored(server, table) == (count, 0)
    clock.advance(2 * DAY)
    with people[0].socket(table) as socket:
        assert socket.ask(type="watch")["type"] == "accepted"
        sweep(server)
        assert stored(server, table) == (count, 0), "it is in memory: somebody is in its room"
    sweep(server, table)
    assert stored(server, table) == (0, count)
    assert stored(server, running)[1] == 0, "it has not ended"

    assert looked_at(people[0], table) == before
    history = people[0].http.get("/api/me/tables").json()
    assert [card["id"] for card in history["finished"]] == [table]
    again = people[0].http.post(f"/api/tables/{table}/play-on", json={"turn": 3, "seat": 0})
    assert again.status_code == 201, again.text

    people[1].do(table, "mute", seat=0, muted=True)  # one more entry
    server.run(lambda: server.registry.discard(table))
    assert people[1].http.get(f"/api/tables/{table}").json()["you"]["muted"] == [0]
    assert stored(server, table) == (1, count)
    server.run(server.housekeeping.check_tables)
    assert server.registry.damaged == set()


def journal(*more: e.Entry) -> list[bytes]:
    """Celina has left before the start, Dario was kicked."""
    seated = [e.Joined(0, "A" * 22), e.Joined(1, "C" * 22), e.Vacated(1), e.Joined(1, "D" * 22), e.Vacated(1, True)]
    entries = [e.Opened("mantis", "1", "A" * 22, "00" * 32, 1.0, seats=2), *seated, e.Joined(1, "B" * 22)]
    moves = [e.Moved(0, "score", 1_763_000_000.25, up=1234.5), e.Moved(1, "steal 0", 1_763_000_002.75, up=1237.0)]
    end = [e.TakenBack(1, 1, 5.0), e.Ended("agreed", (0,), None, 9.0)]
    return [e.encode(entry) for entry in (*entries, e.Dealt(2.0), *moves, *end, *more)]


def test_plans_times_and_the_ids_of_who_left_are_dropped_and_nothing_else() -> None:
    kinds, entries, living = entry_kinds(), journal(Planned(0, ("score",))), {letter * 22 for letter in "ABCD"}
    compacted = compaction.compact(kinds, "t", entries, living)
    assert compacted is not None
    kept = b"".join(compaction.unpack("t", compacted.content))
    assert [word in kept for word in (b"planned", b"1763000000", b"1234.5", b"C" * 22)] == [False] * 4
    assert compacted.mentions == {"D" * 22}, "who was kicked stays away, and must be found when the identity is deleted"
    before, after = (
        kinds.replay(TableState("t"), entries),
        compaction.restore(kinds, "t", len(entries), compacted.content),
    )
    assert after.number == len(entries)
    assert (after.actions, after.taken_back, after.kicked) == (["score"], before.taken_back, {"D" * 22})
    assert (after.places, after.ending, after.secret, after.salts) == (
        before.places, before.ending, before.secret, before.salts,
    )  # fmt: skip


def test_deleted_people_get_other_ids() -> None:
    compacted = compaction.compact(entry_kinds(), "t", journal(), {"B" * 22})
    assert compacted is not None
    assert compacted.new_ids.keys() == {letter * 22 for letter in "ACD"}
    assert compacted.mentions == set()
    state = compaction.restore(entry_kinds(), "t", 9, compacted.content)
    assert state.people == [compacted.new_ids["A" * 22], "B" * 22]
    assert state.host == state.people[0]


def id_of(server: Server, name: str) -> str:
    query = "SELECT id FROM people WHERE name = :name"
    return str(server.run(lambda: server.context.storage.database.value(query, name=name)))


def unpacked(server: Server, table: str) -> bytes:
    """All that is stored of a compacted table."""

    async def read() -> bytes:
        found, row = await server.context.storage.compacted(table), await server.context.storage.row(table)
        assert found is not None
        assert row is not None
        return b"".join([*compaction.unpack(table, found[1]), row.card])

    return bytes(server.run(read))


def test_threat_44_no_byte_of_a_deleted_identity_stays_at_a_compacted_table(
    start_server: StartServer, tmp_path: Path
) -> None:
    clock = Clock()
    server = start_server(tmp_path / "data", clock=clock, compact_days=0).ready("mantis")
    names = ("Zuleika-Unique", "Bruno-Stays", "Celina-Kicked")
    people = [Guest(server.address, name) for name in names]
    ids = [id_of(server, name) for name in names]
    zuleika, bruno, celina = people
    table = zuleika.open("mantis", 2, first_seat=0)
    celina.do(table, "join", seat=1)
    zuleika.do(table, "kick", seat=1)
    bruno.do(table, "join", seat=1)
    start(people[:2], table)
    sockets = [person.socket(table) for person in people[:2]]
    play_to_end(people[:2], sockets)
    for socket in sockets:
        socket.close()
    clock.advance(60)
    before = looked_at(bruno, table)
    sweep(server, table)
    stays = unpacked(server, table)
    assert [each.encode() in stays for each in ids] == [True] * 3
    zuleika.do(table, "mute", seat=1, muted=True)  # an entry after it, with her id
    with celina.socket(table) as socket:
        assert socket.ask(type="watch")["type"] == "accepted"
        refused = socket.ask(type="note", variation=None, text="hello", move=0)
        assert refused["problem"]["code"] == "kicked", "as before"
    for person, name, identity in ((zuleika, names[0], ids[0]), (celina, names[2], ids[2])):
        assert person.http.delete("/api/me").status_code == 204
        for secret in (name.encode(), identity.encode()):
            assert secret not in bytes_of(tmp_path / "data")
            assert secret not in unpacked(server, table)
    assert ids[1].encode() in unpacked(server, table)
    after = looked_at(bruno, table)
    assert after[1] == before[1], "the record"
    assert after[0]["seats"][0]["name"] is None
    server.run(server.housekeeping.check_tables)
    assert server.registry.damaged == set()


def test_a_table_is_not_compacted_while_a_feature_waits_for_it_although_it_is_off(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock, compact_days=0, without=("ratings", "circles")).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table, results = finish(people), StoredResults(server.context.storage)
    clock.advance(60)
    server.run(lambda: results.expect_result(table))
    sweep(server, table)
    assert stored(server, table)[1] == 0, "the rating is open"
    server.run(lambda: results.settle_result(table, []))
    sweep(server, table)
    assert stored(server, table)[1] > 0


def test_a_daily_deal_is_compacted_when_nobody_can_play_it_any_more(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock, compact_days=0).ready("mantis")
    ada = Guest(server.address, "Ada")
    table = ada.http.post("/api/daily/mantis").json()["id"]
    with ada.socket(table) as socket:
        socket.until("play")
        ada.do(table, "resign")
        socket.until_phase("ended")
    clock.advance(60)
    sweep(server, table)
    assert stored(server, table)[1] == 0, "others play it"
    clock.advance(2 * DAY)
    sweep(server, table)
    assert stored(server, table)[1] > 0


def test_compacted_tables_are_backed_up_moved_and_checked(start_server: StartServer, tmp_path: Path) -> None:
    clock = Clock()
    server = start_server(tmp_path / "data", clock=clock, compact_days=0).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = finish(people)
    clock.advance(60)
    before = looked_at(people[0], table)
    sweep(server, table)
    people[0].do(table, "mute", seat=1, muted=True)
    before[0]["you"]["muted"], count = [1], stored(server, table)
    back_up(tmp_path / "data", tmp_path / "backup")
    server.stop()

    async def move() -> dict[str, int]:
        return await move_data(SqliteSide(tmp_path / "data"), SqliteSide(tmp_path / "moved"))

    assert asyncio.run(move())["compact_entries"] == 1
    assert asyncio.run(check_backup(tmp_path / "backup")).wrong == []
    (tmp_path / "restored").mkdir()
    shutil.copy(tmp_path / "backup", tmp_path / "restored" / FILE)
    for folder in ("moved", "restored"):
        other = start_server(tmp_path / folder, compact_days=0).ready("mantis")
        assert stored(other, table) == count
        assert looked_at(again(people[0], other.address), table) == before
        other.stop()
    connection = apsw.Connection(str(tmp_path / "backup"))
    connection.execute("UPDATE compact_entries SET content = digest")
    connection.close()
    assert asyncio.run(check_backup(tmp_path / "backup")).wrong == [
        f"table {table}: its compacted entries are not as they were written"
    ]
