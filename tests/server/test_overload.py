"""Beyond its capacity the server opens no new tables, says so, and goes on with those that run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tavolino.server.errors import Refused
from tavolino.server.load import MOST_BUSY, MOST_LAG_SECONDS, TICKS, Load
from tests.server.clients import Guest, seat_everybody, start
from tests.server.conftest import Server

LATE, BUSY = 2 * MOST_LAG_SECONDS, 1.0


def is_overloaded(load: Load) -> bool:
    try:
        load.check_for_new_table()
    except Refused as refused:
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
    assert is_overloaded(load) == overloaded


def test_threat_31_one_slow_moment_is_no_overload_and_its_end_is_not_one_quick_moment() -> None:
    load = Load()
    pass_time(load, 0.0, 0.1)
    pass_time(load, 5.0, BUSY, TICKS // 3)
    assert not is_overloaded(load)
    pass_time(load, LATE, BUSY)
    assert is_overloaded(load)
    pass_time(load, 0.0, 0.1, TICKS // 3)
    assert is_overloaded(load)
    pass_time(load, 0.75 * MOST_LAG_SECONDS, BUSY)
    assert is_overloaded(load), "new tables would bring it back at once"
    pass_time(load, 0.25 * MOST_LAG_SECONDS, BUSY)
    assert not is_overloaded(load)


def test_threat_31_the_loop_is_measured() -> None:
    async def measure() -> Load:
        load = Load()
        watching = asyncio.create_task(load.watch())
        while len(load._ticks) < 3:
            await asyncio.sleep(0.01)
        watching.cancel()
        return load

    assert all(lag > -0.05 and 0 <= busy <= 1.5 for lag, busy in asyncio.run(measure())._ticks)


def test_threat_31_new_tables_are_refused_and_games_go_on(
    start_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave_alone(load: Load) -> None:  # only the test tells the time
        await asyncio.sleep(3600)

    monkeypatch.setattr(Load, "watch", leave_alone)
    server = start_server().ready("mantis")
    ada, bruno = (Guest(server.address, name) for name in ("Ada", "Bruno"))
    table = seat_everybody([ada, bruno], "mantis", first_seat=0)
    start([ada, bruno], table)
    with ada.socket(table) as socket:
        socket.until("play")
        server.run(lambda: pass_time(server.context.load, LATE, BUSY))
        for path, wish in (("/api/tables", {"game": "mantis", "seats": 2}), ("/api/play-now", {"game": "mantis"})):
            refused = ada.http.post(path, json=wish)
            assert refused.status_code == 503
            assert refused.json()["code"] == "overloaded"
            assert int(refused.headers["retry-after"]) > 0
        assert "tavolino_loop_lag_seconds 0.06" in ada.http.get("/metrics").text
        assert socket.ask(type="move", turn=0, action="score")["type"] == "accepted"
        server.run(lambda: pass_time(server.context.load, 0.0, 0.1))
        ada.open("mantis", 2)
