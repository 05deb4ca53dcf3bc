"""Tests that every storage must pass. The tests of an implementation inherit this class and say how to open one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tavolino.server.clock import Moment
from tavolino.server.storage import Appended, NumberTaken, Storage, TableRow

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

    def test_tables_are_found_by_what_is_due(self, tmp_path: Path) -> None:
        async def work(storage: Storage) -> None:
            await storage.append(Appended(row("a", witnessed=10, needs_waking=True), 1, [b"x", b"y"]))
            await storage.append(Appended(row("b", witnessed=20, needs_waking=True), 1, [b"x"]))
            await storage.append(Appended(row("c", "ended", witnessed=10, needs_waking=True), 1, [b"x"]))
            await storage.append(Appended(row("d", witnessed=30), 1, [b"x"]))
            assert await storage.waking_tables("", 10) == ["a", "b"]
            assert await storage.waking_tables("a", 10) == ["b"]
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
            await storage.keep_review("t", 0, 1, b"of no table")
            assert await storage.review("t", 0, 1) is None
            await storage.append(Appended(row("t", "ended"), 1, [b"one"]))
            await storage.keep_review("t", 0, 1, b"old")
            await storage.keep_review("t", 0, 2, b"new")
            await storage.keep_review("t", 1, 2, b"other seat")

        async def read(storage: Storage) -> None:
            assert await storage.review("t", 0, 1) is None, "of another version"
            assert await storage.review("t", 0, 2) == b"new"
            assert await storage.review("t", 1, 2) == b"other seat"
            await storage.forget("ada")
            assert await storage.review("t", 0, 2) == b"new", "the seat is nameless now, as in the table's entries"
            await storage.remove_table("t")
            assert await storage.review("t", 0, 2) is None

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
        async def arrive(storage: Storage) -> None:
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

        self.within(tmp_path, arrive)
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
            assert await storage.keep_first_item("q", "daily", b"six") == b"six"
            assert await storage.keep_first_item("q", "daily", b"seven") == b"six"

        async def read(storage: Storage) -> None:
            assert await storage.items("p", "puzzle/") == {"puzzle/a": b"three", "puzzle/b": b"two"}
            assert await storage.items("p", "puzz_e") == {"puzz_e/a": b"no wildcard"}
            assert await storage.items_called("puzzle/b") == {"p": b"two", "q": b"four"}
            await storage.remove_items("q", "puzzle/")
            assert await storage.items_called("puzzle/b") == {"p": b"two"}
            await storage.forget("p")
            assert await storage.items("p", "") == {}

        self.within(tmp_path, write)
        self.within(tmp_path, read)

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
