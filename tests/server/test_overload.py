"""Beyond its capacity the server opens no new tables, postpones what can wait, and continues running games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import httpx
import pytest

from tavolino.server.errors import Refused
from tavolino.server.load import MOST_BUSY, MOST_LAG_SECONDS, OPENED_TICKS, TICK_SECONDS, TICKS, Load
from tavolino.server.rate_limit import RateLimit
from tests.server.clients import Guest, play_to_end, seat_everybody, start
from tests.server.conftest import Server, watch_load

LATE, BUSY = 2 * MOST_LAG_SECONDS, 1.0


def is_refused(check: Callable[[], None]) -> bool:
    try:
        check()
    except Refused as refused:
        assert refused.problem.code == "overloaded"
        assert refused.status == 503
        return True
    return False


def pass_time(load: Load, lag: float, busy: float, ticks: int = TICKS) -> None:
    for _ in range(ticks):
        load.note(lag, busy)


@pytest.mark.parametrize(
    ("lag", "busy", "overloaded"),
    [(LATE, BUSY, True), (LATE, MOST_BUSY / 2, False), (MOST_LAG_SECONDS / 2, BUSY, False), (0.0, 0.0, False)],
    ids=["late and busy", "late because of other programs", "busy and in time", "idle"],
)
def test_threat_31_overloaded_is_who_is_late_because_of_its_own_work(lag: float, busy: float, overloaded: bool) -> None:
    load = Load()
    pass_time(load, lag, busy)
    assert is_refused(load.check_for_new_table) == overloaded
    assert is_refused(load.check_for_what_can_wait) == overloaded


def test_threat_31_one_slow_moment_is_no_overload_and_its_end_is_not_one_quick_moment() -> None:
    load = Load()
    pass_time(load, 0.0, 0.1)
    pass_time(load, 5.0, BUSY, TICKS // 3)
    assert not load.is_too_much
    pass_time(load, LATE, BUSY)
    assert load.is_too_much
    pass_time(load, 0.0, 0.1, TICKS // 3)
    assert load.is_too_much
    pass_time(load, 0.75 * MOST_LAG_SECONDS, BUSY)
    assert load.is_too_much, "new tables would bring it back at once"
    pass_time(load, 0.25 * MOST_LAG_SECONDS, BUSY)
    assert not load.is_too_much


def test_threat_31_afterwards_tables_are_opened_by_and_by() -> None:
    """All who were refused come back, and must not be admitted all at once."""
    load = Load()
    pass_time(load, LATE, BUSY)
    pass_time(load, 0.0, 0.1, TICKS // 2 + 1)
    assert not load.is_too_much
    seconds = int(1 / TICK_SECONDS)
    opened = []
    for _ in range(70):
        pass_time(load, 0.0, 0.1, seconds)
        opened.append(sum(not is_refused(load.check_for_new_table) for _ in range(1_000)))
        assert not is_refused(load.check_for_what_can_wait)
    assert 1 <= opened[0] <= 3, "few were opened before"
    assert opened == sorted(opened)
    assert opened[-1] == 1_000, "in the end there is no limit"
    pass_time(load, LATE, BUSY)
    assert is_refused(load.check_for_new_table)


def test_threat_31_the_loop_is_measured() -> None:
    async def measure() -> Load:
        load = Load()
        watching = asyncio.create_task(watch_load(load))
        while len(load._ticks) < 3:
            await asyncio.sleep(0.01)
        watching.cancel()
        return load

    assert all(lag > -0.05 and 0 <= busy <= 1.5 for lag, busy in asyncio.run(measure())._ticks)


def test_threat_31_afterwards_half_as_many_tables_are_opened_as_before() -> None:
    load, seconds = Load(), int(1 / TICK_SECONDS)
    for _ in range(10 * seconds):
        load.note(0.0, BUSY)
        for _ in range(4):  # 40 a second
            load.check_for_new_table()
    pass_time(load, LATE, BUSY)
    assert is_refused(load.check_for_new_table)
    pass_time(load, 0.0, BUSY, TICKS // 2 + 1)
    opened = 0
    for _ in range(2 * seconds):
        load.note(0.0, BUSY)
        while not is_refused(load.check_for_new_table):
            opened += 1
    assert 30 <= opened <= 60


def opened_in(load: Load, seconds: int, busy: float) -> int:
    """How many tables are opened if everybody wants one."""
    opened = 0
    for _ in range(int(seconds / TICK_SECONDS)):
        load.note(0.0, busy)
        while not is_refused(load.check_for_new_table):
            opened += 1
    return opened


def test_threat_31_an_idle_server_opens_tables_again_within_seconds() -> None:
    """A regression: the rate stayed at two tables a second for half a minute on a machine that was mostly idle."""
    load = Load()
    pass_time(load, LATE, BUSY)
    pass_time(load, 0.0, 0.1, TICKS)
    opened_in(load, 8, 0.1)
    assert opened_in(load, 1, 0.1) >= 20


def test_threat_31_a_second_overload_halves_the_rate_again_and_does_not_begin_at_the_lowest() -> None:
    load = Load()
    for _ in range(100):
        load.note(0.0, BUSY)
        for _ in range(8):  # 80 a second
            load.check_for_new_table()
    for _ in range(2):
        pass_time(load, LATE, BUSY, OPENED_TICKS)  # meanwhile no table is opened
        pass_time(load, 0.0, BUSY, TICKS)
    assert 10 <= opened_in(load, 1, BUSY) <= 40


@pytest.fixture
def server(start_server: Callable[..., Server]) -> Server:
    """A server whose load is set by the test."""
    return start_server().ready("mantis")


def overload(server: Server) -> None:
    server.run(lambda: pass_time(server.context.load, LATE, BUSY))


def relieve(server: Server) -> None:
    server.run(lambda: pass_time(server.context.load, 0.0, 0.1, 1_000))


def is_put_off(answer: httpx.Response) -> bool:
    if answer.status_code != 503:
        return False
    assert answer.json()["code"] == "overloaded"
    assert int(answer.headers["retry-after"]) > 0
    return True


def test_threat_31_new_tables_are_refused_and_games_go_on(server: Server) -> None:
    ada, bruno = (Guest(server.address, name) for name in ("Ada", "Bruno"))
    table = seat_everybody([ada, bruno], "mantis", first_seat=0, hints=True)
    start([ada, bruno], table)
    with ada.socket(table) as socket:
        socket.until("play")
        overload(server)
        assert is_put_off(ada.http.post("/api/tables", json={"game": "mantis", "seats": 2}))
        assert is_put_off(ada.http.post("/api/play-now", json={"game": "mantis"}))
        figures = ada.http.get("/metrics").text
        assert f"tavolino_loop_lag_seconds {LATE}" in figures
        assert "tavolino_overloaded 1.0" in figures
        assert socket.ask(type="hint")["problem"]["code"] == "overloaded"
        assert socket.ask(type="move", turn=0, action="score")["type"] == "accepted"
        assert ada.http.get(f"/api/tables/{table}/play").status_code == 200
        relieve(server)
        ada.open("mantis", 2)


def test_threat_31_who_watches_and_who_looks_back_waits(server: Server) -> None:
    ada, bruno, watcher = (Guest(server.address, name) for name in ("Ada", "Bruno", "Celina"))
    people = [ada, bruno]
    running, ended = (seat_everybody(people, "mantis", first_seat=0) for _ in range(2))
    for table in (running, ended):
        start(people, table)
    with ada.socket(ended) as first, bruno.socket(ended) as second:
        play_to_end(people, [first, second])
        overload(server)
        assert is_put_off(ada.http.get(f"/api/tables/{ended}/frames"))
        assert is_put_off(ada.http.get(f"/api/tables/{ended}/review?seat=0"))
        assert first.ask(type="rematch")["problem"]["code"] == "overloaded"
        assert is_put_off(watcher.http.get(f"/api/tables/{running}/play"))
        assert is_put_off(watcher.http.get(f"/api/tables/{running}/play?wait=5"))
        relieve(server)
        assert watcher.http.get(f"/api/tables/{running}/play").status_code == 200
        assert ada.http.get(f"/api/tables/{ended}/frames").status_code == 200
        overload(server)
        assert ada.http.get(f"/api/tables/{ended}/frames").status_code == 200, "what was built is given"


def test_threat_31_whoever_is_refused_has_opened_nothing(server: Server) -> None:
    """Neither does a refusal count as a table of theirs, nor do those who may open none take the others' places."""
    ada, bruno = (Guest(server.address, name) for name in ("Ada", "Bruno"))
    limit = RateLimit(0.0, 2, "too-many-tables", lambda: 0.0)
    object.__setattr__(server.context.limits, "tables", limit)
    overload(server)
    settings = {"game": "mantis", "seats": 2}
    for _ in range(5):
        assert is_put_off(ada.http.post("/api/tables", json=settings))
    relieve(server)
    ada.open("mantis", 2)
    ada.open("mantis", 2)
    overload(server)
    server.run(lambda: pass_time(server.context.load, 0.0, 0.1, TICKS))  # there are a few places
    for _ in range(20):
        assert ada.http.post("/api/tables", json=settings).json()["code"] == "too-many-tables"
    bruno.open("mantis", 2)
