"""Tables without a server, in this process: the worker of `tavolino.local` as a page uses it."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

import tavolino
from tavolino.local.features import FEATURES, KINDS
from tavolino.local.tables import MARK
from tavolino.server.kernel.snapshots import load_state
from tavolino.server.storage.errors import NumberTaken
from tavolino.server.storage.log import Appended
from tests.local.playing import Memory, Page, ask, begin, opened

GAME = "mantis"


@pytest.mark.parametrize("game", tavolino.games())
async def test_a_whole_game_is_played_over_the_pages_messages(game: str) -> None:
    worker = await opened(Memory())
    table, page = await begin(worker, game)
    last = await page.play()
    assert last["view"]["over"]
    assert table.startswith(MARK)
    status, record = await ask(worker, "GET", f"/api/tables/{table}/record")
    assert status == 200
    match = tavolino.replay(record)
    assert match.over
    assert match.view(0)["outcome"] == last["view"]["outcome"]
    status, frames = await ask(worker, "GET", f"/api/tables/{table}/frames?perspective=open")
    assert status == 200
    assert len(frames["frames"]) == len(record["actions"]) + 1


async def test_help_take_backs_and_refusals() -> None:
    worker = await opened(Memory())
    _, page = await begin(worker, GAME)
    question = await page.question()
    page.say(type="notebook", ref="n")
    assert (await page.until(ref="n"))["type"] == "notebook"
    page.say(type="move", action="nonsense", turn=question["turn"], ref="bad")
    assert (await page.until(ref="bad"))["problem"]["code"] == "illegal-move"
    page.say(type="hint", ref="h")
    assert (await page.until(ref="h"))["action"] in question["view"]["legal"]
    page.say(type="move", action=question["view"]["legal"][0], turn=question["turn"], ref="m")
    assert (await page.until(ref="m"))["type"] == "accepted"
    again = await page.question()
    page.say(type="take-back", turn=again["turn"], ref="t")
    assert (await page.until(ref="t"))["type"] == "accepted"
    page.say_text("no JSON")
    assert (await page.until(type="refused"))["problem"]["code"] == "bad-message"
    page.say(type="say", text="nobody is here", ref="chat")
    assert (await page.until(type="refused"))["problem"]["code"] == "bad-message"


async def test_a_reload_continues_the_game() -> None:
    memory = Memory()
    worker = await opened(memory)
    table, page = await begin(worker, GAME)
    before = await page.play(most=2)
    page.leave()
    another = await opened(memory)  # the tab was closed: only what was kept is left
    status, mine = await ask(another, "GET", "/api/me/tables")
    assert (status, [card["id"] for card in mine["playing"]]) == (200, [table])
    page = await Page.at(another, table)
    after = await page.question()
    assert after["view"] == before["view"]
    assert (await page.play(after))["view"]["over"]
    _, mine = await ask(another, "GET", "/api/me/tables")
    assert [card["id"] for card in mine["finished"]] == [table]


async def test_what_cannot_be_kept_is_refused_and_changes_nothing() -> None:
    memory = Memory()
    worker = await opened(memory)
    table, page = await begin(worker, GAME)
    question = await page.question()
    kept = list(memory.tables[table])
    move = {"type": "move", "action": question["view"]["legal"][0], "turn": question["turn"]}
    memory.is_full = True
    page.say(**move, ref="full")
    problem = (await page.until(ref="full"))["problem"]
    assert (problem["code"], problem["key"]) == ("storage-full", "offline.problem.storage-full"), (
        "it is not the server's disk"
    )
    memory.is_full, memory.is_broken = False, True
    page.say(**move, ref="broken")
    assert (await page.until(ref="broken"))["problem"]["code"] == "storage-failed"
    memory.is_broken = False
    assert memory.tables[table] == kept
    page.say(**move, ref="well")
    assert (await page.until(ref="well"))["type"] == "accepted"
    assert len(memory.tables[table]) > len(kept)


async def test_what_was_acknowledged_was_kept_before() -> None:
    memory = Memory()
    worker = await opened(memory)
    table, page = await begin(worker, GAME)
    question = await page.question()
    acknowledged: list[int] = []

    def hear(text: str | None) -> None:
        if "accepted" in (text or ""):
            acknowledged.append(len(memory.tables[table]))

    page._socket._hear = hear
    before = len(memory.tables[table])
    page.say(type="move", action=question["view"]["legal"][0], turn=question["turn"], ref="m")
    while not acknowledged:
        await asyncio.sleep(0.001)
    assert acknowledged[0] > before


async def test_a_rematch_is_local_too() -> None:
    worker = await opened(Memory())
    _, page = await begin(worker, GAME)
    await page.play()
    page.say(type="rematch", ref="again")
    again = (await page.until(ref="again"))["table"]
    assert again.startswith(MARK)
    page = await Page.at(worker, again)
    page.say(type="salt", salt="6b" * 32)
    assert (await page.question())["view"]["legal"]


async def test_a_server_reads_the_journal() -> None:
    """The journal has the format of the server's: a kernel with the same features comes to the same state."""
    memory = Memory()
    worker = await opened(memory)
    table, page = await begin(worker, GAME)
    await page.play()
    state = await load_state(worker.services.storage, KINDS, table)
    assert state is not None
    assert state == (await worker.tables.get(table)).state


