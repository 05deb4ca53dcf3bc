"""Order and loss of moves (threats 17 to 22 of docs/threats.md)."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

import tavolino
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.features import entry_kinds
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import rows
from tavolino.server.storage import Appended
from tavolino.server.storage.sqlite import SqliteStorage
from tests.server.clients import Guest, dealt_table, watch
from tests.server.conftest import GAMES, Server
from tests.server.failing_disk import FailingDisk
from tests.server.worlds import set_scene

Guests = Callable[[int], list[Guest]]


def playing_table(people: list[Guest]) -> str:
    return dealt_table(people, "mantis", first_seat=0)


def test_threat_17_a_repeated_move_is_refused_and_changes_nothing(server: Server, guests: Guests) -> None:
    people = guests(2)
    table = playing_table(people)
    first = people[0].command(table, "move", turn=0, action="score")
    assert first.status_code == 200
    assert first.json()["turn"] == 1
    again = people[0].command(table, "move", turn=0, action="score")
    assert again.status_code == 409
    assert again.json()["code"] == "stale-move"
    early = people[0].command(table, "move", turn=5, action="score")
    assert early.json()["code"] == "stale-move"
    assert server.registry.tables[table].turn == 1


def test_threat_17_two_tabs_of_one_player_make_one_move(server: Server, guests: Guests) -> None:
    people = guests(2)
    table = playing_table(people)
    with people[0].socket(table) as one, people[0].socket(table) as other:
        one.until("play")
        other.until("play")
        for tab in (one, other):
            tab.send(type="move", turn=0, action="score", ref="tab")
        answers = []
        for tab in (one, other):
            while (message := tab.receive()).get("ref") != "tab":
                pass
            answers.append(message["type"])
        assert sorted(answers) == ["accepted", "refused"]
        assert one.until_turn(1)["view"] == other.until_turn(1)["view"]
    assert server.registry.tables[table].turn == 1


def test_threat_17_many_moves_at_once_make_exactly_one(server: Server, guests: Guests) -> None:
    people = guests(2)
    table = playing_table(people)
    with people[0].socket(table) as socket:
        socket.until("play")
        for n in range(30):
            socket.send(type="move", turn=0, action="score", ref=str(n))
        answers: list[str] = []
        while len(answers) < 30:
            message = socket.receive()
            if message.get("ref") is not None:
                answers.append(message["type"])
        assert answers.count("accepted") == 1


def test_threat_18_a_move_is_acknowledged_and_shown_only_when_it_is_durable(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    """The disk is full when the move is made: it is refused, nobody sees it, and it is possible again later."""
    disk = FailingDisk("full-at-table")
    storage = SqliteStorage(tmp_path / "disk", vfs=disk.name)
    server = start_server(storage=storage).ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = playing_table(people)
    with people[1].socket(table) as other:
        other.until("play")
        disk.is_full = True
        refused = people[0].command(table, "move", turn=0, action="score")
        assert refused.status_code == 507
        assert refused.json()["code"] == "storage-full"
        assert people[0].http.get(f"/api/tables/{table}/play").json()["turn"] == 0
        assert [message for message in other.drain() if message["type"] == "play"] == []
        assert people[0].http.get("/healthz").status_code == 503
        disk.is_full = False
        assert people[0].command(table, "move", turn=0, action="score").status_code == 200
        assert other.until_turn(1)["turn"] == 1


def test_threat_19_when_somebody_else_has_written_the_number_it_is_decided_again(
    start_server: Callable[..., Server],
) -> None:
    server = start_server().ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = playing_table(people)
    live = server.registry.tables[table]

    async def write_as_another_server() -> None:
        state = live.state.copy()
        entry = e.Moved(0, "score", 1.0)
        entry_kinds().apply(state, entry)
        row = rows.row_of(state, None, server.clock.now(), entry_kinds())
        await server.context.storage.append(Appended(row, live.state.number + 1, [e.encode(entry)]))

    server.run(write_as_another_server)
    refused = people[0].command(table, "move", turn=0, action="score")
    assert refused.json()["code"] == "stale-move"  # decided again, on what is stored
    assert server.registry.tables[table] is live
    play = people[0].http.get(f"/api/tables/{table}/play").json()
    assert play["turn"] == 1


def test_threat_19_whoever_still_waits_when_a_table_is_read_again_gets_an_answer(
    start_server: Callable[..., Server],
) -> None:
    server = start_server().ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = playing_table(people)

    async def ask_and_discard() -> list[Any]:
        live = server.registry.tables[table]
        asking = [asyncio.create_task(live.ask(live.state.people[0], p.Ping(ref=str(n)))) for n in range(3)]
        await asyncio.sleep(0)  # they are in the inbox now
        server.registry.discard(table)
        asking.append(asyncio.create_task(live.ask(live.state.people[0], p.Ping(ref="late"))))
        return await asyncio.gather(*asking, return_exceptions=True)

    answers = server.run(ask_and_discard)
    assert [type(answer) for answer in answers] == [Refused] * 4
    assert {answer.problem.code for answer in answers} == {"busy"}
    assert people[0].do(table, "move", turn=0, action="score")["turn"] == 1


@pytest.mark.parametrize("game", GAMES)
def test_threat_20_resuming_at_every_number_gives_the_views_of_an_uncut_connection(server: Server, game: str) -> None:
    scene = set_scene(server, game)
    uncut = [person.socket(scene.table) for person in scene.people]
    spectator = watch(server.address, scene.table)
    lengths: list[list[int]] = []
    chance = random.Random(game)
    for turn in range(12):
        for socket in (*uncut, spectator):
            socket.until_turn(turn)
        lengths.append([len(socket.log) for socket in (*uncut, spectator)])
        if uncut[0].play["view"]["over"]:  # type: ignore[index]
            break
        scene.play(1, chance.choice)
    for index, (person, whole) in enumerate([*zip(scene.people, uncut, strict=True), (None, spectator)]):
        whole.drain(0.1)
        for known in {length[index] for length in lengths} | {0}:
            cut = person.socket(scene.table, lines=known) if person else None
            cut = cut or watch(server.address, scene.table)
            cut.log = list(whole.log[:known])
            cut.until("play")
            assert cut.log == whole.log
            strip = {key: value for key, value in cut.play.items() if key in ("turn", "view")}  # type: ignore[union-attr]
            assert strip == {key: whole.play[key] for key in ("turn", "view")}  # type: ignore[index]
            cut.close()


def test_threat_20_a_line_count_from_nowhere_is_no_harm(server: Server, guests: Guests) -> None:
    people = guests(2)
    table = playing_table(people)
    with people[0].socket(table, lines=999_999) as socket:
        assert socket.until("play")["lines"] == []


def test_threat_21_a_table_of_unknown_rules_is_closed_with_a_word_and_its_record_kept(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = start_server(tmp_path / "data").ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = playing_table(people)
    people[0].do(table, "move", turn=0, action="score")
    server.stop()
    with apsw.Connection(str(tmp_path / "data" / "tavolino.sqlite")) as connection:
        (first,) = connection.execute("SELECT entry FROM entries WHERE number = 1").fetchone()  # type: ignore[misc]
        changed = first.replace(b'"rules":"2"', b'"rules":"0-old"')
        assert changed != first
        connection.execute("UPDATE entries SET entry = ? WHERE number = 1", (changed,))
        connection.execute("UPDATE tables SET chain = NULL")  # as 0.1 wrote it
    connection.close()
    again = start_server(tmp_path / "data").ready("mantis")
    headers = people[0].headers
    shown = httpx.get(f"{again.address}/api/tables/{table}", headers=headers).json()
    assert shown["phase"] == "ended"
    assert shown["ending"]["how"] == "closed"
    assert shown["fairness"]["secret"] is not None
    record = httpx.get(f"{again.address}/api/tables/{table}/record", headers=headers).json()
    assert record["rules"] == "0-old"
    assert record["actions"] == ["score"]


def test_threat_22_a_move_that_crashes_hurts_that_table_only(
    start_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start_server().ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    broken, fine = playing_table(people), playing_table(people)
    true_advance = Match.advance

    def crash(self: Match, action: str) -> Any:
        if action == "steal 1":
            raise RuntimeError("a rule has a bug")
        return true_advance(self, action)

    with monkeypatch.context() as patch:
        patch.setattr(Match, "advance", crash)
        answer = people[0].command(broken, "move", turn=0, action="steal 1")
        assert answer.status_code == 500
        assert answer.json()["code"] == "move-failed"
        assert people[0].command(fine, "move", turn=0, action="score").status_code == 200
        assert people[0].command(broken, "move", turn=0, action="score").status_code == 200
    (kept,) = (server.settings.data / "crashes").glob("*.json")
    record = json.loads(kept.read_text())
    action = record.pop("crashing_action")
    match = tavolino.replay(record)
    assert action in match.legal(), "the kept record reproduces the position"
    assert kept.stat().st_mode & 0o077 == 0


def test_threat_42_a_table_whose_task_has_ended_is_read_again(
    start_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process without memory cannot even log an error. Nobody waits for an answer, and the table goes on."""
    server = start_server().ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = playing_table(people)
    people[0].do(table, "move", turn=0, action="score")
    to_act, dead = (
        people[0].http.get(f"/api/tables/{table}/play").json()["view"]["to_act"],
        server.registry.tables[table],
    )

    def fail(*_: Any) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(dead, "_do", fail)  # nor can the refusal be written
        patch.setattr(dead, "_refuse", fail)
        answer = people[to_act].command(table, "move", turn=1, action="score")
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    people[to_act].do(table, "move", turn=1, action="score")
    assert server.registry.tables[table] is not dead
