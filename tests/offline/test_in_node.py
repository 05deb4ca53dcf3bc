"""The offline pack in node: whole games at local tables in Pyodide, compared with what the kernel shows here."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tavolino
from tavolino.coach.judge import advise
from tavolino.coach.order import carry_out
from tavolino.engine.cache_folder import cache_root
from tavolino.local.features import KINDS
from tavolino.local.services import PERSON
from tavolino.offline.building import WITH_NODE, build
from tavolino.server.clock import Moment
from tavolino.server.errors import Refused
from tavolino.server.kernel import deal, moves
from tavolino.server.kernel.entries import Dealt, Moved
from tavolino.server.kernel.state import TableState
from tavolino.server.verify.checks import check_record
from tests.coach.games import played as reviewed
from tests.local.playing import Memory, Page, opened

HERE = Path(__file__).parent
FIRST = "mantis"  # `make test-slow` plays this one, `make test-long` the others: compiling them takes minutes
GAMES = [name if name == FIRST else pytest.param(name, marks=pytest.mark.long) for name in tavolino.games()]
pytestmark = pytest.mark.slow
REVIEW_MILLISECONDS = 20_000  # of CPU time, for a whole review
Played = dict[str, Any]


@cache
def pack(game: str) -> Path:
    """A pack with one game, for the sources as they are."""
    return build(cache_root() / "packs", [game], is_compressed=False)


def play(folder: Path, game: str) -> Played:
    command = [str(WITH_NODE), "node", str(HERE / "play.mjs"), str(folder), "medium", game]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    one: Played = json.loads(done.stdout)
    return one


@cache
def played(game: str) -> Played:
    return play(pack(game), game)


def positions(one: Played) -> dict[int, tuple[TableState, Any]]:
    """State and match by turn, as this kernel computes them from the journal."""
    state, match, found = TableState(one["table"]), None, {}
    for text in one["journal"]:
        entry = KINDS.decode(text.encode())
        KINDS.apply(state, entry)
        if isinstance(entry, Dealt):
            match = deal.deal(state, tavolino.load(state.game))
        elif isinstance(entry, Moved):
            assert match is not None
            match = match.clone()
            match.advance(entry.action)
        if match is not None:
            found[state.turn] = (state.copy(), match)
    return found


def as_json(content: object) -> Any:
    return json.loads(json.dumps(content))


def differences(one: Played) -> list[int]:
    """The turns at which the page has heard another view, or another log, than this kernel computes."""
    found, lines = positions(one), list[Any]()
    wrong = []
    for message in one["heard"]:
        if message["type"] == "play":
            state, match = found[message["turn"]]
            view = as_json(match.view(state.seat_of(PERSON)))
            lines[message["from_line"] :] = message["lines"]
            if {**message["view"], "log": lines} != view:
                wrong.append(message["turn"])
    return wrong


@pytest.mark.parametrize("game", GAMES)
def test_views_and_events_are_those_of_the_server(game: str) -> None:
    one = played(game)
    plays = [message for message in one["heard"] if message["type"] == "play"]
    assert len(plays) > 5
    assert plays[-1]["view"]["over"]
    assert differences(one) == []


@pytest.mark.parametrize("game", GAMES)
def test_notebooks_and_refusals_are_those_of_the_server(game: str) -> None:
    one = played(game)
    found = positions(one)
    notebooks = [message for message in one["heard"] if message["type"] == "notebook"]
    assert notebooks
    for message in notebooks:
        state, match = found[message["turn"]]
        assert message["notebook"] == as_json(match.notebook(state.seat_of(PERSON)))
    refused = [message["problem"] for message in one["heard"] if message["type"] == "refused"]
    assert refused
    state, match = next(each for each in found.values() if each[1].to_act == each[0].seat_of(PERSON))
    with pytest.raises(Refused) as caught:
        moves.move(match, match.to_act, "nonsense", "person", Moment(0.0, 0.0, 0.0))
    assert refused[0] == json.loads(msgspec.json.encode(caught.value.problem))


@pytest.mark.parametrize("game", GAMES)
def test_the_record_holds_all_that_is_checked(game: str) -> None:
    checks = check_record(played(game)["record"], kept_salt="5a" * 32)
    assert checks
    assert [check.key for check in checks if check.holds is False] == []


def helped(folder: Path, orders: list[Played]) -> list[Played]:
    """What a helper of the pack answers."""
    command = [str(WITH_NODE), "node", str(HERE / "help.mjs"), str(folder)]
    lines = "".join(json.dumps(order) + "\n" for order in orders)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("game", GAMES)
def test_a_review_and_hints_are_those_of_the_server_to_the_last_bit(game: str) -> None:
    match = reviewed(game, tavolino.load(game).meta.usual_seats, "to the last bit", ("medium", "hard"))
    record, count = match.record(), len(match.record()["actions"])
    orders: list[Played] = [{"work": "review", "record": record, "seat": 0}]
    for turn in range(0, count, max(1, count // 5)):
        before = {**record, "actions": record["actions"][:turn]}
        orders.append({"work": "hint", "record": before, "seat": match.position(turn).to_act})
    answers = helped(pack(game), orders)
    lines: list[Played] = []
    carry_out(orders[0], lambda **line: lines.append(line))
    assert answers[0]["answer"] == as_json(lines[-1])
    assert answers[0]["answer"]["review"]["decisions"]
    assert answers[0]["told"] == lines[:-1]
    for order, answer in zip(orders[1:], answers[1:], strict=True):
        advice = advise(match.position(len(order["record"]["actions"])), order["seat"])
        assert answer["answer"] == [advice.action, advice.chance]
    assert answers[0]["milliseconds"] < REVIEW_MILLISECONDS


def test_the_journal_is_continued_here() -> None:
    """What a browser has kept, this process goes on with."""
    one, memory = played(FIRST), Memory()
    first_move = next(n for n, text in enumerate(one["journal"]) if isinstance(KINDS.decode(text.encode()), Moved))
    memory.tables[one["table"]] = one["journal"][: first_move + 1]

    async def go_on() -> dict[str, Any]:
        page = await Page.at(await opened(memory), one["table"])
        return await page.play()

    assert asyncio.run(go_on())["view"]["over"]


def test_a_changed_answer_of_the_frozen_python_is_found(tmp_path: Path) -> None:
    changed = tmp_path / "pack"
    shutil.copytree(pack(FIRST), changed)
    script = changed / "tables.mjs"
    planted = "from tavolino.engine.match import Match"
    planted += "\nright = Match.view\nMatch.view = lambda *given: {**right(*given), 'players': 9}"
    script.write_text(script.read_text().replace("open_tables\n`", f"{planted}\nopen_tables\n`"))
    assert planted in script.read_text()
    assert differences(play(changed, FIRST))
