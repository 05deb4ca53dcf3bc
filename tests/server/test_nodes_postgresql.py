"""Several nodes on one PostgreSQL, with Redis between them or without: real processes of both (decision 052)."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec import structs

from tavolino.server.cluster import messages
from tavolino.server.cluster.other_nodes import OtherNodes
from tavolino.server.features.notifications.feature import Notifications
from tavolino.server.main import CannotStart
from tavolino.server.main import _check_data as check_data
from tavolino.server.settings import ServerSettings
from tavolino.server.storage import Appended, LeaseLost
from tavolino.server.storage.postgres import PostgresStorage
from tests.postgresql import Postgres
from tests.redis import Redis
from tests.server.clients import Guest, Socket, seat_everybody, socket_url, start
from tests.server.conftest import GENEROUS, Server
from tests.server.storage_contract import row
from tests.server.test_events import Listener
from tests.server.test_notifications import Endpoint, Phone, play_until_bruno, subscribe
from tests.server.test_operators import StartServer, play

Nodes = Callable[..., list[Server]]


@pytest.fixture(scope="module")
def url(database: Postgres) -> str:
    return database.new_database()


@pytest.fixture
def nodes(start_server: StartServer, tmp_path: Path, url: str, bus: Redis) -> Nodes:
    """Nodes on the database that the tests share; each test leaves no tables in play."""

    def start_nodes(count: int, with_bus: bool = True, **settings: Any) -> list[Server]:
        settings = {"database": url, "bus": bus.url if with_bus else None, "drain_seconds": 0.2, **settings}
        started = [start_server(tmp_path / str(n), **settings).ready("mantis") for n in range(count)]
        for server in started:
            wait_for(partial(has_heard_of, server, count - 1, with_bus))
        return started

    return start_nodes


def wait_for(condition: Callable[[], Any], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.01)


def others_of(server: Server) -> OtherNodes:
    return cast(OtherNodes, server.context.others)


def has_heard_of(server: Server, others: int, with_bus: bool) -> bool:
    known = others_of(server)
    return len(known.living) == others and known.bus.is_connected is with_bus


def at(server: Server, person: Guest, table: str) -> Socket:
    """A socket of a person who came to another node before."""
    return Socket(socket_url(server.address, table), person.headers)


def game_at(servers: list[Server], **settings: Any) -> tuple[list[Guest], list[Socket], str]:
    """Two people who play at different nodes."""
    people = [Guest(servers[n].address, name) for n, name in enumerate(("Ada", "Bruno"))]
    table = seat_everybody(people, "mantis", **settings)
    start(people, table)
    return people, [person.socket(table) for person in people], table


@pytest.mark.slow
def test_a_game_is_played_through_two_nodes_and_both_hear_every_move_at_once(nodes: Nodes) -> None:
    servers = nodes(2)
    _, sockets, table = game_at(servers)
    reads = [0]
    for server in servers:
        storage: Any = server.context.storage
        read = storage.entries

        async def counted(name: str, read: Any = read, **options: Any) -> Any:
            reads[0] += name == table
            return await read(name, **options)

        storage.entries = counted
    for turn in range(20):
        play(sockets, turn)
    for socket in sockets:
        socket.until_turn(20)
    assert sockets[0].log[:1] == sockets[1].log[:1]
    states = [server.registry.tables[table].state for server in servers]
    assert states[0].actions == states[1].actions
    assert reads[0] <= 10, "most of the 20 entries come over the bus"


@pytest.mark.slow
def test_without_a_bus_nodes_read_from_the_journal_what_others_have_written(nodes: Nodes) -> None:
    _, sockets, _ = game_at(nodes(2, with_bus=False))
    for turn in range(3):
        play(sockets, turn)


@pytest.mark.slow
@pytest.mark.parametrize("with_bus", [True, False])
def test_events_of_tables_at_another_node_are_heard(nodes: Nodes, with_bus: bool) -> None:
    """Nobody asks for the table at the node where the stream is."""
    here, elsewhere = nodes(2, with_bus=with_bus)
    ada, bruno = Guest(elsewhere.address), Guest(elsewhere.address, "Bruno")
    told = Listener(bruno, address=here.address)
    table = seat_everybody([ada, bruno], "mantis", first_seat=1)
    start([ada, bruno], table)
    assert (next(told)["type"], next(told)["type"]) == ("start", "turn")
    assert table not in here.registry.tables
    for person in (ada, bruno):
        person.do(table, "agree-end", agree=True)
    assert next(told)["type"] == "end"
    told.close()


@pytest.mark.slow
def test_who_comes_while_a_table_is_read_gets_what_was_written_meanwhile(nodes: Nodes) -> None:
    servers = nodes(2, with_bus=False)
    _, sockets, table = game_at(servers[:1] * 2)
    people: Any = servers[1].context.people
    learn, is_read, go_on = people.learn_names, threading.Event(), threading.Event()

    async def wait_once(names: list[str]) -> None:
        """Called when the entries have been read."""
        people.learn_names = learn
        is_read.set()
        await asyncio.to_thread(go_on.wait)
        await learn(names)

    async def number() -> int:
        return (await servers[1].registry.get_fresh(table)).state.number

    async def begin() -> asyncio.Task[int]:
        return asyncio.create_task(number())

    async def end(task: asyncio.Task[int]) -> int:
        return await task

    people.learn_names = wait_once
    servers[1].run(begin)
    assert is_read.wait(30)
    play(sockets, 0)
    play(sockets, 1)
    second = servers[1].run(begin)
    go_on.set()
    stored = servers[0].registry.tables[table].state.number
    assert servers[1].run(lambda: end(second)) == stored


@pytest.mark.slow
def test_nothing_is_refused_because_a_node_has_not_heard_of_it_yet(nodes: Nodes) -> None:
    servers = nodes(2, with_bus=False)
    ada, bruno = Guest(servers[0].address, "Ada"), Guest(servers[1].address, "Bruno")
    table = ada.open("mantis", 2)
    socket = ada.socket(table)
    socket.until_phase("waiting")
    bruno.do(table, "join")
    assert socket.ask(type="start")["type"] == "accepted"  # refused if the second seat were empty
    socket.until_phase("playing")


@pytest.mark.slow
def test_a_lost_message_is_found_in_the_journal(nodes: Nodes) -> None:
    servers = nodes(2)
    _, sockets, _ = game_at(servers)
    play(sockets, 0)
    for server in servers:
        others_of(server).bus.publish = lambda channel, content: None  # type: ignore[method-assign]
    play(sockets, 1)
    play(sockets, 2)
    for socket in sockets:
        socket.until_turn(3)
        assert socket.close_code is None


def test_entries_are_published_only_while_another_node_has_the_table(nodes: Nodes) -> None:
    servers = nodes(2)
    people, _, table = game_at(servers[:1] * 2)
    sockets = [at(servers[0], person, table) for person in people]
    bus: Any = others_of(servers[0]).bus
    publish, published = bus.publish, []

    def noting(channel: str, content: bytes) -> None:
        if channel == table and isinstance(message := messages.decode(content), messages.NewEntries):
            published.append(message.number)
        publish(channel, content)

    bus.publish = noting
    for turn in range(3):
        play(sockets, turn)
    assert published == []
    sockets[1].close()
    sockets[1] = at(servers[1], people[1], table)
    for turn in range(3, 6):
        play(sockets, turn)
    servers[0].run(lambda: others_of(servers[0]).forget_holder(table, servers[1].context.storage.nodes.id))  # type: ignore[union-attr]
    play(sockets, 6)  # whatever this node has written, the other has read by now, and has said that it is there
    play(sockets, 7)
    play(sockets, 8)
    assert published, "the second node has the table, too"
    sockets[1].close()
    servers[1].run(lambda: servers[1].registry.discard(table))
    wait_for(lambda: not others_of(servers[0])._holders)
    sockets[1] = at(servers[0], people[1], table)
    published.clear()
    for turn in range(9, 12):
        play(sockets, turn)
    assert published == []


def test_bots_play_on_the_node_that_drives_and_everybody_sees_it(nodes: Nodes) -> None:
    servers = nodes(2)
    ada = Guest(servers[0].address)
    table = ada.open("mantis", 3, bots={"1": "easy", "2": "easy"})
    ada.do(table, "salt", salt="0" * 64)
    socket = at(servers[1], ada, table)
    watching = Socket(socket_url(servers[0].address, table), {})  # keeps the table at the node that has opened it
    watching.until("table")
    ada.do(table, "start")
    turn = 0
    for _ in range(3):
        while not (view := socket.until_turn(turn)["view"])["legal"] and not view["over"]:
            turn = socket.play["turn"] + 1  # type: ignore[index]
        if view["over"]:
            break
        turn = socket.play["turn"]  # type: ignore[index]
        assert socket.ask(type="move", turn=turn, action=view["legal"][0])["type"] == "accepted"
        turn += 1
    assert [server.registry.tables[table].epoch for server in servers] == [1, 0]


@pytest.mark.slow
def test_a_table_is_left_to_the_node_where_its_people_are(nodes: Nodes) -> None:
    """As behind a proxy that hashes by table id: it was opened at any node, and is played at another."""
    servers = nodes(2)
    ada = Guest(servers[0].address)
    table = ada.open("mantis", 2, bots={"1": "easy"})
    ada.do(table, "salt", salt="0" * 64)
    ada.do(table, "start")
    socket = at(servers[1], ada, table)
    socket.until("play")
    wait_for(lambda: table not in servers[0].registry.tables)
    wait_for(lambda: servers[1].registry.tables[table].epoch == 3)  # opened, given back, taken
    while not (view := socket.play["view"])["legal"] and not view["over"]:  # type: ignore[index]
        socket.until_turn(socket.play["turn"] + 1)  # type: ignore[index]
    for _ in range(3):  # her moves, and those of the bot
        turn, view = socket.play["turn"], socket.play["view"]  # type: ignore[index]
        if view["over"]:
            break
        if view["legal"]:
            assert socket.ask(type="move", turn=turn, action=view["legal"][0])["type"] == "accepted"
        socket.until_turn(turn + 1)
    assert table not in servers[0].registry.tables


def test_what_a_node_does_by_itself_is_refused_once_another_drives_the_table(database: Postgres) -> None:
    url = database.new_database()

    async def work() -> None:
        first, second = PostgresStorage(url), PostgresStorage(url)
        await first.open()
        await second.open()
        assert first.nodes is not None
        assert second.nodes is not None
        moment = (await first.last_moment()) or (0.0, 0.0, 0.0)
        await second.nodes.beat(moment, [])  # type: ignore[arg-type]
        await first.append(Appended(row("t", needs_waking=True), 1, [b"one"]))  # has never sent a heartbeat
        await first.append(Appended(row("t", needs_waking=True), 2, [b"two"], epoch=1))
        await first.nodes.beat(moment, [])  # type: ignore[arg-type]
        assert await second.nodes.take(["t"]) == []
        await second.database.rows("UPDATE nodes SET until = now() WHERE id = :node", node=first.nodes.id)
        assert await second.nodes.take_over(10, ["mantis"], []) == [("t", 2)]
        assert await second.nodes.take_over(10, ["mantis"], []) == []
        with pytest.raises(LeaseLost):
            await first.append(Appended(row("t"), 3, [b"late"], epoch=1))
        await first.append(Appended(row("t"), 3, [b"somebody asked"]))  # people's commands need no lease
        assert await second.entries("t") == [b"one", b"two", b"somebody asked"]
        await second.append(Appended(row("t"), 4, [b"bot"], epoch=2))
        await first.close()
        await second.close()

    asyncio.run(work())


def test_a_node_that_stops_sends_its_players_to_another_and_its_bots_go_on(nodes: Nodes) -> None:
    servers = nodes(2)
    people, sockets, table = game_at(servers)
    for turn in range(3):
        play(sockets, turn)
    servers[0].stop()
    sockets[0].drain(quiet=5)
    assert (sockets[0].closed, sockets[0].close_code) == ("stopping", 1012)
    sockets[0] = at(servers[1], people[0], table)
    play(sockets, 3)
    play(sockets, 4)
    wait_for(lambda: servers[1].registry.tables[table].epoch == 3)


def test_people_at_two_nodes_see_and_hear_each_other(nodes: Nodes) -> None:
    servers = nodes(2)
    people = [Guest(servers[n].address, name) for n, name in enumerate(("Ada", "Bruno"))]
    table = seat_everybody(people, "mantis")
    ada, bruno = people[0].socket(table), people[1].socket(table)
    while not all(seat["online"] for seat in ada.until("table")["table"]["seats"]):
        pass
    assert ada.ask(type="say", text="Hello")["type"] == "accepted"
    while not (said := bruno.until("talk")["said"]):
        pass
    assert [(each["seat"], each["name"], each["text"]) for each in said] == [(0, "Ada", "Hello")]
    celina = Socket(socket_url(servers[1].address, table), {})
    assert [each["text"] for each in celina.until("talk")["said"]] == ["Hello"]
    while ada.until("table")["table"]["watching"] != [""]:
        pass
    celina.close()
    while ada.until("table")["table"]["watching"]:
        pass


def test_a_forgotten_identity_is_refused_at_every_node(nodes: Nodes) -> None:
    servers = nodes(2)
    people, sockets, _ = game_at(servers)
    there = [person.http.get(f"{servers[1].address}/api/me") for person in people]
    assert [answer.status_code for answer in there] == [200, 200]
    elsewhere = at(servers[1], people[0], people[0].open("mantis", 2))
    elsewhere.until("table")
    assert people[0].http.delete("/api/me").status_code == 204
    elsewhere.drain(quiet=5)
    assert elsewhere.closed == "no-identity"
    wait_for(lambda: people[0].http.get(f"{servers[1].address}/api/me").status_code == 401)
    assert sockets[1].close_code is None
    sockets[1].until("table")


@pytest.mark.slow
def test_without_a_bus_too_a_forgotten_identity_is_refused_within_seconds(nodes: Nodes) -> None:
    servers = nodes(2, with_bus=False)
    ada = Guest(servers[0].address)
    assert ada.http.get(f"{servers[1].address}/api/me").status_code == 200
    assert ada.http.delete("/api/me").status_code == 204
    wait_for(lambda: ada.http.get(f"{servers[1].address}/api/me").status_code == 401, seconds=20)


def test_whoever_subscribes_at_one_node_is_notified_once_when_the_turn_comes_at_another(nodes: Nodes) -> None:
    endpoint = Endpoint()
    servers = nodes(2, call_hosts=(endpoint.url,), notify_seconds=0.5)
    ada, bruno = (Guest(server.address, name) for server, name in zip(servers[::-1], ("Ada", "Bruno"), strict=True))
    phone = Phone(f"{endpoint.url}/push")
    key = subscribe(bruno, phone)["key"]
    assert ada.http.get("/api/me/notifications").json()["key"] == key
    table = seat_everybody([ada, bruno], "mantis", first_seat=0)
    start([ada, bruno], table)
    ada.do(table, "webhook", url=f"{endpoint.url}/room")
    socket = ada.socket(table)
    socket.until("play")
    watching = Socket(socket_url(servers[0].address, table), {})  # both nodes have the table
    watching.until("play")
    for server in servers:
        server.run(server.registry.tables[table].viewers._polled.clear)
    play_until_bruno(socket)
    endpoint.wait_for(2)
    for server in servers:  # no notification is pending
        notifier = server.feature(Notifications).notifier
        wait_for(lambda notifier=notifier: not notifier._tasks)  # type: ignore[misc]
    assert sorted(path for path, _, _ in endpoint.got) == ["/push", "/room"]
    body = next(body for path, _, body in endpoint.got if path == "/push")
    assert phone.read(body)["url"] == f"/table/{table}"
    endpoint.stop()


@pytest.mark.slow
def test_a_limit_that_protects_the_whole_counts_at_all_nodes(nodes: Nodes) -> None:
    servers = nodes(2, limits=structs.replace(GENEROUS, tables_per_hour=10))
    ada = Guest(servers[0].address)
    for _ in range(9):
        ada.open("mantis", 2)

    def refused() -> bool:
        answer = ada.http.post(f"{servers[1].address}/api/tables", json={"game": "mantis", "seats": 2})
        return answer.status_code == 429

    wait_for(lambda: servers[1].context.limits.tables._bucket(person_id(servers[0], ada)).left() < 2)
    assert [refused(), refused()] == [False, True]


def person_id(server: Server, person: Guest) -> str:
    found = server.run(lambda: server.context.people.recognise(person.token))
    return str(found.id)


def test_a_move_is_one_statement_of_the_whole_server(nodes: Nodes, database: Postgres) -> None:
    servers = nodes(2, database=database.new_database())  # with no tables of other tests to take over
    people, _, table = game_at(servers[:1] * 2)
    sockets = [at(servers[0], person, table) for person in people]
    play(sockets, 0)
    sent: list[str] = []

    for server in servers:
        connections: Any = server.context.storage._connections  # type: ignore[attr-defined]
        do = connections.do

        async def counted(work: Any, do: Any = do) -> Any:
            task = asyncio.current_task()
            # By a table, or written for one; the rest is what nodes do each second or minute.
            if work.__qualname__.startswith("Appending.") or (task and task.get_name().startswith("table ")):
                sent.append(work.__qualname__)
            return await do(work)

        async def no_differences(known: Any) -> list[Any]:
            return []

        connections.do = counted
        # A look between a commit and its answer would read the new entry.
        nodes_of: Any = server.context.storage.nodes
        nodes_of.differences = no_differences
    for turn in range(1, 11):
        play(sockets, turn)
    assert sent == ["Appending._write.<locals>.work"] * 10


@pytest.mark.slow
def test_all_nodes_have_one_time_and_a_paused_one_catches_up(nodes: Nodes) -> None:
    first, second = nodes(2)
    started = time.monotonic()
    before = first.clock.up()
    second.clock._up -= 20  # as if it had been stopped for so long
    wait_for(lambda: abs(first.clock.up() - second.clock.up()) < 0.5)
    assert first.clock.up() - before <= time.monotonic() - started + 0.5, "time does not run faster with two nodes"


@pytest.mark.slow
def test_a_redis_that_hangs_counts_as_gone_and_nobody_as_absent(nodes: Nodes, bus: Redis) -> None:
    servers = nodes(2)
    _, sockets, table = game_at(servers)
    play(sockets, 0)
    for server in servers:
        wait_for(lambda known=server.context.others: known.is_presence_known)  # type: ignore[misc]
    bus.signal(signal.SIGSTOP)
    try:
        for server in servers:
            wait_for(lambda known=server.context.others: not known.is_presence_known)  # type: ignore[misc]
            viewers = server.registry.tables[table].viewers
            assert [viewers.gone_for(person) for person in server.registry.tables[table].state.people] == [0.0, 0.0]
        play(sockets, 1)
        play(sockets, 2)
    finally:
        bus.signal(signal.SIGCONT)
    for server in servers:
        wait_for(lambda known=server.context.others: known.is_presence_known)  # type: ignore[misc]
    play(sockets, 3)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # how a server fails to start
def test_a_node_with_other_features_does_not_start(
    nodes: Nodes, start_server: StartServer, tmp_path: Path, url: str
) -> None:
    (running,) = nodes(1, without=("chat",))
    settings = ServerSettings(data=tmp_path / "other", database=url)
    theirs = "without chat, circle_invitations, invitations, rooms, with nothing from outside"
    refusal = rf"other features \({theirs}; here: without nothing"
    with pytest.raises(CannotStart, match=refusal):
        check_data(settings, running.context.log)
    with pytest.raises(AssertionError, match=refusal):  # it was started at the same moment, and the check came too soon
        start_server(tmp_path / "other", database=url)
    check_data(structs.replace(settings, without=("chat",)), running.context.log)
    running.stop()

    def is_accepted() -> bool:
        with contextlib.suppress(CannotStart):
            check_data(settings, running.context.log)
            return True
        return False

    wait_for(is_accepted)  # a heartbeat that was under way counts for three seconds