async def test_another_tab_has_written_the_entry() -> None:
    memory = Memory()
    worker = await opened(memory)
    table, page = await begin(worker, GAME)
    await page.question()
    row = worker.services.storage.rows[table]
    with pytest.raises(NumberTaken):
        await worker.services.storage.append(Appended(row, 1, [b"{}"]))


async def test_a_running_game_of_other_rules_needs_another_pack_and_a_finished_one_does_not() -> None:
    memory = Memory()
    worker = await opened(memory)
    table, page = await begin(worker, GAME)
    await page.play(most=1)
    assert not await (await opened(memory)).tables.lacks_rules()
    opening = json.loads(memory.tables[table][0])
    for other in ({"rules": "99"}, {"game": "chess"}):
        memory.tables[table][0] = json.dumps({**opening, **other})
        assert await (await opened(memory)).tables.lacks_rules()
    memory.rows_kept[table] = json.dumps({**json.loads(memory.rows_kept[table]), "phase": "ended"})
    assert not await (await opened(memory)).tables.lacks_rules()


async def test_two_tabs_that_write_one_table_lose_nothing() -> None:
    """As over plain HTTP, where browsers have no locks: the later one reads what the other has written."""
    memory = Memory()
    table, page = await begin(await opened(memory), GAME)
    question = await page.question()
    second = await opened(memory)
    other = await Page.at(second, table)
    old = await other.question()
    assert old["turn"] == question["turn"]
    shown = await page.play(question, most=2)
    entries = list(memory.tables[table])
    other.say(type="move", action=old["view"]["legal"][0], turn=old["turn"], ref="late")
    assert (await other.until(type="refused"))["problem"]["code"] == "stale-move"
    assert memory.tables[table] == entries
    assert (await ask(await opened(memory), "GET", f"/api/tables/{table}"))[0] == 200
    assert max(each["turn"] for each in other.heard if each["type"] == "play") == shown["turn"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/tables/~nothing", None, 404),
        ("GET", "/api/circles", None, 404),
        ("POST", "/api/play-now", {"game": "chess"}, 404),
        ("POST", "/api/play-now", {"game": GAME, "level": 7}, 400),
        ("POST", "/api/tables", {"game": GAME, "seats": 99}, 400),
        ("POST", "/api/tables", {"game": GAME, "seats": 3, "public": True}, 422),
        ("GET", "/nonsense", None, 404),
    ],
)
async def test_bad_requests(method: str, path: str, body: object, status: int) -> None:
    found, problem = await ask(await opened(Memory()), method, path, body)
    assert found == status, problem
    assert {"code", "key"} <= problem.keys()


async def test_a_damaged_journal_is_said_and_harms_no_other_table() -> None:
    memory = Memory()
    worker = await opened(memory)
    table, page = await begin(worker, GAME)
    await page.question()
    memory.tables[table][1] = json.dumps({"type": "nonsense"})
    another = await opened(memory)
    status, problem = await ask(another, "GET", f"/api/tables/{table}")
    assert (status, problem["code"]) == (500, "table-damaged")
    assert (await ask(another, "POST", "/api/play-now", {"game": GAME, "level": "easy"}))[0] == 201
    assert (await ask(another, "DELETE", f"/api/tables/{table}"))[0] == 204
    assert table not in memory.tables


async def test_a_removed_table_closes_its_connections() -> None:
    worker = await opened(Memory())
    table, page = await begin(worker, GAME)
    await page.question()
    await ask(worker, "DELETE", f"/api/tables/{table}")
    assert page.heard[-1]["type"] == "closing"
    assert page.is_closed


def test_the_page_shows_the_features_that_these_tables_have() -> None:
    transport = Path(__file__).parents[2] / "web" / "src" / "features" / "local_tables" / "transport.ts"
    listed = re.search(r"features: \[(.*?)\]", transport.read_text("utf-8"))
    assert listed is not None
    assert re.findall(r"'(\w+)'", listed[1]) == [feature.name for feature in FEATURES]
