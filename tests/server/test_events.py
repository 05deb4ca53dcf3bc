"""One stream for a person: turns, invitations, starts and ends at all of their tables; and tokens for sockets."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tavolino.server.clock import Moment
from tavolino.server.features.events import feature
from tavolino.server.features.events.stored import PersonsTable
from tavolino.server.features.events.stream import Stream
from tavolino.server.kernel.rows import row_of
from tavolino.server.storage import StorageError
from tests.server.clients import TIMEOUT, Guest, dealt_table, people_in_play, seat_everybody, socket_url, start
from tests.server.conftest import GENEROUS, Server
from tests.server.worlds import set_scene

StartServer = Callable[..., Server]


class Listener:
    """Reads a stream, event by event, and keeps its bytes."""

    def __init__(self, guest: Guest, since: str | None = None, address: str | None = None) -> None:
        headers = {**guest.headers, **({"Last-Event-ID": since} if since is not None else {})}
        self._http = httpx.Client(base_url=address or guest.address, timeout=TIMEOUT, headers=headers)
        self._answer = self._http.send(self._http.build_request("GET", "/api/me/events"), stream=True)
        self.status, self.type = self._answer.status_code, self._answer.headers["Content-Type"]
        self.raw = b""
        self.last = since
        self._events = self._read() if self.status == 200 else iter(())

    def _read(self) -> Iterator[dict[str, Any]]:
        text = ""
        end = time.monotonic() + TIMEOUT
        for chunk in self._answer.iter_bytes():
            assert time.monotonic() < end, "only heartbeats came"
            self.raw += chunk
            text += chunk.decode()
            *whole, text = text.split("\n\n")
            for part in whole:
                fields = dict(re.findall(r"^(\w+): (.*)$", part, re.M))
                if "data" in fields:
                    self.last = fields["id"]
                    event = json.loads(fields["data"])
                    assert event["type"] == fields["event"]
                    yield event

    def __next__(self) -> dict[str, Any]:
        return next(self._events)

    def until_end(self) -> list[dict[str, Any]]:
        """What still comes before the server ends the stream."""
        return list(self._events)

    def problem(self) -> str:
        self._answer.read()
        code: str = self._answer.json()["code"]
        return code

    def close(self) -> None:
        self._http.close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feature, "HEARTBEAT_SECONDS", 0.05)


def test_a_person_hears_of_starts_turns_and_ends_at_all_tables(server: Server) -> None:
    server.ready("mantis")
    ada, bruno = Guest(server.address, "Ada"), Guest(server.address, "Bruno", is_program=True)
    with closing(Listener(bruno)) as told:
        assert told.type == "text/event-stream; charset=utf-8"
        for _ in range(2):
            table = dealt_table([ada, bruno], "mantis", first_seat=1)
            named = {"table": table, "game": "mantis"}
            assert next(told) == {"type": "start", **named, "seat": 1}
            assert next(told) == {"type": "turn", **named, "turn": 0}
        for person in (ada, bruno):
            person.do(table, "agree-end", agree=True)
        ending: dict[str, Any] = {"how": "agreed", "winners": [], "reason": None}
        assert next(told) == {"type": "end", **named, "ending": ending}


def test_an_error_that_nobody_has_foreseen_ends_no_stream(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start_server().ready("mantis")
    ada, bruno = Guest(server.address, "Ada"), Guest(server.address, "Bruno", is_program=True)
    stored = server.feature(feature.Events)._stored
    among, failed = stored.among, list[Any]()

    async def fail_once(*arguments: Any) -> Any:
        if not failed:
            failed.append(arguments)
            raise KeyError
        return await among(*arguments)

    monkeypatch.setattr(stored, "among", fail_once)
    with closing(Listener(bruno)) as told:
        table = dealt_table([ada, bruno], "mantis", first_seat=1)
        assert next(told) == {"type": "start", "table": table, "game": "mantis", "seat": 1}
    assert len(failed) == 1
    assert "events failed" in server.log.getvalue()


def test_each_decision_of_ones_own_is_an_event_and_those_of_others_are_none(server: Server) -> None:
    scene = set_scene(server, "mantis", seats=2)
    listeners = [Listener(person) for person in scene.people]
    for listener in listeners:
        assert next(listener)["type"] == "start"
    movers = []
    for turn in range(8):
        seat = scene.live.to_act
        assert seat is not None
        movers.append(seat)
        told = next(listeners[seat])
        assert (told["type"], told["turn"]) == ("turn", turn)
        scene.play(1, lambda legal: legal[0])
    assert set(movers) == {0, 1}
    for listener in listeners:
        listener.close()


def test_an_invitation_is_heard_and_answered(server: Server) -> None:
    (ada, bruno), old = people_in_play(server.address)
    with closing(Listener(bruno)) as told:
        assert next(told)["table"] == old
        table = ada.open("mantis", 2)
        ada.do(table, "invite", from_table=old, seat=1)
        assert next(told) == {"type": "invitation", "table": table, "game": "mantis"}
        bruno.do(table, "join")
        start([ada, bruno], table)
        assert next(told) == {"type": "start", "table": table, "game": "mantis", "seat": 1}


def test_who_comes_back_with_the_last_id_hears_what_was_missed_and_not_what_is_old(server: Server) -> None:
    (ada, bruno), old = people_in_play(server.address)
    server.clock.advance(60)
    table = dealt_table([bruno, ada], "mantis", first_seat=0)
    with closing(Listener(bruno)) as told:
        assert [next(told)["table"] for _ in range(3)] == [old, table, table]
        last = told.last
    server.clock.advance(5)
    for person in (ada, bruno):
        person.do(table, "agree-end", agree=True)
    with closing(Listener(bruno, last)) as told:
        assert next(told)["type"] == "end"  # and nothing of the old table
    with closing(Listener(bruno)) as told:
        assert next(told)["table"] == old  # without an id: all tables that have not ended


def test_a_private_change_of_somebody_else_is_not_heard_not_even_after_coming_back(server: Server) -> None:
    """Plans are private: a stream with an id must not tell that one was stored."""
    (ada, bruno), _ = people_in_play(server.address)
    other = dealt_table([ada, bruno], "mantis", first_seat=0)
    server.clock.advance(60)
    table = seat_everybody([ada, bruno], "mantis")
    start([ada, bruno], table)
    with closing(Listener(bruno)) as told:
        while next(told)["table"] != table:
            pass
        last = told.last
        ada.do(other, "plan", moves=[], orders=[], forced=True)
        ada.do(table, "agree-end", agree=True)
        bruno.do(table, "agree-end", agree=True)
        assert next(told)["type"] in ("turn", "end")  # nothing of `other`
    with closing(Listener(bruno, last)) as told:
        assert next(told)["table"] == table


@pytest.mark.parametrize("game", ["infinity-gauntlet", "mantis", "splendor-marvel"])
def test_threat_1_a_stream_has_the_same_bytes_in_two_worlds(server: Server, game: str) -> None:
    """What is stored beside the entries, and told, does not depend on what the listener cannot know."""
    scene = set_scene(server, game)

    def heard(seat: int, match: Any, now: Moment) -> bytes:
        state = scene.live.state
        row, person = row_of(state, match, now, server.registry.kinds), state.places[seat].person or ""
        stream = Stream(person, 10)
        stream.tell(PersonsTable(person, row.table, row.game, row.phase, row.changed or 0, row.card))
        return stream.take_all()

    turns = 0
    for moves in (0, 3, 3, 3):
        scene.play(moves, lambda legal: legal[0])
        true, now = scene.live.match, server.clock.now()
        assert true is not None
        for seat in range(len(scene.people)):
            told = heard(seat, true, now)
            assert told == heard(seat, true.resample(seat, 7), now)
            turns += b"event: turn" in told
    assert turns == 4


def test_nobody_hears_of_tables_where_they_do_not_sit(server: Server, quick: None) -> None:
    ada, stranger = Guest(server.address, "Ada"), Guest(server.address, "Stranger")
    with closing(Listener(stranger)) as told:
        people_in_play(server.address)
        mine = dealt_table([stranger, ada], "mantis", first_seat=0)
        assert [next(told)["table"] for _ in range(2)] == [mine, mine]


def test_wrong_use_is_refused_with_its_code(server: Server) -> None:
    ada = Guest(server.address)
    answer = httpx.get(f"{server.address}/api/me/events")
    assert (answer.status_code, answer.json()["code"]) == (401, "no-identity")
    for wrong in ("x", "-1", "1" * 13, "1.5"):
        with closing(Listener(ada, wrong)) as told:
            assert (told.status, told.problem()) == (400, "bad-message")


def test_streams_of_a_person_are_limited_and_places_become_free(start_server: StartServer, quick: None) -> None:
    server = start_server(limits=replace(GENEROUS, streams_per_person=2))
    ada, bruno = Guest(server.address), Guest(server.address, "Bruno")
    first, second = Listener(ada), Listener(ada)
    with closing(Listener(ada)) as third, closing(Listener(bruno)) as other:
        assert (third.status, third.problem()) == (429, "too-many-streams")
        assert other.status == 200
    first.close()
    events = server.registry.features.by_name["events"]
    while len(events._streams[_id(server, ada)]) == 2:  # type: ignore[attr-defined]
        pass
    with closing(Listener(ada)) as again:
        assert again.status == 200
    second.close()


def test_streams_that_begin_at_once_are_limited_too(start_server: StartServer) -> None:
    server = start_server(limits=replace(GENEROUS, streams_per_person=2))
    events = server.feature(feature.Events)

    async def may_listen() -> bool:
        return True

    async def begin() -> list[bytes | None]:
        streams = [events.sent("ada", None, may_listen, lambda: False) for _ in range(4)]
        firsts = [await anext(stream, None) for stream in streams]
        for stream in streams:
            await stream.aclose()  # type: ignore[attr-defined]
        return firsts

    assert server.run(begin) == [feature.FIRST] * 2 + [None] * 2
    assert events._streams == {}


@pytest.mark.parametrize("moment", ["at the beginning", "later"])
def test_a_stream_ends_without_a_traceback_when_the_storage_fails(
    start_server: StartServer, moment: str, monkeypatch: pytest.MonkeyPatch, quick: None
) -> None:
    async def fail(*arguments: Any) -> Any:
        raise StorageError("gone")

    server = start_server()
    ada, storage = Guest(server.address), server.context.storage
    if moment == "at the beginning":
        monkeypatch.setattr(server.feature(feature.Events)._stored, "of", fail)
    with closing(Listener(ada)) as told:
        if moment == "later":
            monkeypatch.setattr(storage, "person_of", fail)
            server.run(server.context.people._remembered.clear)
        assert told.until_end() == []
    assert "events cannot be read" in server.log.getvalue()
    assert "raceback" not in server.log.getvalue()


def _id(server: Server, guest: Guest) -> str:
    person = server.run(lambda: server.context.people.recognise(guest.token))
    found: str = person.id
    return found


def test_a_reader_who_is_too_far_behind_is_cut_off_and_resumes(start_server: StartServer) -> None:
    """The stream ends; what it would have told is told again to whoever comes back."""
    server = start_server(limits=replace(GENEROUS, waiting_messages=1)).ready("mantis")
    ada, bruno = Guest(server.address), Guest(server.address, "Bruno")
    with closing(Listener(bruno)) as told:
        table = dealt_table([bruno, ada], "mantis", first_seat=0)  # start and turn at once are two
        assert told.until_end() == []
    server.clock.advance(1)
    assert table in server.registry.tables


def test_a_stream_ends_when_its_person_is_deleted_or_signed_out(server: Server, quick: None) -> None:
    ada, bruno = Guest(server.address), Guest(server.address, "Bruno")
    with closing(Listener(ada)) as deleted, closing(Listener(bruno)) as out:
        ada.http.delete("/api/me")
        assert deleted.until_end() == []
        link = bruno.http.post("/api/me/link").json()["code"]
        other = httpx.post(f"{server.address}/api/me/return", json={"code": link})
        token = other.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
        httpx.delete(f"{server.address}/api/me/devices", headers={"Authorization": f"Bearer {token}"})
        assert out.until_end() == []


def test_streams_end_when_the_server_stops(start_server: StartServer) -> None:
    server = start_server()
    with closing(Listener(Guest(server.address))) as told:
        server.stop()
        assert told.until_end() == []
    assert "Traceback" not in server.log.getvalue()


def test_switched_off_there_is_no_stream(start_server: StartServer) -> None:
    server = start_server(without=("events",))
    with closing(Listener(Guest(server.address))) as told:
        assert (told.status, told.problem()) == (404, "not-found")


# -- tokens for sockets, for programs in browsers


def open_socket(server: Server, table: str, *offered: str, origin: str | None = None) -> Any:
    return connect(
        socket_url(server.address, table),
        subprotocols=list(offered),  # type: ignore[arg-type]
        origin=origin,  # type: ignore[arg-type]
        open_timeout=TIMEOUT,
    )


def test_a_program_in_a_browser_names_its_token_as_a_subprotocol(server: Server) -> None:
    (ada, _), table = people_in_play(server.address)
    with open_socket(server, table, "tavolino", f"tavolino.token.{ada.token}", origin="https://elsewhere.test") as own:
        assert own.subprotocol == "tavolino"
        own.send('{"type": "hello", "lines": 0}')
        assert json.loads(own.recv())["table"]["you"]["seat"] == 0


def test_a_wrong_token_as_a_subprotocol_opens_nothing(server: Server) -> None:
    _, table = people_in_play(server.address)
    with pytest.raises(InvalidStatus) as refused:
        open_socket(server, table, "tavolino", "tavolino.token.wrong", origin="https://elsewhere.test")
    assert refused.value.response.status_code == 401
    with pytest.raises(InvalidStatus) as refused:  # without a token the origin counts
        open_socket(server, table, "tavolino", origin="https://elsewhere.test")
    assert refused.value.response.status_code == 403
