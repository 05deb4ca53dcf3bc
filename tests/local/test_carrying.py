"""Games of this device go into a file and come back; a line that is no game of such a table is refused by name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tavolino.local.carrying import HEADER
from tavolino.local.worker import Worker
from tests.local.playing import Memory, Page, ask, begin, opened

GAME = "mantis"


async def bring(worker: Worker, line: object) -> Any:
    text = line if isinstance(line, str) else json.dumps(line)
    status, body = await worker.request("POST", "/api/lines", text)
    assert status == 200, body
    return json.loads(body)["result"]


async def line_of_a_game(most: int | None = None) -> tuple[dict[str, Any], Memory]:
    memory = Memory()
    worker = await opened(memory)
    table, page = await begin(worker, GAME)
    await page.play(most=most)
    if most is None:  # the entry of the end may follow the last view
        await page.until(type="table")
    status, line = await ask(worker, "GET", f"/api/tables/{table}/line")
    assert status == 200
    return line, memory


@pytest.mark.parametrize("most", [None, 2])
async def test_a_game_goes_on_on_another_device(most: int | None) -> None:
    line, _ = await line_of_a_game(most)
    there = Memory()
    worker = await opened(there)
    assert await ask(worker, "GET", "/api/lines") == (200, HEADER)
    assert await bring(worker, HEADER) == "header"
    assert await bring(worker, line) == "brought"
    assert [json.loads(entry) for entry in there.tables[line["table"]]] == line["entries"]
    assert await bring(worker, line) == "there"
    page = await Page.at(worker, line["table"])
    assert (await page.play())["view"]["over"]
    assert (await ask(await opened(there), "GET", "/api/me/tables"))[1]["finished"]


async def test_what_is_there_is_never_overwritten() -> None:
    line, memory = await line_of_a_game(3)
    before = {table: list(entries) for table, entries in memory.tables.items()}
    worker = await opened(memory)
    assert await bring(worker, {**line, "entries": line["entries"][:-2]}) == "there"
    assert memory.tables == before


async def test_a_line_that_does_not_hold_is_refused_and_nothing_is_stored() -> None:
    line, _ = await line_of_a_game()
    entries = line["entries"]
    kinds = [entry["k"] for entry in entries]
    first, last, end = kinds.index("moved"), len(kinds) - kinds[::-1].index("moved") - 1, kinds.index("ended")

    def changed(place: int, **more: Any) -> dict[str, Any]:
        return {**line, "entries": [*entries[:place], {**entries[place], **more}, *entries[place + 1 :]]}

    def cut(place: int) -> dict[str, Any]:
        return {**line, "entries": [*entries[:place], *entries[place + 1 :]]}

    def again(place: int) -> dict[str, Any]:
        return {**line, "entries": [*entries, entries[place]]}

    wrong: dict[str, list[Any]] = {
        "not-a-game": [
            "", "{", "[]", "null", "\ud800", "x" * 2**21, {}, {**line, "table": 5}, {**line, "table": "T"},
            {**line, "table": "~../../../../../../../"}, {**line, "entries": []}, {**line, "entries": {}},
            {**line, "entries": [5]}, {**line, "entries": [{"k": "nonsense"}]}, {**line, "entries": entries[1:]},
            {**line, "entries": entries[: kinds.index("dealt")]}, {**HEADER, "format": 2}, changed(first, seat="0"),
            changed(0, seats=99),
        ],
        "other-version": [changed(0, game="chess"), changed(0, rules="99")],
        "damaged": [
            changed(0, seats=6), changed(0, options={"speed": 1}), changed(0, host="somebody-else-entirely"),
            changed(0, deal="daily/1/mantis"), changed(0, public=True), changed(0, rated=True),
            changed(0, secret="0" * 64), changed(first, action="dance"),
            changed(first, seat=(entries[first]["seat"] + 1) % 2),
            changed(first, seat=99), changed(first, seat=-1), cut(first), cut(last), cut(kinds.index("joined")),
            changed(end, winners=[0, 1]), again(last), again(end), again(0), again(kinds.index("dealt")),
            changed(kinds.index("joined"), person="somebody-else-entirely"),
        ],
    }  # fmt: skip
    memory = Memory()
    worker = await opened(memory)
    for why, lines in wrong.items():
        for number, each in enumerate(lines):
            assert await bring(worker, each) == why, (number, why)
    assert memory.tables == {}
    assert await bring(worker, line) == "brought"


async def test_a_full_device_says_so_and_what_was_brought_is_there() -> None:
    line, _ = await line_of_a_game(1)
    memory = Memory()
    worker = await opened(memory)
    memory.is_full = True
    status, body = await worker.request("POST", "/api/lines", json.dumps(line))
    assert (status, json.loads(body)["key"]) == (507, "offline.problem.storage-full")
    assert memory.tables == {}


async def test_there_is_no_line_of_an_unknown_table() -> None:
    assert (await ask(await opened(Memory()), "GET", "/api/tables/~nobody/line"))[0] == 404
