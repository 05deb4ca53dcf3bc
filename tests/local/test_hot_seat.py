"""Several people at one device: what is sent while the curtain is closed, and while a seat is open."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import tavolino
from tavolino.engine.take_back import can_take_back
from tavolino.local.hot_seat import HOT_SEAT_MARK
from tavolino.local.worker import Worker
from tavolino.server.verify.checks import Kept, verdict
from tests.local.playing import Memory, Message, Page, ask, opened

GAME = "mantis"
NAMES = ["Ada", "Bea", "Carl"]
NOBODY = None


async def begin(
    worker: Worker, game: str = GAME, names: list[str] = NAMES, bots: int = 0, salts: list[str] | None = None
) -> str:
    status, table = await ask(worker, "POST", "/api/hot-seat", {"game": game, "names": names, "bots": bots})
    assert status == 201, table
    assert table["id"].startswith(HOT_SEAT_MARK)
    assert table["you"]["seat"] is None
    if salts is None:
        salts = [f"{seat:064x}" for seat in range(len(names))]
    await ask(worker, "POST", f"/api/tables/{table['id']}/salts", {"salts": salts})  # then the deal waits no longer
    return str(table["id"])


async def uncover(worker: Worker, table: str, seat: int | None) -> Page:
    """Open the cards of a seat, or of nobody, and connect."""
    status, answer = await ask(worker, "POST", f"/api/tables/{table}/curtain", {"seat": seat})
    assert (status, answer) == (200, {"seat": seat})
    return await Page.at(worker, table)


async def next_to_act(page: Page) -> Message:
    """The first cards that are shown when a person must decide, or the game is over."""
    while True:
        message = await page.until(type="play")
        to_act = message["view"]["to_act"]
        if to_act is None or to_act < len(NAMES):
            return message


async def play_to_end(worker: Worker, table: str, most: int = 10_000) -> list[tuple[int | None, list[Message]]]:
    """Pass the device until the game is over. By the seats that were open: all that was sent meanwhile."""
    sent: list[tuple[int | None, list[Message]]] = []
    decided, last = 0, -1
    while decided < most:
        page = await uncover(worker, table, NOBODY)
        shown = await next_to_act(page)
        sent.append((NOBODY, page.heard))
        if shown["view"]["over"]:
            break
        page = await uncover(worker, table, shown["view"]["to_act"])
        sent.append((shown["view"]["to_act"], page.heard))
        message = await page.until(type="play")
        legal = message["view"]["legal"]
        assert legal
        assert message["turn"] > last
        last = message["turn"]
        page.say(type="notebook", ref="n")
        assert (await page.until(ref="n"))["type"] == "notebook"
        page.say(type="move", action=legal[decided % len(legal)], turn=last, ref=f"m{decided}")
        assert (await page.until(ref=f"m{decided}"))["type"] == "accepted"
        decided += 1
    return sent


@pytest.mark.parametrize("game", tavolino.games())
async def test_threat_79_a_view_is_only_sent_while_its_seat_is_open(game: str) -> None:
    worker = await opened(Memory())
    table = await begin(worker, game, bots=0 if len(NAMES) in tavolino.load(game).players else 1)
    sent = await play_to_end(worker, table)
    assert {seat for seat, _ in sent} == {NOBODY, 0, 1, 2}
    for seat, messages in sent:
        ended = [each for each in messages if each["type"] == "table" and each["table"]["phase"] == "ended"]
        for message in messages:
            if message["type"] == "play" and not ended:
                assert message["view"]["seat"] == seat
            if message["type"] == "table":
                assert message["table"]["you"]["seat"] == seat or ended
            if message["type"] == "notebook":
                assert seat is not None
    _, mine = await ask(worker, "GET", "/api/me/tables")
    (card,) = mine["finished"]
    assert [seat["name"] for seat in card["seats"][:3]] == NAMES


async def test_a_game_with_a_number_of_each_person_is_proven() -> None:
    worker = await opened(Memory())
    salts = ["1a" * 32, "2b" * 32, "3c" * 32]
    table = await begin(worker, bots=1, salts=salts)
    commitment = (await ask(worker, "GET", f"/api/tables/{table}"))[1]["fairness"]["commitment"]
    assert (await ask(worker, "POST", f"/api/tables/{table}/salts", {"salts": salts[:2]}))[0] == 400
    await play_to_end(worker, table)
    status, record = await ask(worker, "GET", f"/api/tables/{table}/record")
    assert (status, record["fairness"]["salts"]) == (200, [*salts, None])
    checked = verdict(record, Kept(commitment, " ".join(salts)))
    assert checked.result == "sealed"
    assert checked.limits == ["who-saw-what"]
    assert verdict(record, Kept(commitment, salts[0])).limits == ["others-salted", "who-saw-what"]
    assert (await ask(worker, "POST", f"/api/tables/{table}/salts", {"salts": salts}))[0] == 409


async def middle(worker: Worker, game: str = GAME) -> str:
    """A table where some moves were made, and a person must decide."""
    table = await begin(worker, game)
    await play_to_end(worker, table, most=5)
    page = await uncover(worker, table, NOBODY)
    await next_to_act(page)
    await left(worker, table, page)
    return table


async def left(worker: Worker, table: str, page: Page) -> None:
    """Close the connection, and wait until the table knows it: everybody is shown who watches."""
    page.leave()
    live = await worker.tables.get(table)
    while len(live.viewers):
        await asyncio.sleep(0)


async def everything(worker: Worker, table: str, seat: int | None) -> list[Any]:
    """All that the page can get while this seat is open, or none."""
    page = await uncover(worker, table, seat)
    await page.until(type="play")
    turn = (await worker.tables.get(table)).turn
    said: list[dict[str, Any]] = [
        {"type": "notebook"},
        {"type": "move", "turn": turn, "action": "no such action"},
        {"type": "move", "turn": turn + 1, "action": "score"},
        {"type": "answer-take-back", "agree": True},
        {"type": "start"},
        {"type": "rematch"},
        {"type": "ping"},
    ]
    for number, message in enumerate(said):
        page.say(**message, ref=f"r{number}")
        await page.until(ref=f"r{number}")
    paths = ["", "/record", "/review?seat=0", "/review?seat=1", "/nothing"]
    paths += [f"/frames?perspective={perspective}" for perspective in ("open", "spectator", "0", "1")]
    answers: list[Any] = [await worker.request("GET", f"/api/tables/{table}{path}") for path in paths]
    answers += [await worker.request("POST", f"/api/tables/{table}/commands", json.dumps(each)) for each in said]
    answers.append(await worker.request("GET", "/api/me/tables"))
    await left(worker, table, page)
    return [page.heard, answers]


@pytest.mark.parametrize("game", tavolino.games())
@pytest.mark.parametrize("seat", [NOBODY, 0, 1])
async def test_threat_79_what_is_sent_is_the_same_in_two_worlds(game: str, seat: int | None) -> None:
    """The one whose seat is open, or anybody while the curtain is closed, cannot tell the worlds apart."""
    worker = await opened(Memory())
    table = await middle(worker, game)
    live = await worker.tables.get(table)
    true, advice = live.match, worker.tables.features.by_name["advice"]
    assert true is not None
    here = await everything(worker, table, seat)
    for seed in range(3):
        live.match = true.resample(seat, seed)
        advice.notebooks.drop(table)  # type: ignore[attr-defined]
        assert await everything(worker, table, seat) == here


async def test_what_is_sent_shows_a_planted_leak() -> None:
    worker = await opened(Memory())
    table = await middle(worker, "infinity-gauntlet")  # where hands are hidden
    live = await worker.tables.get(table)
    assert live.match is not None
    closed = await everything(worker, table, NOBODY)
    shown = await everything(worker, table, 0)
    assert shown != closed
    live.match = live.match.resample(NOBODY, 1)  # this one seat 0 can tell from the true one
    worker.tables.features.by_name["advice"].notebooks.drop(table)  # type: ignore[attr-defined]
    assert await everything(worker, table, 0) != shown


async def test_a_connection_of_another_seat_hears_nothing_more() -> None:
    worker = await opened(Memory())
    table = await middle(worker)
    live = await worker.tables.get(table)
    seat = live.to_act
    assert seat is not None
    page = await uncover(worker, table, seat)
    await page.until(type="play")
    page.say(type="hint", ref="late")  # it is answered after the curtain was closed
    heard = len(page.heard)
    await ask(worker, "POST", f"/api/tables/{table}/curtain", {"seat": None})
    assert page.is_closed
    other = await Page.at(worker, table)
    await other.until(type="play")
    await asyncio.sleep(0.2)
    assert len(page.heard) == heard
    assert other._socket.person is None
    other.say(type="hint", ref="h")
    assert (await other.until(ref="h"))["problem"]["code"] == "no-identity"


async def test_a_reload_closes_the_curtain() -> None:
    memory = Memory()
    worker = await opened(memory)
    table = await middle(worker)
    await uncover(worker, table, 1)
    again = await opened(memory)
    page = await Page.at(again, table)
    assert (await page.until(type="table"))["table"]["you"]["seat"] is None
    assert (await page.until(type="play"))["view"]["seat"] is None
    _, mine = await ask(again, "GET", "/api/me/tables")
    assert [card["id"] for card in mine["playing"]] == [table]


async def test_a_take_back_needs_the_others_and_shows_nothing() -> None:
    worker = await opened(Memory())
    table = await middle(worker, "splendor-marvel")
    codes = set()
    for _ in range(12):
        live = await worker.tables.get(table)
        seat, before = live.to_act, live.turn
        assert seat is not None
        assert live.match is not None
        page = await uncover(worker, table, seat)
        question = await page.question()
        page.say(type="move", action=question["view"]["legal"][0], turn=before, ref="m")
        assert (await page.until(ref="m"))["type"] == "accepted"
        may = can_take_back(live.match.clone())
        page.say(type="take-back", turn=live.turn, ref="t")
        answer = await page.until(ref="t")
        codes.add(answer["type"] if may else answer["problem"]["code"])
        if may:  # nothing is taken back until all others have agreed, each at the open seat
            turn = live.turn
            for other in {0, 1, 2} - {seat}:
                assert live.turn == turn
                page = await uncover(worker, table, other)
                page.say(type="answer-take-back", agree=True, ref="a")
                assert (await page.until(ref="a"))["type"] == "accepted"
            assert live.to_act == seat
            assert live.turn > turn
            break
    assert "accepted" in codes
    assert codes <= {"accepted", "take-back-seen"}


async def test_everybody_is_here_and_the_next_game_begins_at_once() -> None:
    worker = await opened(Memory())
    table = await begin(worker)
    page = await uncover(worker, table, 0)
    shown = (await page.until(type="table"))["table"]
    assert [seat["online"] for seat in shown["seats"]] == [True, True, True]
    assert [seat["name"] for seat in shown["seats"]] == NAMES
    live = await worker.tables.get(table)
    assert [live.gone_for(seat) for seat in range(3)] == [0.0, 0.0, 0.0]
    await play_to_end(worker, table)
    page = await Page.at(worker, table)  # the game is over: no curtain any more
    page.say(type="rematch", ref="again")
    again = (await page.until(ref="again"))["table"]
    assert again.startswith(HOT_SEAT_MARK)
    page = await uncover(worker, again, NOBODY)
    shown = (await next_to_act(page))["view"]
    assert shown["seat"] is None
    names = (await page_of(worker, again))["seats"]
    assert sorted(seat["name"] for seat in names) == NAMES


async def page_of(worker: Worker, table: str) -> Message:
    _, shown = await ask(worker, "GET", f"/api/tables/{table}")
    found: Message = shown
    return found


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"game": GAME, "names": ["Ada"]}, 400),
        ({"game": GAME, "names": ["Ada", " ada "]}, 400),
        ({"game": GAME, "names": ["Ada", "  "]}, 400),
        ({"game": GAME, "names": [f"Player {n}" for n in range(7)]}, 400),
        ({"game": GAME, "names": NAMES, "bots": 4}, 422),
        ({"game": "chess", "names": NAMES}, 404),
        ({"game": GAME, "names": NAMES, "level": "god"}, 400),
        ({"game": GAME, "names": NAMES, "options": {"nonsense": True}}, 422),
    ],
)
async def test_bad_tables(body: object, status: int) -> None:
    found, problem = await ask(await opened(Memory()), "POST", "/api/hot-seat", body)
    assert found == status, problem


async def test_the_curtain_opens_for_people_at_such_tables_alone() -> None:
    worker = await opened(Memory())
    table = await begin(worker, bots=1)
    for seat, code in ((3, "not-a-person"), (9, "no-such-seat"), (-1, "bad-message"), ("0", "bad-message")):
        _, problem = await ask(worker, "POST", f"/api/tables/{table}/curtain", {"seat": seat})
        assert problem["code"] == code
    _, alone = await ask(worker, "POST", "/api/play-now", {"game": GAME, "level": "easy"})
    _, problem = await ask(worker, "POST", f"/api/tables/{alone['id']}/curtain", {"seat": 0})
    assert problem["code"] == "not-seated"


async def test_a_game_of_several_people_is_no_line_of_a_file() -> None:
    """Its entries have the secret of the deal."""
    worker = await opened(Memory())
    table = await begin(worker)
    await uncover(worker, table, 0)
    status, problem = await ask(worker, "GET", f"/api/tables/{table}/line")
    assert (status, problem["code"]) == (404, "no-such-table")
