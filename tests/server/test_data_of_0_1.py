"""A data folder of version 0.1 opens, is played on, and replays.

`data_0_1/tavolino.sqlite` was written by a server at commit 40440f8: a table that waits, one of each game in play (one
of them with a snapshot), and a finished one with its rematch. `seen.json` is what that server showed of them to both
players, with their tokens.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from tavolino.server.features import entry_kinds
from tavolino.server.kernel import entries as e
from tavolino.server.storage.opening import FILE
from tavolino.server.verify.checks import check_record
from tests.server.conftest import GAMES, Server

STORED = Path(__file__).parent / "data_0_1"
SEEN: dict[str, Any] = json.loads((STORED / "seen.json").read_text("utf-8"))
OF_THE_MOMENT = {"online", "clock", "readiness"}


def is_still_there(before: Any, now: Any) -> bool:
    """Whether all that was shown is shown again; new fields may have come."""
    if isinstance(before, dict):
        return all(name in OF_THE_MOMENT or is_still_there(each, now[name]) for name, each in before.items())
    if isinstance(before, list):
        return len(before) == len(now) and all(map(is_still_there, before, now))
    return bool(before == now)


@pytest.fixture
def opened(tmp_path: Path, start_server: Callable[..., Server]) -> Server:
    shutil.copy(STORED / FILE, tmp_path / FILE)
    server = start_server(tmp_path)
    for game in GAMES:
        server.ready(game)
    return server


@pytest.fixture
def players(opened: Server) -> Iterator[list[httpx.Client]]:
    with ExitStack() as clients:
        yield [
            clients.enter_context(
                httpx.Client(base_url=opened.address, headers={"Authorization": f"Bearer {token}"}, timeout=20)
            )
            for token in SEEN["tokens"]
        ]


def test_everything_is_shown_as_it_was(players: list[httpx.Client]) -> None:
    for seat, player in enumerate(players):
        assert player.get("/api/me").json()["name"] == ("Ada", "Bruno")[seat]
        for name, table in SEEN["tables"].items():
            assert is_still_there(SEEN["shown"][name][seat], player.get(f"/api/tables/{table}").json()), name
        for name, plays in SEEN["plays"].items():
            play = player.get(f"/api/tables/{SEEN['tables'][name]}/play").json()
            assert is_still_there(plays[seat], play), name


@pytest.mark.parametrize("name", [name for name in SEEN["tables"] if name.startswith("playing")])
def test_games_go_on_to_their_end_and_their_records_hold(players: list[httpx.Client], name: str) -> None:
    table, both = SEEN["tables"][name], players
    for _ in range(2_000):
        plays = [player.get(f"/api/tables/{table}/play").json() for player in both]
        asked = next((seat for seat, play in enumerate(plays) if play["view"]["legal"]), None)
        if asked is None:
            break
        legal = plays[asked]["view"]["legal"]
        move = {"type": "move", "turn": plays[asked]["turn"], "action": legal[len(legal) // 2]}
        answer = both[asked].post(f"/api/tables/{table}/commands", json=move)
        assert answer.status_code == 200, answer.text
    assert both[0].get(f"/api/tables/{table}").json()["phase"] == "ended"
    record = both[0].get(f"/api/tables/{table}/record").json()
    commitment = SEEN["shown"][name][0]["fairness"]["commitment"]
    assert all(check.holds for check in check_record(record, commitment, f"{0:064x}"))
    assert record["rules"] == "1", "a table goes on by the rules that it was opened with"


def test_a_waiting_table_is_changed_and_started(players: list[httpx.Client]) -> None:
    table, (ada, bruno) = SEEN["tables"]["waiting"], players
    settings = {
        "seats": 3,
        "options": {},
        "first_seat": None,
        "public": False,
        "seconds_per_move": None,
        "hints": False,
    }
    for player, command in (
        (ada, {"type": "settings", **settings}),
        (ada, {"type": "salt", "salt": "a" * 64}),
        (ada, {"type": "start"}),
    ):
        assert player.post(f"/api/tables/{table}/commands", json=command).status_code == 200
    shown = bruno.get(f"/api/tables/{table}").json()
    assert [seat["kind"] for seat in shown["seats"]] == ["person", "person", "bot"]
    assert shown["phase"] != "waiting"


def test_the_record_of_a_finished_game_is_the_same(players: list[httpx.Client]) -> None:
    record = players[0].get(f"/api/tables/{SEEN['tables']['ended']}/record").json()
    assert is_still_there(SEEN["record"], record)
    checks = check_record(SEEN["record"])
    assert [check.key for check in checks if check.holds is False] == []
    assert [check.key for check in checks if check.holds is None] == ["chain"]


def test_every_stored_entry_means_the_same_when_it_is_written_again(tmp_path: Path) -> None:
    connection = apsw.Connection(str(shutil.copy(STORED / FILE, tmp_path)))
    entries = [bytes(entry) for (entry,) in connection.execute("SELECT entry FROM entries")]
    connection.close()
    assert len(entries) > 100
    for entry in entries:
        read = entry_kinds().decode(entry)
        again = e.encode(read)
        assert entry_kinds().decode(again) == read
        stored, written = json.loads(entry), json.loads(again)
        assert {key: written[key] for key in stored} == stored
        assert {key: value for key, value in written.items() if key not in stored and value} == {}, "new and not off"
