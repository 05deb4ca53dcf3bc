"""What features show of a finished table is the same after it has become one row."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import apsw
import pytest

from tavolino.server.features.reviews.feature import ReviewsFeature
from tavolino.server.storage import CannotOpen, schema
from tavolino.server.storage.opening import FILE
from tavolino.server.storage.sqlite import SqliteStorage
from tests.server import test_daily as daily
from tests.server.clients import Guest
from tests.server.conftest import Clock, Server
from tests.server.test_circles import make, show
from tests.server.test_compaction import DAY, finish, stored, sweep
from tests.server.test_reviews import QUICK, ask_until_done
from tests.server.test_series import begin, open_series, review, seen

StartServer = Callable[..., Server]


@pytest.fixture
def server(start_server: StartServer, tmp_path: Path) -> Server:
    server = start_server(tmp_path / "data", clock=Clock(), compact_days=0).ready("mantis")
    server.run(partial(daily.set_clock, server, daily.NOON))
    return server


def compact(server: Server, *tables: str) -> None:
    sweep(server, *tables)
    assert all(stored(server, table) == (0, stored(server, table)[1]) for table in tables)
    assert all(stored(server, table)[1] for table in tables)


def test_a_circle_counts_compacted_games(server: Server) -> None:
    ada, bruno = people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    circle, table = make(ada, bruno), finish(people)
    server.run(server.housekeeping.sweep)
    before = show(ada, circle)
    assert [result["table"] for result in before["results"]] == [table]
    server.clock.advance(60)
    compact(server, table)
    assert show(ada, circle) == before
    assert show(bruno, circle)["games"] == before["games"]


def test_a_compacted_game_is_reviewed(server: Server) -> None:
    reviews = server.feature(ReviewsFeature).reviews
    reviews._command = QUICK
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = finish(people)
    review(server, table, 0.25)  # of seat 0, before
    kept = people[0].http.get(f"/api/tables/{table}/review?seat=0").json()
    server.clock.advance(60)
    compact(server, table)
    assert people[0].http.get(f"/api/tables/{table}/review?seat=0").json() == kept
    assert people[0].http.post(f"/api/tables/{table}/review", json={"shared": True}).status_code == 200
    assert Guest(server.address, "Celina").http.get(f"/api/tables/{table}/review?seat=0").status_code == 200
    decisions = people[0].http.get(f"/api/tables/{table}/record").json()["actions"]
    answer = ask_until_done(people[1], table, 1)
    assert len(answer["review"]["steps"]) == len(decisions)


def test_the_results_of_shared_deals_are_those_before(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.feature(ReviewsFeature).reviews, "can_start", lambda whose: False)
    ada, bruno = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    circle = make(ada, bruno)
    name = open_series(ada, circle, deals=1)["id"]
    tables = [begin(person, circle, name, 1) for person in (ada, bruno)]
    for person, table, given_away in zip((ada, bruno), tables, (0.1, 0.3), strict=True):
        daily.play(person, table)
        review(server, table, given_away)
    tables.append(daily.begin(ada))
    daily.play(ada, tables[2])
    review(server, tables[2], 0.2)
    server.clock.advance(DAY)

    def shown() -> list[object]:
        return [seen(ada, circle), seen(bruno, circle), daily.deal_of(ada)["yesterday"]]

    before = shown()
    assert before[2] is not None
    server.clock.advance(60)
    compact(server, *tables)
    assert shown() == before
    for table in tables:
        assert ada.http.get(f"/api/tables/{table}/frames?perspective=open").status_code == 200


def test_an_older_program_refuses_data_with_compacted_tables_in_a_sentence(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = finish([Guest(server.address, name) for name in ("Ada", "Bruno")])
    server.clock.advance(60)
    compact(server, table)
    server.stop()
    number = next(n for n, step in enumerate(schema.MIGRATIONS) if isinstance(step, str) and "compact_entries" in step)
    older = schema.MIGRATIONS[:number]
    monkeypatch.setattr(schema.migrate, "__defaults__", (older,))
    storage = SqliteStorage(tmp_path / "data")
    with pytest.raises(CannotOpen, match=rf"newer Tavolino \(schema \d+, this one knows {number}\): install that"):
        asyncio.run(storage.open())
    connection = apsw.Connection(str(tmp_path / "data" / FILE))
    assert connection.execute("SELECT count(*) FROM compact_entries").fetchall() == [(1,)], "nothing was changed"
    connection.close()
