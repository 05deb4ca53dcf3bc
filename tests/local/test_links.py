"""Links that hold all that they lead to: a game, a position or a puzzle. They may be from anybody."""

from __future__ import annotations

import base64
import json
import random
import zlib
from pathlib import Path
from typing import Any, get_args

import pytest

import tavolino
from tavolino.coach.puzzle_files import StoredPuzzle, puzzles_of
from tavolino.engine.records import replay
from tavolino.games import load
from tavolino.local import links
from tavolino.local.opening_links import KEPT, LINK_MARK
from tavolino.local.redealing import World, match_in, moments_in, moments_of, redealt
from tavolino.local.worker import Worker
from tavolino.server.errors import Refused
from tests.local.playing import Memory, Page, ask, begin, opened
from tests.sampling import few_or_many

GAMES = tavolino.games()
TEXTS = Path(__file__).parents[2] / "web" / "src" / "features" / "links" / "texts"
MUTATIONS = few_or_many(300, 20_000)
every_game = pytest.mark.parametrize("game", GAMES)


def finished(game: str, seed: int = 1) -> dict[str, Any]:
    """The record of a game between bots, as a table has it at its end."""
    match = load(game).start(load(game).players[1], f"{game} {seed}".encode())
    choice = random.Random(seed)
    while not match.over:
        match.play(choice.choice(match.legal()))
    assert match.outcome is not None
    return {**match.record(), "ending": {"how": "played", "winners": list(match.outcome.winners)}}


