"""Tests that every storage must pass. The tests of an implementation inherit this class and say how to open one."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import tavolino
from tavolino.server.clock import Moment
from tavolino.server.context import Context
from tavolino.server.features.circles.stored import StoredCircle, StoredCircles, StoredSeries
from tavolino.server.features.notifications.stored import StoredNotifications
from tavolino.server.features.ratings.rated_games import MAX_LIMITED_GAIN, MIN_DECISIONS
from tavolino.server.features.ratings.results import settle
from tavolino.server.features.ratings.stored import RatingsChanged, StoredRating, StoredResult, StoredResults
from tavolino.server.features.reviews.stored import StoredReviews
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.state import Place, TableState
from tavolino.server.protocol import Ending, TableSettings
from tavolino.server.storage import (
    Appended,
    Item,
    ItemTaken,
    JournalReplaced,
    NumberTaken,
    Storage,
    TableDamaged,
    TableRow,
)
from tavolino.server.storage.journals import StoredJournal
from tavolino.server.storage.sql import Steps, statement
from tavolino.server.storage.tables import Short

Work = Callable[[Storage], Coroutine[Any, Any, None]]


def row(table: str, phase: str = "waiting", **changes: Any) -> TableRow:
    fields = {
        "game": "mantis",
        "public": False,
        "changed": 100,
        "witnessed": 100,
        "needs_waking": False,
        "members": ("ada",),
        "card": b"{}",
        **changes,
    }
    return TableRow(table=table, phase=phase, **fields)


def old_entries_with_webhook(url: str) -> list[bytes]:
    """As a server wrote them that had the address of a webhook in an entry. Bo, the second host, has given it."""
    opened = e.Opened("mantis", "1", "ada", "00" * 32, 1.0, seats=2)
    entries = [opened, e.Joined(0, "ada"), e.Joined(1, "bo"), e.HostPassed("bo")]
    return [*map(e.encode, entries), f'{{"k":"webhook","url":"{url}"}}'.encode()]


class StorageContract:
    def make(self, folder: Path) -> Storage:
        raise NotImplementedError

    def within(self, folder: Path, work: Work) -> None:
        """Open the storage, do something, close it."""

        async def run() -> None:
            storage = self.make(folder)
            await storage.open()
            try:
                await work(storage)
            finally:
                await storage.close()

        asyncio.run(run())

    def test_entries_come_back_in_order_after_a_reopening(self, tmp_path: Path) -> None:
        async def write(storage: Storage) -> None:
            await storage.append(Appended(row("t"), 1, [b"one", b"two"]))
            await storage.append(Appended(row("t", "playing"), 3, [b"three"]))

        async def read(storage: Storage) -> None:
            assert await storage.entries("t") == [b"one", b"two", b"three"]
            assert await storage.entries("t", after=2) == [b"three"]
            assert await storage.entries("other") == []

        self.within(tmp_path, write)
        self.within(tmp_path, read)

    @pytest.mark.parametrize("number", [0, 1, 2, 4])
    def test_a_number_that_does_not_follow_is_refused_and_changes_nothing(self, tmp_path: Path, number: int) -> None:
        async def work(storage: Storage) -> None:
            await storage.append(Appended(row("t"), 1, [b"one", b"two"]))
            with pytest.raises(NumberTaken):
                await storage.append(Appended(row("t", "ended"), number, [b"x", b"y"]))
            assert await storage.entries("t") == [b"one", b"two"]
            found = await storage.row("t")
            assert found is not None
            assert found.phase == "waiting"

        self.within(tmp_path, work)

    def test_a_compacted_journal_is_one_row_and_is_followed_as_before(self, tmp_path: Path) -> None:
        def shorten(journal: StoredJournal, card: bytes) -> Steps[Short | None]:
            living = yield statement("SELECT id FROM people WHERE id IN :people", people=["kim", "zoe"])
            names = {person for (person,) in living}
            return Short(b"%d entries of %s" % (journal.last, journal.table.encode()), b'{"short": true}', names)

        async def write(storage: Storage) -> None:
            await storage.add_person("kim", "Kim", b"token", 0)
            await storage.append(Appended(row("t", "ended", witnessed=5), 1, [b"one", b"two"]))
            await storage.append(Appended(row("s", "ended", witnessed=5), 1, [b"one"]))
            await storage.append(Appended(row("r", "playing", witnessed=5), 1, [b"one"]))
            await storage.keep_snapshot("t", 2, b"snapshot")
            assert await storage.tables_to_compact(4, (-1, ""), 9) == []
            assert await storage.tables_to_compact(5, (-1, ""), 1) == [(5, "s")]
            assert await storage.tables_to_compact(5, (5, "s"), 9) == [(5, "t")]
            assert [await storage.compact(table, shorten) for table in ("t", "r", "nobody")] == [True, False, False]
            assert await storage.tables_to_compact(5, (-1, ""), 9) == [(5, "s")]
            assert await storage.database.value("SELECT count(*) FROM entries WHERE table_id = 't'") == 0
            assert await storage.snapshot("t") is None
            assert await storage.compacted("s") is None
            stored = await storage.row("t")
            assert stored is not None
            assert stored.card == b'{"short": true}'
            for after in (0, 1):
                with pytest.raises(JournalReplaced):
                    await storage.entries("t", after)
            for number in (1, 2, 4):
                with pytest.raises(NumberTaken):
                    await storage.append(Appended(row("t", "ended"), number, [b"x"]))
            await storage.append(Appended(row("t", "ended"), 3, [b"three"]))

        async def read(storage: Storage) -> None:
            assert await storage.compacted("t") == (2, b"2 entries of t")
            assert await storage.entries("t", after=2) == [b"three"]
            await storage.append(Appended(row("t", "ended"), 4, [b"four"]))
            assert await storage.entries("t", after=3) == [b"four"]
            assert await storage.compact("t", shorten), "once more, with what came since"
            assert await storage.compacted("t") == (4, b"4 entries of t")
            await storage.append(Appended(row("t", "ended"), 5, [b"five"]))
            assert await storage.check_tables("", 9) == (None, [])
            assert await storage.finished_tables_of("kim") == ["t"], "who is named in the row, and does not sit there"
            await storage.forget("kim")
            assert await storage.finished_tables_of("kim") == []
            await storage.remove_table("t")
            assert await storage.compacted("t") is None
            for name in ("compact_entries", "mentions"):
                assert await storage.database.value(f"SELECT count(*) FROM {name}") == 0

        self.within(tmp_path, write)
        self.within(tmp_path, read)

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE compact_entries SET content = digest",
            "UPDATE compact_entries SET digest = chain",
            "UPDATE compact_entries SET chain = digest",
            "DELETE FROM compact_entries",
            "DELETE FROM entries",
            "UPDATE tables SET compacted = 1",
            "UPDATE tables SET compacted = 0",
        ],
    )
    def test_damage_to_a_compacted_journal_is_found(self, tmp_path: Path, damage: str) -> None:
        def shorten(journal: StoredJournal, card: bytes) -> Steps[Short | None]:
            yield statement("SELECT 1")
            return Short(b"short", card, set())

        async def work(storage: Storage) -> None:
            await storage.append(Appended(row("t", "ended"), 1, [b"one", b"two"]))
            assert await storage.compact("t", shorten)
            await storage.append(Appended(row("t", "ended"), 3, [b"three"]))
            await storage.database.rows(damage)
            assert [each.table for each in (await storage.check_tables("", 9))[1]] == ["t"]
            with pytest.raises(TableDamaged):
                await storage.entries("t", after=2)
            with pytest.raises(TableDamaged):
                await storage.compact("t", shorten)

        self.within(tmp_path, work)

    def test_orders_are_numbered_once_settled_and_removed(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            first, second = await storage.add_order(b"one"), await storage.add_order(b"two")
            assert first < second
            assert await storage.orders(0) == [(first, b"one", None), (second, b"two", None)]
            await storage.settle_order(second, "done")
            assert await storage.orders(first) == [(second, b"two", "done")]
            await storage.remove_orders([first, second])
            assert await storage.orders(0) == []
            assert await storage.add_order(b"three") > second

        self.within(tmp_path, work)

    def test_of_two_writers_of_one_number_exactly_one_wins(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.append(Appended(row("t"), 1, [b"one"]))
            writers = [storage.append(Appended(row("t"), 2, [b"%d" % n])) for n in range(8)]
            results = await asyncio.gather(*writers, return_exceptions=True)
            assert sum(result is None for result in results) == 1
            assert all(result is None or isinstance(result, NumberTaken) for result in results)
            assert len(await storage.entries("t")) == 2

        self.within(tmp_path, work)

    def test_many_tables_written_at_once_all_arrive(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await asyncio.gather(*(storage.append(Appended(row(f"t{n}"), 1, [b"a", b"b"])) for n in range(300)))
            for n in range(300):
                assert await storage.entries(f"t{n}") == [b"a", b"b"]

        self.within(tmp_path, work)

    def test_rows_are_listed_by_phase_publicity_and_member(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.append(Appended(row("a", public=True, changed=1, members=("ada", "bo")), 1, [b"x"]))
            await storage.append(Appended(row("b", public=True, changed=3, members=("bo",)), 1, [b"x"]))
            await storage.append(Appended(row("c", "ended", public=True, changed=2), 1, [b"x"]))
            assert [each.table for each in await storage.public_rows(10)] == ["b", "a"]
            assert [each.table for each in await storage.public_rows(1)] == ["b"]
            assert [each.table for each in await storage.rows_of("ada", 10)] == ["c", "a"]
            assert [each.table for each in await storage.rows_of("bo", 10)] == ["b", "a"]
            assert await storage.count_open() == 2

        self.within(tmp_path, work)

    def test_tables_that_changed_at_the_same_time_are_always_in_the_same_order(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            for name in ("c", "a", "b"):
                await storage.append(Appended(row(name, public=True, changed=1, members=("ada",)), 1, [b"x"]))
            assert [each.table for each in await storage.public_rows(10)] == ["a", "b", "c"]
            assert [each.table for each in await storage.rows_of("ada", 10)] == ["a", "b", "c"]

        self.within(tmp_path, work)

    def test_tables_are_found_by_what_is_due(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.append(Appended(row("a", witnessed=10, needs_waking=True), 1, [b"x", b"y"]))
            await storage.append(Appended(row("b", witnessed=20, needs_waking=True), 1, [b"x"]))
            await storage.append(Appended(row("c", "ended", witnessed=10, needs_waking=True), 1, [b"x"]))
            await storage.append(Appended(row("d", witnessed=30), 1, [b"x"]))
            await storage.append(Appended(row("e", game="kuhn-poker", witnessed=30, needs_waking=True), 1, [b"x"]))
            assert await storage.waking_tables("mantis", "", 10) == ["a", "b"]
            assert await storage.waking_tables("mantis", "a", 10) == ["b"]
            assert await storage.idle_tables(9, 10) == []
            assert await storage.idle_tables(20, 10) == [("a", 2), ("b", 1)]
            assert await storage.idle_tables(20, 1) == [("a", 2)]
            assert await storage.ended_tables(9, 10) == []
            assert await storage.ended_tables(10, 10) == ["c"]

        self.within(tmp_path, work)

    def test_several_tables_are_written_all_or_none(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.append(Appended(row("a"), 1, [b"one"]))
            with pytest.raises(NumberTaken):
                await storage.append(Appended(row("new"), 1, [b"x"]), Appended(row("a"), 1, [b"again"]))
            assert await storage.row("new") is None
            await storage.append(Appended(row("new"), 1, [b"x"]), Appended(row("a"), 2, [b"two"]))
            assert await storage.entries("a") == [b"one", b"two"]
            assert await storage.entries("new") == [b"x"]

        self.within(tmp_path, work)

    def test_members_follow_who_sits_down_and_gets_up(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.append(Appended(row("t", members=("ada", "bo")), 1, [b"x"]))
            await storage.append(Appended(row("t", members=("bo",)), 2, [b"x"]))
            assert await storage.rows_of("ada", 10) == []
            assert [each.table for each in await storage.rows_of("bo", 10)] == ["t"]

        self.within(tmp_path, work)

    def test_a_removed_table_is_gone_whole(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.append(Appended(row("t"), 1, [b"x"]))
            await storage.keep_snapshot("t", 1, b"snap")
            await storage.remove_table("t")
            assert await storage.row("t") is None
            assert await storage.entries("t") == []
            assert await storage.snapshot("t") is None
            assert await storage.rows_of("ada", 10) == []

        self.within(tmp_path, work)

    def test_reviews_are_kept_with_their_table(self, tmp_path: Path) -> None:
        async def write(storage: Storage) -> None:
            reviews = StoredReviews(storage)
            await reviews.keep("t", 0, 1, b"of no table")
            assert await reviews.find("t", 0, 1) is None
            await storage.append(Appended(row("t", "ended"), 1, [b"one"]))
            await reviews.keep("t", 0, 1, b"old")
            await reviews.keep("t", 0, 2, b"new")
            await reviews.keep("t", 1, 2, b"other seat")

        async def read(storage: Storage) -> None:
            reviews = StoredReviews(storage)
            assert await reviews.find("t", 0, 1) is None, "of another version"
            assert await reviews.find("t", 0, 2) == b"new"
            assert await reviews.find("t", 1, 2) == b"other seat"
            await storage.forget("ada")
            assert await reviews.find("t", 0, 2) == b"new", "the seat is nameless now, as in the table's entries"
            await storage.remove_table("t")
            assert await reviews.find("t", 0, 2) is None

        self.within(tmp_path, write)
        self.within(tmp_path, read)

    def test_a_result_is_settled_once_and_only_by_who_knows_the_ratings(self, tmp_path: Path) -> None:
        def rating(person: str, table: str, number: int, mu: float = 1600) -> StoredRating:
            return StoredRating(person, "mantis", number, table, 100, mu, 200)

        async def write(storage: Storage) -> None:
            counted = StoredResults(storage)
            for nth, person in enumerate(("ada", "bruno")):
                await storage.add_person(person, person, bytes([nth]) * 32, 1)
            for table in ("t", "u", "v"):
                await storage.append(Appended(row(table, "ended"), 1, [b"one"]))
                await counted.expect_result(table)
            await storage.append(Appended(row("running", "playing"), 1, [b"one"]))
            await counted.expect_result("running")
            assert await counted.unsettled_results(10) == ["t", "u", "v"]
            await counted.settle_result("t", [rating("ada", "t", 1), rating("bruno", "t", 1), rating("gone", "t", 1)])
            await counted.settle_result("t", [rating("ada", "t", 2, 1700)])
            await counted.expect_result("t")  # a node that was late with it
            await counted.settle_result("t", [rating("ada", "t", 2, 1700)])
            await counted.settle_result("nobody expects", [rating("ada", "nobody expects", 2)])
            with pytest.raises(RatingsChanged):  # it was worked out from ratings that are not those of now
                await counted.settle_result("u", [rating("bruno", "u", 2), rating("ada", "u", 1)])
            assert await counted.unsettled_results(10) == ["u", "v"], "then nothing of it is kept"
            await counted.settle_result("u", [rating("ada", "u", 2, 1700)])
            await storage.remove_table("v")
            await counted.expect_result("v")
            assert await counted.unsettled_results(10) == []

        async def read(storage: Storage) -> None:
            counted = StoredResults(storage)
            newest = {"ada": rating("ada", "u", 2, 1700), "bruno": rating("bruno", "t", 1)}
            assert await counted.ratings(["ada", "bruno", "gone"], "mantis") == newest
            assert await counted.ratings(["ada"], "other") == {}
            assert await counted.ratings_of("ada") == [rating("ada", "t", 1), newest["ada"]]
            assert await counted.rating_at("ada", "u") == [rating("ada", "t", 1), newest["ada"]]
            assert await counted.rating_at("ada", "t") == [rating("ada", "t", 1)], "it was the first one"
            assert await counted.rating_at("bruno", "u") == []
            await storage.forget("ada")
            assert await counted.ratings_of("ada") == []
            assert await counted.ratings(["ada", "bruno"], "mantis") == {"bruno": newest["bruno"]}

        self.within(tmp_path, write)
        self.within(tmp_path, read)

    def test_results_that_are_settled_at_the_same_time_count_once_each(self, tmp_path: Path) -> None:
        """Several servers, or one that tries again: each works from the ratings that it has read."""

        async def settle(storage: Storage, table: str) -> None:
            while True:
                known = await StoredResults(storage).ratings(["ada", "bruno"], "mantis")
                numbers = {person: known[person].number + 1 if person in known else 1 for person in ("ada", "bruno")}
                after = [StoredRating(each, "mantis", number, table, 1, 1500, 9) for each, number in numbers.items()]
                with contextlib.suppress(RatingsChanged):
                    return await StoredResults(storage).settle_result(table, after)

        async def work(storage: Storage) -> None:
            counted = StoredResults(storage)
            for nth, person in enumerate(("ada", "bruno")):
                await storage.add_person(person, person, bytes([nth]) * 32, 1)
            tables = [f"t{number}" for number in range(6)]
            for table in tables:
                await storage.append(Appended(row(table, "ended"), 1, [b"one"]))
                await counted.expect_result(table)
            await asyncio.gather(*(settle(storage, table) for table in tables for _ in range(3)))
            for person in ("ada", "bruno"):
                found = await counted.ratings_of(person)
                assert [each.number for each in found] == [1, 2, 3, 4, 5, 6]
                assert sorted(each.table for each in found) == tables

        self.within(tmp_path, work)

    @pytest.mark.parametrize("delete_losers", [False, True])
    def test_threat_71_an_hour_of_games_against_oneself_is_worth_less_than_100_points(
        self, tmp_path: Path, delete_losers: bool
    ) -> None:
        """Own identities play the least that counts, then resign: 12 that come again, or one for each game."""
        start, games = 1_800_000_000, 120
        now = float(start)

        async def attack(storage: Storage) -> None:
            counted = StoredResults(storage)
            nonlocal now
            context = SimpleNamespace(
                storage=storage,
                clock=SimpleNamespace(wall=lambda: now),
                ratings=SimpleNamespace(forget=lambda *_: None),
            )
            known = {"ada"}
            await storage.add_person("ada", "ada", b"a" * 32, 1)
            for game in range(games):
                loser, table = f"p{game if delete_losers else game % 12}", f"t{game}"
                if loser not in known:
                    known.add(loser)
                    await storage.add_person(loser, loser, game.to_bytes(32, "big"), 1)
                await storage.append(Appended(row(table, "ended"), 1, [b"one"]))
                await counted.expect_result(table)
                state = TableState(table, game="mantis", phase="ended", is_dealt=True)
                state.settings = TableSettings(seats=2, rated=True)
                state.places = [Place(person="ada"), Place(person=loser, decisions=MIN_DECISIONS, resigned=True)]
                state.ending = Ending("resigned", [0], None)
                now = start + 3_600 * game / games
                await settle(cast(Context, context), state, tavolino.load("mantis"))
                if delete_losers:
                    await storage.forget(loser)
            gained = (await counted.ratings(["ada"], "mantis"))["ada"].mu - 1500
            assert 0 < gained <= MAX_LIMITED_GAIN < 100
            recent = await counted.recent_ratings(["ada"], "mantis", start)
            assert len(recent) == games
            assert sum(each.limited for each in recent) == pytest.approx(gained)
            assert await counted.recent_ratings(["ada"], "mantis", start + 3_600) == []

        self.within(tmp_path, attack)

    def test_circles_are_joined_left_and_counted(self, tmp_path: Path) -> None:
        def result(person: str, table: str, won: bool) -> StoredResult:
            return StoredResult("c", table, person, "mantis", 100, won)

        async def write(storage: Storage) -> None:
            circles = StoredCircles(storage)
            counted = StoredResults(storage)
            for nth, person in enumerate(("ada", "bruno", "celina")):
                await storage.add_person(person, person, bytes([nth]) * 32, 1)
            assert await circles.add_circle(StoredCircle("c", "Thursday"), "ada", 1, most=1)
            assert not await circles.add_circle(StoredCircle("d", "Friday"), "ada", 1, most=1)
            assert await circles.join_circle("c", "bruno", 2, most=1, most_members=2)
            assert await circles.join_circle("c", "bruno", 2, most=1, most_members=2), "who is in stays in"
            assert not await circles.join_circle("c", "celina", 3, most=1, most_members=2)
            assert await circles.add_circle(StoredCircle("e", "Sunday"), "celina", 1, most=1)
            assert not await circles.join_circle("c", "celina", 3, most=1, most_members=9)
            for table in ("t", "u"):
                await storage.append(Appended(row(table, "ended"), 1, [b"one"]))
                await counted.expect_result(table)
            both = [result("ada", "t", True), result("bruno", "t", False), result("celina", "t", True)]
            for _ in range(2):
                await counted.settle_result("t", [], both)
            await counted.settle_result("u", [], [result("ada", "u", True), result("bruno", "u", True)])

        async def read(storage: Storage) -> None:
            circles = StoredCircles(storage)
            counted = StoredResults(storage)
            assert await circles.circle("c") == StoredCircle("c", "Thursday")
            assert await circles.circle("d") is None
            assert await circles.circle_members("c") == [("ada", 1, "owner"), ("bruno", 2, "member")]
            assert await circles.circles_of("ada") == [StoredCircle("c", "Thursday")]
            assert await counted.common_circles(["ada", "bruno"]) == ["c"]
            assert await counted.common_circles(["ada", "celina"]) == []
            assert sorted(await circles.circle_standings("c")) == [
                ("mantis", "ada", 2, 2),
                ("mantis", "bruno", 2, 1),
            ]
            assert await circles.circle_results("c", 2) == [
                result("ada", "t", True),
                result("bruno", "t", False),
            ]
            await circles.leave_circle("c", "ada")
            assert await circles.circle_members("c") == [("bruno", 2, "owner")]
            assert [each.person for each in await circles.circle_results("c", 9)] == ["bruno", "bruno"]
            assert await circles.join_circle("c", "ada", 5, most=1, most_members=2)
            await circles.remove_from_circle("c", "ada")
            assert await counted.common_circles(["ada"]) == []
            assert await circles.circle_members("c") == [("bruno", 2, "owner"), ("ada", 5, "out")]
            await storage.forget("bruno")
            assert await circles.circle_standings("c") == []
            await circles.leave_circle("e", "celina")
            assert await circles.circle("e") is None, "nobody is left"

        self.within(tmp_path, write)
        self.within(tmp_path, read)

    def test_members_who_join_or_leave_at_once_keep_to_the_limit_and_leave_an_owner(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            circles = StoredCircles(storage)
            people = [f"p{n}" for n in range(8)]
            for nth, person in enumerate(people):
                await storage.add_person(person, "Ada", b"%d" % nth, 1)
            await circles.add_circle(StoredCircle("c", "Thursday"), "p0", 1, most=1)
            joined = [circles.join_circle("c", person, 2, most=1, most_members=4) for person in people[1:]]
            assert sum(await asyncio.gather(*joined)) == 3
            members = [each.person for each in await circles.circle_members("c")]
            await asyncio.gather(*(circles.leave_circle("c", person) for person in members[:3]))
            assert [each[::2] for each in await circles.circle_members("c")] == [(members[3], "owner")]

        self.within(tmp_path, work)

    def test_series_are_closed_once_and_go_with_their_circle(self, tmp_path: Path) -> None:
        one, two = (StoredSeries(name, "c", "mantis", 2, 4, at, 900, None) for name, at in (("one", 10), ("two", 20)))

        async def write(storage: Storage) -> None:
            circles = StoredCircles(storage)
            await storage.add_person("ada", "Ada", b"x" * 32, 1)
            await circles.add_circle(StoredCircle("c", "Thursday"), "ada", 1, most=1)
            await circles.add_series(one)
            await circles.add_series(two)
            for moment in (50, 60):
                await circles.close_series("one", moment)

        async def read(storage: Storage) -> None:
            circles = StoredCircles(storage)
            assert await circles.series_of("c") == [two, one._replace(closed=50)]
            assert await circles.series("two") == two
            assert await circles.series("three") is None
            await circles.leave_circle("c", "ada")
            assert await circles.series("two") is None

        self.within(tmp_path, write)
        self.within(tmp_path, read)

    def test_the_newest_snapshot_is_kept(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            assert await storage.snapshot("t") is None
            await storage.keep_snapshot("t", 5, b"five")
            await storage.keep_snapshot("t", 9, b"nine")
            assert await storage.snapshot("t") == (9, b"nine")

        self.within(tmp_path, work)

    def test_people_survive_a_restart_until_they_are_forgotten(self, tmp_path: Path) -> None:
        async def add(storage: Storage) -> None:
            await storage.add_person("p", "Ada", b"token", 1)
            await storage.add_token("p", b"other", 2)
            await storage.rename("p", "Ada L.")

        async def leave(storage: Storage) -> None:
            assert await storage.person_of(b"token") == ("p", "Ada L.")
            assert await storage.person_of(b"other") == ("p", "Ada L.")
            assert await storage.names(["p", "nobody"]) == {"p": "Ada L."}
            await storage.forget("p")
            assert await storage.person_of(b"token") is None
            assert await storage.names(["p"]) == {}

        self.within(tmp_path, add)
        self.within(tmp_path, leave)

    @pytest.mark.parametrize("text", ["'; DROP TABLE people; --", '" OR ""="', "x' OR 'x'='x", "\\'; --", "$1 %s ? :a"])
    def test_text_that_looks_like_a_statement_is_only_text(self, tmp_path: Path, text: str) -> None:
        async def work(storage: Storage) -> None:
            await storage.add_person("p", "Ada", b"one", 1)
            await storage.add_person(text, text, b"two", 1)
            await storage.keep_new_name(text, text)
            await storage.append(Appended(row(text, public=True), 1, [text.encode()]))
            assert await storage.names([text, "p"]) == {text: text, "p": "Ada"}
            assert await storage.new_names([text]) == {text: text}
            assert await storage.person_of(b"two") == (text, text)
            assert await storage.entries(text) == [text.encode()]
            assert [each.table for each in await storage.public_rows(10)] == [text]
            assert await storage.rows_of(text, 10) == await storage.rows_of("nobody", 10)
            assert await storage.add_order(text.encode()) > 0
            await storage.forget(text)
            assert await storage.names([text, "p"]) == {"p": "Ada"}

        self.within(tmp_path, work)

    def test_items_are_kept_for_a_person_by_name_and_go_with_that_person(self, tmp_path: Path) -> None:
        async def write(storage: Storage) -> None:
            await storage.add_person("p", "Ada", b"token", 1)
            await storage.add_person("q", "Bruno", b"other", 1)
            await storage.keep_item("p", "puzzle/b", b"one")
            await storage.keep_item("p", "puzzle/b", b"two")
            await storage.keep_item("p", "puzzle/a", b"three")
            await storage.keep_item("p", "puzz_e/a", b"no wildcard")
            await storage.keep_item("q", "puzzle/b", b"four")
            await storage.keep_item("nobody", "puzzle/b", b"five")
            await storage.keep_item("q", "daily", b"six")

        async def read(storage: Storage) -> None:
            assert await storage.items("p", "puzzle/") == {"puzzle/a": b"three", "puzzle/b": b"two"}
            assert await storage.items("p", "puzz_e") == {"puzz_e/a": b"no wildcard"}
            assert await storage.items_called("puzzle/b") == {"p": b"two", "q": b"four"}
            await storage.remove_items("q", "puzzle/")
            assert await storage.items_called("puzzle/b") == {"p": b"two"}
            await storage.remove_items_called("puzzle/a")
            assert await storage.items("p", "puzzle/") == {"puzzle/b": b"two"}
            await storage.forget("p")
            assert await storage.items("p", "") == {}

        self.within(tmp_path, write)
        self.within(tmp_path, read)

    def test_an_item_is_stored_with_its_table_or_neither_is(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.add_person("p", "Ada", b"token", 1)
            await storage.add_person("q", "Bruno", b"other", 1)

            def opening(table: str, person: str = "p") -> Appended:
                return Appended(row(table), 1, [b"one"], item=Item(person, "deal/1", table.encode()))

            await storage.keep_item("p", "deal/10", b"another")
            tables = ["t", "u", "v"]
            failures = await asyncio.gather(*(storage.append(opening(t)) for t in tables), return_exceptions=True)
            assert sorted(type(each).__name__ for each in failures) == ["ItemTaken", "ItemTaken", "NoneType"]
            (made,) = [t for t, failure in zip(tables, failures, strict=True) if failure is None]
            assert [t for t in tables if await storage.row(t) is not None] == [made]
            assert await storage.items("p", "deal/") == {"deal/1": made.encode(), "deal/10": b"another"}
            with pytest.raises(ItemTaken):
                await storage.append(opening("w"))
            with pytest.raises(NumberTaken):
                await storage.append(opening(made, "q"))
            assert await storage.items("q", "") == {}
            await storage.append(Appended(row("w"), 1, [b"one"]))
            assert await storage.entries("w") == await storage.entries(made) == [b"one"]

        self.within(tmp_path, work)

    def test_a_shared_deal_keeps_its_first_secret(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            offered = await asyncio.gather(*(storage.deal_secret("day", f"secret {n}") for n in range(5)))
            assert len(set(offered)) == 1
            assert await storage.deal_secret("other day", "another") == "another"
            assert await storage.shared_secret("other day") == "another"
            assert await storage.shared_secret("no day") is None

        async def again(storage: Storage) -> None:
            assert (await storage.deal_secret("day", "new")).startswith("secret ")

        self.within(tmp_path, work)
        self.within(tmp_path, again)

    def test_a_turn_is_claimed_once_and_goes_with_its_person_and_table(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            notifications = StoredNotifications(storage)
            for person in ("p", "q"):
                await storage.add_person(person, person, person.encode(), 1)
            for table in ("s", "t"):
                await storage.append(Appended(row(table), 1, [b"one"]))
            asked = [notifications.claim("p", "push", {"s": 3, "t": 0, "gone": 1}) for _ in range(5)]
            claimed = await asyncio.gather(*asked)
            assert sorted(map(sorted, claimed)) == [[], [], [], [], ["s", "t"]]
            assert await notifications.claim("p", "webhook", {"s": 3}) == {"s"}
            assert await notifications.claim("q", "push", {"s": 3}) == {"s"}
            assert await notifications.claim("nobody", "push", {"s": 3}) == set()
            assert await notifications.claim("p", "push", {"s": 2, "t": 1}) == {"t"}

        async def again(storage: Storage) -> None:
            notifications = StoredNotifications(storage)
            assert await notifications.claim("p", "push", {"s": 3, "t": 1}) == set()
            await storage.forget("p")
            await storage.add_person("p", "p", b"new", 1)
            assert await notifications.claim("p", "push", {"t": 0}) == {"t"}
            await storage.remove_table("t")
            await storage.append(Appended(row("t"), 1, [b"one"]))
            assert await notifications.claim("p", "push", {"t": 0}) == {"t"}

        self.within(tmp_path, work)
        self.within(tmp_path, again)

    def test_a_key_of_the_server_is_made_once(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            notifications = StoredNotifications(storage)
            offered = await asyncio.gather(*(notifications.server_key("vapid", b"%d" % n) for n in range(5)))
            assert len(set(offered)) == 1
            assert await notifications.server_key("other", b"another") == b"another"

        async def again(storage: Storage) -> None:
            notifications = StoredNotifications(storage)
            assert await notifications.server_key("other", b"new") == b"another"

        self.within(tmp_path, work)
        self.within(tmp_path, again)

    def test_tokens_are_listed_used_removed_and_expire_by_disuse(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.add_person("p", "Ada", b"one", 1, witnessed=10)
            await storage.add_token("p", b"two", 2, witnessed=20)
            await storage.add_token("p", b"three", 3, witnessed=30)
            await storage.add_person("q", "Bruno", b"four", 4, witnessed=40)
            await storage.use_token(b"one", 50, 100)
            assert await storage.tokens_of("p") == [(b"three", 3, 3), (b"two", 2, 2), (b"one", 1, 50)]
            assert await storage.person_of(b"two", unused_since=19) == ("p", "Ada")
            assert await storage.person_of(b"two", unused_since=20) is None, "whether it was removed yet or not"
            await storage.remove_tokens([b"three"])
            assert await storage.person_of(b"three") is None
            assert await storage.remove_unused_tokens(40, 1) == 1
            assert [await storage.person_of(each) is None for each in (b"one", b"two", b"four")] == [False, True, False]
            assert await storage.remove_unused_tokens(40, 10) == 1
            assert await storage.person_of(b"four") is None
            assert await storage.names(["p", "q"]) == {"p": "Ada", "q": "Bruno"}

        self.within(tmp_path, work)

    def test_a_new_name_waits_until_it_is_taken_on(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.add_person("p", "Ada", b"one", 1)
            await storage.add_person("q", "Bruno", b"two", 1)
            assert await storage.new_names() == {}
            await storage.keep_new_name("p", "Countess")
            assert await storage.person_of(b"one") == ("p", "Ada")
            assert await storage.new_names() == await storage.new_names(["p", "q"]) == {"p": "Countess"}
            assert await storage.new_names(["q"]) == await storage.new_names([]) == {}
            await storage.rename("p", "Countess")
            assert await storage.names(["p"]) == {"p": "Countess"}
            assert await storage.new_names() == {}

        self.within(tmp_path, work)

    def test_a_return_code_works_once_and_not_after_its_time(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.add_person("p", "Ada", b"token", 1)
            await storage.add_return_code(b"code", "p", 100)
            await storage.add_return_code(b"late", "p", 50)
            assert await storage.use_return_code(b"late", 50) is None
            assert await storage.use_return_code(b"code", 99) == "p"
            assert await storage.use_return_code(b"code", 99) is None
            assert await storage.use_return_code(b"never", 1) is None
            for number in range(7):
                await storage.add_return_code(b"code %d" % number, "p", 100 + number, most=3)
            found = [await storage.use_return_code(b"code %d" % number, 1) for number in range(7)]
            assert found == [None] * 4 + ["p"] * 3, "the newest ones of each person"
            await storage.add_return_code(b"again", "p", 100)
            await storage.remove_return_codes("p")
            assert await storage.use_return_code(b"again", 1) is None

        self.within(tmp_path, work)

    def test_the_last_moment_is_remembered_and_counts_never_go_back(self, tmp_path: Path) -> None:
        async def first(storage: Storage) -> None:
            assert await storage.last_moment() is None
            await storage.keep_moment(Moment(1_000.0, 10.0, 20.0))

        async def second(storage: Storage) -> None:
            assert await storage.last_moment() == Moment(1_000.0, 10.0, 20.0)
            await storage.keep_moment(Moment(900.0, 15.0, 19.0))
            assert await storage.last_moment() == Moment(900.0, 15.0, 20.0)

        self.within(tmp_path, first)
        self.within(tmp_path, second)
