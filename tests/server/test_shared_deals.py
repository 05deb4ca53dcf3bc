"""One try at a shared deal, whatever is refused, fails or happens at once. The tests also run on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from tavolino.server.features.circles import deals as series
from tavolino.server.features.daily_deals import deals as daily
from tavolino.server.features.daily_deals.figures import DailyFigures
from tavolino.server.features.daily_deals.shared_deals import decode_try
from tavolino.server.features.daily_deals.tables import DailyTables
from tavolino.server.features.reviews.reviews import Reviews
from tavolino.server.kernel.actor import TableActor
from tavolino.server.storage import StorageError
from tests.server.clients import Guest
from tests.server.conftest import GENEROUS, Server
from tests.server.test_circles import make
from tests.server.test_daily import GAME, NOON, play, set_clock
from tests.server.test_series import begin, open_series, review, seen

StartServer = Callable[..., Server]
ROOM = 3  # unfinished tables of a person


def at_noon(server: Server) -> Server:
    server.run(partial(set_clock, server.ready(GAME), NOON))
    return server


def ask_at_once(server: Server, guest: Guest, requests: int) -> list[Any]:
    """The tables' ids, or the errors, of requests that begin in one iteration of the event loop."""

    async def ask() -> list[TableActor | BaseException]:
        person = await server.context.people.recognise(guest.token)
        assert person is not None
        deals = DailyTables(server.registry, DailyFigures(server.clock.up))
        return await asyncio.gather(*(deals.open(person, GAME) for _ in range(requests)), return_exceptions=True)

    answers = server.run(ask)
    return [each.state.id if isinstance(each, TableActor) else repr(each) for each in answers]


def stored_table(server: Server, guest: Guest, deal: str) -> str | None:
    """The table of the try that is stored."""
    person = server.run(lambda: server.context.people.recognise(guest.token))
    items = server.run(lambda: server.context.storage.items(person.id, deal))
    return decode_try(items[deal]).table if deal in items else None


class SharedDealContract:
    @pytest.fixture
    def start(self, start_server: StartServer) -> StartServer:
        return start_server

    def test_a_refused_deal_of_a_series_leaves_the_try_of_another(
        self, start: StartServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The name of deal 1 begins the name of deal 10."""
        monkeypatch.setattr(Reviews, "can_start", lambda self, whose: False)
        server = at_noon(start(limits=msgspec.structs.replace(GENEROUS, tables_per_person=ROOM)))
        ada = Guest(server.address, "Ada")
        circle = make(ada, Guest(server.address, "Bruno"))
        name = open_series(ada, circle, deals=10)["id"]
        tenth = begin(ada, circle, name, 10)
        play(ada, tenth)
        review(server, tenth, 0.25)
        assert seen(ada, circle)["deals"][9]["results"][0]["given_away"] == 0.25
        filled = [ada.open(GAME, 2) for _ in range(ROOM)]
        assert begin(ada, circle, name, 1) == "too-many-tables"
        assert seen(ada, circle)["deals"][9]["results"][0]["given_away"] == 0.25
        assert begin(ada, circle, name, 10) == tenth, "there is no second try"
        ada.do(filled[0], "leave")
        assert begin(ada, circle, name, 1) not in (tenth, "too-many-tables"), "the refused try is not used up"

    def test_after_the_end_of_a_series_a_try_at_one_deal_opens_no_other(self, start: StartServer) -> None:
        server = at_noon(start())
        ada = Guest(server.address, "Ada")
        circle = make(ada)
        name = open_series(ada, circle, deals=10, days=1)["id"]
        tenth = begin(ada, circle, name, 10)
        server.clock.advance(86_400 + 60)
        assert begin(ada, circle, name, 1) == "series-closed"
        assert begin(ada, circle, name, 10) == tenth

    def test_requests_at_once_get_the_same_table_even_if_it_is_the_last_of_the_hour(self, start: StartServer) -> None:
        server = at_noon(start(limits=msgspec.structs.replace(GENEROUS, tables_per_hour=1)))
        ada = Guest(server.address, "Ada")
        (table,) = set(ask_at_once(server, ada, 4))
        deal = daily.deal_of("2027-01-15", GAME)
        assert table == stored_table(server, ada, deal)
        assert ada.http.post(f"/api/daily/{GAME}").json()["id"] == table
        assert ada.http.post("/api/tables", json={"game": GAME, "seats": 2}).json()["code"] == "too-many-tables"

    def test_a_failed_write_uses_up_no_try(self, start: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
        server = at_noon(start())
        ada, deal = Guest(server.address, "Ada"), daily.deal_of("2027-01-15", GAME)

        async def fail(*appended: Any) -> None:
            raise StorageError("the disk does not answer")

        with monkeypatch.context() as broken:
            broken.setattr(server.context.storage, "append", fail)
            assert ada.http.post(f"/api/daily/{GAME}").json()["code"] == "storage-failed"
        assert stored_table(server, ada, deal) is None
        assert [each["table"] for each in ada.http.get("/api/daily").json() if each["game"] == GAME] == [None]
        assert ada.http.post(f"/api/daily/{GAME}").status_code == 201

    def test_a_removed_table_gives_no_second_try(self, start: StartServer) -> None:
        """An operator may let finished tables be removed before a series ends."""
        server = at_noon(start())
        ada = Guest(server.address, "Ada")
        circle = make(ada)
        name = open_series(ada, circle)["id"]
        table = begin(ada, circle, name, 1)
        play(ada, table)
        server.run(lambda: server.registry.discard(table))
        server.run(lambda: server.context.storage.remove_table(table))
        assert begin(ada, circle, name, 1) == "no-such-table"
        assert stored_table(server, ada, series.deal_of(name, 1)) == table


class TestOnSqlite(SharedDealContract):
    pass