def puzzles(game: str, n: int) -> list[StoredPuzzle]:
    found = list(puzzles_of(load(game)).values())
    return found[:: max(1, len(found) // n)][:n]


async def made(worker: Worker, **wanted: Any) -> str:
    status, told = await ask(worker, "POST", "/api/links", wanted)
    assert status == 200, told
    return str(told["link"])


async def opening(worker: Worker, link: str) -> tuple[int, Any]:
    return await ask(worker, "POST", "/api/links/open", {"link": link})


def packed(content: object) -> str:
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    return links.MARK + base64.urlsafe_b64encode(zlib.compress(text, 9)).rstrip(b"=").decode()


def unpacked(link: str) -> dict[str, Any]:
    text = link.removeprefix(links.MARK)
    content: dict[str, Any] = json.loads(zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))
    return content


@every_game
async def test_a_replay_opens_elsewhere(game: str) -> None:
    record, memory = finished(game), Memory()
    link = await made(await opened(Memory()), record=record, show="replay", seat=1, move=3)
    worker = await opened(memory)
    status, told = await opening(worker, link)
    assert status == 200
    table = told["address"].removeprefix("/replay/").partition("?")[0]
    assert table.startswith(LINK_MARK)
    assert told["address"].endswith("?perspective=1&move=3")
    status, frames = await ask(worker, "GET", f"/api/tables/{table}/frames?perspective=open")
    assert (status, len(frames["frames"])) == (200, len(record["actions"]) + 1)
    assert frames["ending"]["winners"] == record["ending"]["winners"]
    assert frames["frames"][-1]["view"]["over"]
    # It is there after a reload, in no list, and there once.
    again = await opened(memory)
    assert (await ask(again, "GET", f"/api/tables/{table}"))[0] == 200
    assert (await ask(again, "GET", "/api/me/tables"))[1] == {"playing": [], "finished": [], "invitations": []}
    assert (await opening(again, link))[1] == told
    assert len(memory.tables) == 1
    assert (await ask(again, "GET", f"/api/tables/{table}/record"))[1]["actions"] == record["actions"]


async def test_only_the_newest_games_of_links_are_kept() -> None:
    memory = Memory()
    worker = await opened(memory)
    mine, _ = await begin(worker, "mantis")
    for seed in range(KEPT + 2):
        assert (await opening(worker, await made(worker, record=finished("mantis", seed), show="replay")))[0] == 200
    assert mine in memory.tables
    assert len(memory.tables) == KEPT + 1


@every_game
async def test_a_position_is_played_on_at_once(game: str) -> None:
    record = finished(game)
    move = len(record["actions"]) // 2
    worker = await opened(Memory())
    *_, (_, match) = moments_of({**record, "actions": record["actions"][:move]})
    link = await made(worker, record=record, show="play", seat=match.to_act, move=move)
    status, told = await opening(worker, link)
    assert status == 200
    page = await Page.at(worker, told["address"].removeprefix("/table/"))
    asked = await page.question()
    assert asked["view"]["legal"] == list(match.legal())
    assert (await page.play(asked))["view"]["over"]
    assert len((await ask(worker, "GET", "/api/me/tables"))[1]["finished"]) == 1


async def test_a_review_is_worked_out_of_a_link() -> None:
    worker = await opened(Memory())
    link = await made(worker, record=finished("mantis"), show="review", seat=0)
    address = (await opening(worker, link))[1]["address"]
    assert address.startswith("/review/")
    assert address.endswith("?seat=0")


async def test_a_game_of_a_table_here_is_linked() -> None:
    worker = await opened(Memory())
    table, page = await begin(worker, "mantis")
    await page.play()
    await page.until(type="table")
    record = (await ask(worker, "GET", f"/api/tables/{table}/record"))[1]
    link = await made(worker, record=record, show="replay")
    held = unpacked(link)
    assert record["fairness"]["secret"] not in json.dumps(held)
    assert table not in json.dumps(held)
    assert "Ada" not in json.dumps(held)
    assert (await opening(worker, link))[0] == 200


@every_game
def test_another_deal_tells_the_seat_the_same(game: str) -> None:
    for puzzle in puzzles(game, few_or_many(2, 8)):
        world = redealt(moments_of(puzzle.record), puzzle.record["options"], puzzle.seat, "one")
        there, here = match_in(world), replay(puzzle.record, load)
        assert there.view(puzzle.seat) == here.view(puzzle.seat)
        assert there.notebook(puzzle.seat) == here.notebook(puzzle.seat)
        assert there.hash() != here.hash()


@every_game
def test_threat_80_the_link_to_a_puzzle_is_the_same_whatever_was_hidden(game: str, monkeypatch: Any) -> None:
    """Two worlds that the seat cannot tell apart, with other hidden cards and other secret choices of others: the bytes
    of the link are the same."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "5a" * size)
    for puzzle in puzzles(game, few_or_many(2, 8)):
        options, seat = puzzle.record["options"], puzzle.seat
        link = links.puzzle_link(puzzle)
        other = redealt(moments_of(puzzle.record), options, seat, "another deal")
        assert match_in(other).hash() != replay(puzzle.record, load).hash()
        world = redealt(moments_in(other), options, seat, "5a" * links.SEED_BYTES)
        held = links.read(link)
        assert isinstance(held, links.PuzzleLink)
        assert links.written(links.PuzzleLink(world, held.usual, held.actions)) == link


@every_game
async def test_a_puzzle_is_solved_from_its_link(game: str) -> None:
    puzzle = puzzles(game, 1)[0]
    worker = await opened(Memory())
    status, told = await ask(worker, "POST", "/api/links/puzzle", {"game": game, "id": puzzle.id})
    assert status == 200
    link = told["link"]
    assert len(link) < 4000
    shown = (await opening(worker, link))[1]["puzzle"]
    expected = (await ask(worker, "GET", f"/api/puzzles/{game}/{puzzle.id}"))[1]
    assert {**shown, "id": puzzle.id} == expected
    status, solved = await ask(worker, "POST", "/api/links/try", {"link": link, "action": {"action": puzzle.best}})
    assert (status, solved["solved"], solved["best"]) == (200, True, puzzle.best)
    assert solved["reasons"]
    assert (await ask(worker, "POST", "/api/links/try", {"link": link, "action": {"action": "fly"}}))[0] == 422


def why(text: str) -> str | None:
    """Why a link is refused; None: it is not. Nothing else may be raised."""
    try:
        link = links.read(text)
        links.match_of(link) if isinstance(link, links.GameLink) else links.puzzle_of(link)
    except Refused as refused:
        return refused.problem.code
    return None


def test_each_fault_of_a_link_has_a_sentence() -> None:
    good = links.game_link(finished("mantis"), "replay", None, None)
    held = unpacked(good)
    assert why(good) is None
    assert why(packed(held)) is None
    first = held["actions"][0]
    wrong: dict[str, list[str]] = {
        "link-foreign": [
            "", "x", "t2." + good[3:], "<script>alert(1)</script>", packed(b"{"), packed([]), packed({}), packed(None),
            packed({**held, "names": ["Ada"]}), packed({**held, "chat": "hello"}), packed({**held, "kind": "other"}),
            packed({**held, "seed": "xyz"}), packed({**held, "actions": ["x" * 201]}), packed(b"[" * 10_000),
            packed({**held, "actions": [5]}), packed(b"\xff"), packed({**held, "players": 10**30}),
        ],
        "link-cut": ["t1.", good[:-1], good[:-40], good[:40]],
        "link-too-large": ["t1." + "A" * links.MAX_TEXT, packed(b" " * (links.MAX_BYTES + 1)), packed(b"0" * 10**8)],
        "link-no-game": [packed({**held, "game": "chess"})],
        "link-other-rules": [packed({**held, "rules": "99"})],
        "link-damaged": [
            good + ".", good + "AAAA", good[:30] + ("A" if good[30] != "A" else "B") + good[31:], good + "ł",
            packed({**held, "actions": [*held["actions"], first]}), packed({**held, "actions": held["actions"][:-1]}),
            packed({**held, "actions": ["dance"]}), packed({**held, "players": 99}), packed({**held, "seat": 9}),
            packed({**held, "winners": [15]}), packed({**held, "winners": []}), packed({**held, "how": "closed"}),
            packed({**held, "move": 10**5}), packed({**held, "show": "play", "seat": 0}),
            packed({**held, "options": {"speed": 3}}), packed({**held, "how": None}),
        ],
    }  # fmt: skip
    for code, texts in wrong.items():
        for number, text in enumerate(texts):
            assert why(text) == code, (code, number)


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_the_page_has_a_sentence_for_each_link_that_is_not_read(language: str) -> None:
    texts = json.loads((TEXTS / f"{language}.json").read_text("utf-8"))
    keys = {links.WrongLink(why).problem.key for why in get_args(links.Why)}
    assert {key for key in texts if key.startswith("links.problem.")} == keys


def test_threat_81_a_bomb_is_not_unpacked(monkeypatch: Any) -> None:
    """A link of 100 kB that would be 64 MB."""
    text = packed(b"0" * 2**26)
    assert len(text) < links.MAX_TEXT
    unpack, most = zlib.decompressobj, []

    class Watched:
        def __init__(self) -> None:
            self.inner = unpack()

        def decompress(self, content: bytes, limit: int) -> bytes:
            read = self.inner.decompress(content, limit)
            most.append(len(read))
            return read

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

    monkeypatch.setattr(zlib, "decompressobj", Watched)
    assert why(text) == "link-too-large"
    assert most == [links.MAX_BYTES + 1]


@every_game
def test_threat_81_changed_links_are_refused_or_are_games(game: str) -> None:
    """Letters of the link, and the content under a right checksum, are changed by chance."""
    chance = random.Random(game)
    puzzle = links.puzzle_link(puzzles(game, 1)[0])
    whole = links.game_link(finished(game), "replay", 0, 1)
    letters = "ABCxyz019-_.~%\n\x00ł"
    refused = 0
    for number in range(MUTATIONS):
        link = (puzzle, whole)[number % 2]
        if number % 3:
            content = json.dumps(unpacked(link))
            for _ in range(chance.randint(1, 3)):
                at = chance.randrange(len(content))
                content = content[:at] + chance.choice('0123456789{}[],":-.enultrasfé') + content[at + 1 :]
            text = packed(content.encode())
        else:
            at = chance.randrange(len(link))
            text = link[:at] + chance.choice(letters) + link[at + chance.randint(0, 3) :]
        refused += why(text) is not None
    assert refused > MUTATIONS // 2


async def test_what_is_no_finished_game_gives_no_link() -> None:
    worker, record = await opened(Memory()), finished("mantis")
    for wrong in (
        {"record": {}, "show": "replay"},
        {"record": {**record, "seed": "text"}, "show": "replay"},
        {"record": {**record, "ending": None}, "show": "replay"},
        {"record": {**record, "actions": ["x" * 300]}, "show": "replay"},
        {"record": record, "show": "play", "seat": 0, "move": len(record["actions"])},
    ):
        status, problem = await ask(worker, "POST", "/api/links", wrong)
        assert (status, problem["code"]) == (422, "link-not-linked"), wrong
    assert (await ask(worker, "POST", "/api/links/none"))[0] == 404


def test_a_world_from_a_stranger_ends_in_time() -> None:
    """As many steps as fit, with draws before each."""
    puzzle = puzzles("mantis", 1)[0]
    world = redealt(moments_of(puzzle.record), puzzle.record["options"], puzzle.seat, "one")
    many = World(**{**{name: getattr(world, name) for name in World.__struct_fields__}, "steps": world.steps * 50})
    held = links.read(links.puzzle_link(puzzle))
    assert isinstance(held, links.PuzzleLink)
    assert why(links.written(links.PuzzleLink(many, held.usual, held.actions))) == "link-damaged"
