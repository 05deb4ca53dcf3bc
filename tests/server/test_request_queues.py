"""The requests of one address are queued (threat 32 of docs/threats.md)."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import threading
import time
from collections.abc import Callable, Coroutine
from itertools import groupby, pairwise
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from tavolino.server.connection_limits import Admission, ConnectionLimits
from tavolino.server.errors import Refused
from tavolino.server.http.static import FOLDER
from tavolino.server.request_queues import MOST_QUEUES, MOST_WAITING, Measured, RequestQueue, RequestQueues
from tavolino.server.settings import Limits, ServerSettings
from tavolino.server.subscribers import subscriber
from tavolino.server.transport.acceptor import AT_ONCE, MOST_ADMITTED, PAUSE_SECONDS, REFUSING_SECONDS, Acceptor
from tavolino.server.transport.http_protocol import LimitedHttpProtocol
from tests.server.clients import NO_TLS, TIMEOUT
from tests.server.conftest import GENEROUS, Server
from tests.server.raw import dial, heard_until_end, host_of
from tests.server.virtual_time import VirtualLoop

StartServer = Callable[..., Server]
SHARE, BURST, COST = 0.15, 0.02, 0.001  # of the loop; seconds; seconds of a request
BROWSERS = 8


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(work())


def queues() -> RequestQueues:
    limits = Limits(loop_per_second=1000 * SHARE, loop_burst=1000 * BURST)
    return RequestQueues(limits, asyncio.get_running_loop().time)


async def ask(queue: RequestQueue, begun: list[float]) -> None:
    await queue.turn()
    begun.append(asyncio.get_running_loop().time())
    queue.charge(COST)


def test_threat_32_a_flood_of_one_address_gets_its_part_of_the_loop_and_others_wait_for_nothing() -> None:
    async def work() -> None:
        every = queues()
        begun: list[float] = []
        flood = [asyncio.create_task(ask(every.queue("192.0.2.1"), begun)) for _ in range(MOST_WAITING)]
        for _ in range(200):
            await asyncio.sleep(0.01)
            before = asyncio.get_running_loop().time()
            await asyncio.wait_for(every.queue("192.0.2.2").turn(), 1)
            assert asyncio.get_running_loop().time() == before
        for n, moment in enumerate(begun):
            assert n * COST <= BURST + SHARE * moment + COST, f"request {n} after {moment} s"
        assert len(begun) * COST > 0.9 * SHARE * asyncio.get_running_loop().time(), "its part is used"
        await asyncio.gather(*flood)
        assert len(begun) == MOST_WAITING, "everybody had a turn"
        assert begun == sorted(begun)

    run(work)


def test_threat_32_one_request_of_an_address_begins_in_each_pass_of_the_loop() -> None:
    async def work() -> None:
        queue, passes, begun = queues().queue("192.0.2.1"), 0, []

        async def one(n: int) -> None:
            await queue.turn()
            begun.append((n, passes))

        tasks = [asyncio.create_task(one(n)) for n in range(5)]
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0)
            passes += 1
        assert [n for n, _ in begun] == [0, 1, 2, 3, 4]
        assert len({moment for _, moment in begun}) == 5, begun

    run(work)


def test_threat_32_who_gives_up_waiting_takes_nobodys_turn_and_more_than_a_number_do_not_wait() -> None:
    async def work() -> None:
        queue, begun = queues().queue("192.0.2.1"), list[float]()
        queue.charge(1)
        tasks = [asyncio.create_task(ask(queue, begun)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="too-fast"):
            await queue.turn()
        for task in tasks[::2]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(begun) == MOST_WAITING / 2
        assert queue.waiting == 0
        await asyncio.sleep(1)
        await asyncio.wait_for(queue.turn(), 0.001)

    run(work)


def test_one_request_that_took_long_holds_nobody_up_for_long() -> None:
    async def work() -> None:
        queue = queues().queue("192.0.2.1")
        await queue.turn()
        queue.charge(5)
        await asyncio.sleep(0)
        await asyncio.wait_for(queue.turn(), BURST / SHARE + 0.01)

    run(work)


def test_addresses_that_came_long_ago_are_forgotten() -> None:
    async def work() -> None:
        every = queues()
        first = every.queue("first")
        for n in range(MOST_QUEUES):
            every.queue(str(n))
        assert every.queue("first") is not first

    run(work)


def test_only_the_steps_of_a_request_are_charged_not_what_it_waits_for() -> None:
    async def work() -> None:
        queue = RequestQueue(SHARE, 10.0, lambda: 0.0)

        async def work_and_wait() -> None:
            end = time.thread_time() + 0.02
            while time.thread_time() < end:
                pass
            for _ in range(3):
                await asyncio.sleep(5)
            raise KeyError("as it is")

        with pytest.raises(KeyError, match="as it is"):
            await Measured(work_and_wait(), queue)
        assert 10 - 0.5 < queue.left() < 10 - 0.02

    run(work)


def test_a_cancellation_reaches_what_is_measured() -> None:
    async def work() -> None:
        ended: list[str] = []

        async def forever() -> None:
            try:
                await asyncio.sleep(1e6)
            except asyncio.CancelledError:
                ended.append("cancelled")
                await asyncio.sleep(1)
                ended.append("done")
                raise

        async def measured() -> None:
            await Measured(forever(), RequestQueue(SHARE, BURST, lambda: 0.0))

        task = asyncio.create_task(measured())
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == ["cancelled", "done"]

    run(work)


def test_threat_32_a_flood_of_pages_takes_its_part_of_the_loop_and_no_more(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    share, burst, count = 0.02, 0.002, 96
    charged: list[float] = []
    charge = RequestQueue.charge

    def note(queue: RequestQueue, seconds: float) -> None:
        charged.append(min(seconds, burst))  # more is not owed
        charge(queue, seconds)

    monkeypatch.setattr(RequestQueue, "charge", note)
    server = start_server(limits=replace(GENEROUS, loop_per_second=1000 * share, loop_burst=1000 * burst))
    httpx.get(server.address)  # the first one takes longer
    charged.clear()
    host, port = host_of(server).split(":")
    request = f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    answers, is_over = 0, False

    def flood() -> None:
        nonlocal answers
        with socket.create_connection((host, int(port)), TIMEOUT) as raw:
            while not is_over:
                raw.sendall(request * 32)
                answered = b""
                while answered.count(b"</html>") < 32:
                    part = raw.recv(65_536)
                    if not part:
                        return
                    answered += part
                answers += 32

    begun = time.monotonic()
    threads = [threading.Thread(target=flood, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    while answers < count and time.monotonic() < begun + TIMEOUT:
        time.sleep(0.01)
    is_over, took, used = True, time.monotonic() - begun, charged[:]
    assert answers >= count
    # At most a burst more: a turn is given before it is known what it costs.
    assert sum(used) < 2 * burst + share * took, f"{sum(used)} s of the loop in {took} s"


def test_many_browsers_behind_one_address_get_every_file_of_the_page(start_server: StartServer) -> None:
    """With the limits as they are, and connections as browsers have them: six at a time each."""
    server = start_server(limits=Limits())
    host, port = host_of(server).split(":")
    paths = ["/", *(f"/{each.relative_to(FOLDER).as_posix()}" for each in sorted(FOLDER.rglob("*")) if each.is_file())]
    assert len(paths) > 50

    async def fetch(paths: list[str]) -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        for path in paths:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            assert head.startswith("http/1.1 200 "), (path, head)
            body = await reader.readexactly(int(head.split("content-length: ")[1].split()[0]))
            # The server adds the list of what is kept to the service worker.
            assert path == "/" or body.endswith((FOLDER / path[1:]).read_bytes())
        writer.close()

    async def everybody() -> None:
        await asyncio.gather(*(fetch(paths[n::6]) for n in range(6) for _ in range(BROWSERS)))

    asyncio.run(asyncio.wait_for(everybody(), 60))
    assert not server.app.state.connection_limits.refused


def test_threat_32_a_request_too_many_is_refused_without_waiting_for_a_turn(start_server: StartServer) -> None:
    server = start_server(limits=replace(GENEROUS, requests_per_second=0.001, requests_burst=2))
    turns: list[RequestQueue] = []

    async def note(queue: RequestQueue) -> None:
        turns.append(queue)

    with pytest.MonkeyPatch.context() as patch, httpx.Client(base_url=server.address, verify=NO_TLS) as client:
        patch.setattr(RequestQueue, "turn", note)
        answers = [client.get("/api/games") for _ in range(4)]
        assert client.get("/").status_code == 200, "the page's files have a limit of their own"
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    assert len(turns) == 3
    refused = answers[-1]
    assert refused.json()["code"] == "too-fast"
    assert refused.headers["connection"] == "close"
    assert 900 < int(refused.headers["retry-after"]) <= 1_001
    assert set(answers[0].headers) <= set(refused.headers), "with what every answer has"
    assert server.context.metrics.refusals.labels("too-fast")._value.get() == 2


def test_threat_32_a_packet_of_many_requests_is_parsed_by_and_by_and_each_is_answered(
    start_server: StartServer,
) -> None:
    server = start_server()
    request = f"GET /icon.svg HTTP/1.1\r\nHost: {host_of(server)}\r\n\r\n".encode()
    most = 0
    parsed = LimitedHttpProtocol.on_message_begin

    with pytest.MonkeyPatch.context() as patched, dial(server) as raw:

        def note(protocol: LimitedHttpProtocol) -> None:
            nonlocal most
            most = max(most, len(protocol.pipeline))
            parsed(protocol)

        patched.setattr(LimitedHttpProtocol, "on_message_begin", note)
        raw.sendall(request * 499 + request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        heard = heard_until_end(raw)
    assert heard.count(b"HTTP/1.1 200 OK") == 500
    assert most <= 10, "requests that were parsed before they could be answered"


@pytest.mark.parametrize(
    ("address", "whose"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_threat_24_one_subscriber_has_one_set_of_limits(address: str, whose: str) -> None:
    assert subscriber(address) == whose


def test_threat_24_another_address_of_the_same_subscriber_does_not_help(start_server: StartServer) -> None:
    server = start_server(limits=replace(GENEROUS, people_per_hour=3))
    with httpx.Client(base_url=server.address, verify=NO_TLS) as client:
        answers = [
            client.post(
                "/api/me", json={"name": "Ada", "program": True}, headers={"X-Forwarded-For": f"2001:db8::{n:x}"}
            ).status_code
            for n in range(5)
        ]
        assert answers == [201] * 3 + [429] * 2
        elsewhere = client.post(
            "/api/me", json={"name": "Ada", "program": True}, headers={"X-Forwarded-For": "2001:db8:0:1::1"}
        )
        assert elsewhere.status_code == 201


class Admitted(asyncio.Protocol):
    admission: Admission

    def connection_lost(self, exc: Exception | None) -> None:
        self.admission.release()


def test_threat_32_a_flood_of_connections_leaves_time_between_those_that_are_refused() -> None:
    """Two are admitted in a pass of the loop; after some were refused nobody is looked at for a moment."""
    few, count = 6, 40
    asked: list[tuple[int, float, bool]] = []  # in which pass, when, and whether there was a place

    async def work() -> None:
        loop, passes = asyncio.get_running_loop(), 0
        wanted = Limits(connections_burst=few, connections_per_second=0.001)
        limits = ConnectionLimits(ServerSettings(limits=wanted), time.monotonic)
        admit = limits.admit

        def note(address: str) -> Admission | None:
            found = admit(address)
            asked.append((passes, loop.time(), found is not None))
            return found

        limits.admit = note  # type: ignore[method-assign]
        with contextlib.ExitStack() as sockets:
            listener = sockets.enter_context(socket.create_server(("127.0.0.1", 0), backlog=2 * count))
            for _ in range(count):
                sockets.enter_context(socket.create_connection(listener.getsockname(), TIMEOUT))
            acceptor = Acceptor(listener, Admitted, limits)
            end = loop.time() + TIMEOUT
            while len(asked) < count and loop.time() < end:
                await asyncio.sleep(0)
                passes += 1
            acceptor.close()

    asyncio.run(work())
    assert [has_place for _, _, has_place in asked] == [True] * few + [False] * (count - few)
    rounds = [list(each) for _, each in groupby(asked, lambda one: one[0])]
    assert all(sum(has_place for _, _, has_place in each) <= MOST_ADMITTED and len(each) <= AT_ONCE for each in rounds)
    refusing = [each for each in rounds if not all(has_place for _, _, has_place in each)]
    assert len(refusing) > 3
    for earlier, later in pairwise(refusing):
        assert later[0][1] - earlier[-1][1] > 0.9 * REFUSING_SECONDS


class Exhausted(socket.socket):
    """A listener while the process has no descriptor left."""

    tried, is_over = 0, False

    def accept(self) -> Any:
        if self.is_over:
            return super().accept()
        self.tried += 1
        raise OSError(errno.EMFILE, "Too many open files")


def test_threat_30_without_descriptors_the_loop_does_not_turn_in_vain_and_people_come_in_afterwards() -> None:
    """The listener stays ready to read: without a pause the loop would try again in every pass."""
    passes = 300

    async def work() -> None:
        limits, loop = ConnectionLimits(ServerSettings(), time.monotonic), asyncio.get_running_loop()
        with Exhausted() as listener:
            listener.bind(("127.0.0.1", 0))
            acceptor = Acceptor(listener, Admitted, limits)
            with socket.create_connection(listener.getsockname(), TIMEOUT):
                begun = loop.time()
                for _ in range(passes):
                    await asyncio.sleep(0)
                while not listener.tried:
                    await asyncio.sleep(0)
                assert listener.tried <= 1 + (loop.time() - begun) / PAUSE_SECONDS
                assert limits.refused["no-descriptor"] == listener.tried
                listener.is_over = True
                while not limits.open:
                    await asyncio.sleep(0.01)
            acceptor.close()

    asyncio.run(asyncio.wait_for(work(), TIMEOUT))
