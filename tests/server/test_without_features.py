"""A server without features: what a table is stays the same, whichever are switched off."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from tavolino.server import features
from tavolino.server.features.ratings.stored import StoredRating, StoredResults
from tavolino.server.operators.backup import back_up, check_backup
from tavolino.server.operators.transfer import TABLES, SqliteSide, move_data
from tavolino.server.storage.opening import FILE
from tavolino.server.verify.checks import check_record
from tests.server.clients import Guest, again, play_to_end, seat_everybody, start
from tests.server.conftest import Server

StartServer = Callable[..., Server]

ROOT = Path(__file__).parents[2]
OPTIONAL = sorted(name for name, package in features.packages().items() if not package.FEATURE.is_required)
EACH_OFF = [
    pytest.param(tuple(OPTIONAL), id="all"),
    *(pytest.param((name,), id=name, marks=pytest.mark.slow) for name in OPTIONAL),
]
CORE = ("test_play.py", "test_absence.py", "test_fairness.py")
TWO_DAYS = 2 * 86_400


@pytest.mark.parametrize("without", EACH_OFF)
def test_a_game_is_played_verified_and_deleted(without: tuple[str, ...], start_server: StartServer) -> None:
    server = start_server(without=without).ready("mantis")
    people = [Guest(server.address, "Ada"), Guest(server.address, "Bruno")]
    table = seat_everybody(people, "mantis", first_seat=0)
    start(people, table)
    sockets = [person.socket(table) for person in people]
    play_to_end(people, sockets)
    for socket in sockets:
        assert socket.until_phase("ended")["ending"]["how"] == "played"
        socket.close()
    record = people[0].http.get(f"/api/tables/{table}/record").json()
    assert not [check for check in check_record(record) if check.holds is False]
    assert people[1].http.get(f"/api/tables/{table}/frames", params={"perspective": "open"}).status_code == 200
    assert [each["id"] for each in people[0].http.get("/api/me/tables").json()["finished"]] == [table]
    assert people[0].http.get("/api/me/profile").json()["games"][0]["table"] == table
    resigned = seat_everybody(people, "mantis", first_seat=0)
    start(people, resigned)
    with people[1].socket(resigned) as socket:
        socket.until("play")
        people[0].do(resigned, "resign")
        assert socket.until_phase("ended")["ending"]["how"] == "resigned"
    assert people[0].http.delete("/api/me").status_code == 204
    server.run(server.housekeeping.sweep)
    assert "exception" not in server.log.getvalue()


@pytest.mark.slow
def test_the_core_tests_pass_with_all_features_off() -> None:
    variables = {**os.environ, "TAVOLINO_TEST_WITHOUT": ",".join(OPTIONAL)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not long"]
    paths = [f"tests/server/{name}" for name in CORE]
    done = subprocess.run([*command, *paths], cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A data folder with tables at which features have written entries that change the game, a seat or a clock, and
    others that do not."""
    folder = tmp_path_factory.mktemp("journals")
    server = Server(folder, without=()).ready("splendor-marvel")
    people = [Guest(server.address, "Ada"), Guest(server.address, "Bruno")]
    ada, bruno = people
    tables = []
    for ends_by_resigning in (False, True):
        table = seat_everybody(people, "splendor-marvel", first_seat=0, seconds_per_move=TWO_DAYS)
        tables.append(table)
        ada.do(table, "avatar", avatar=13)
        bruno.do(table, "ready", ready=True)
        ada.do(table, "mute", seat=1, muted=True)
        start(people, table)
        with ada.socket(table) as socket:
            socket.until("play")
        ada.do(table, "move", turn=0, action="take yellow blue red")
        ada.do(table, "take-back", turn=1)
        bruno.do(table, "answer-take-back", agree=True)
        ada.do(table, "move", turn=2, action="take yellow blue red")
        ada.do(table, "plan", moves=[], orders=[], forced=True)
        ada.do(table, "agree-end", agree=True)
        ada.do(table, "agree-end", agree=False)
        bruno.do(table, "vacation", days=2)
        bruno.do(table, "vacation", days=0)
        bruno.do(table, "leave")
        ada.do(table, "stand-in", seat=1, agree=True)
        with ada.socket(table) as socket:
            socket.until_turn(4)  # the bot has played
        if ends_by_resigning:
            ada.do(table, "resign")
            tables.append(bruno.do(table, "rematch")["table"])
    server.stop()
    return folder, tables


def read(server: Server, tables: list[str]) -> list[Any]:
    """These tables as a server reads them: all that the kernel has, the hash of the cards, and every slice."""

    async def load() -> list[Any]:
        found = [await server.registry.get(table) for table in tables]
        states = [(each.state, each.turn, each.match and each.match.hash()) for each in found]
        return [
            (state.slices, state.taken_back, state.places, state.phase, state.ending, state.settings, turn, cards)
            for state, turn, cards in states
        ]

    server.ready("splendor-marvel")
    read: list[Any] = server.run(load)
    server.stop()
    return read


@pytest.mark.parametrize("without", EACH_OFF)
def test_every_journal_is_read_the_same_whatever_is_off(
    without: tuple[str, ...], journals: tuple[Path, list[str]], tmp_path: Path, start_server: StartServer
) -> None:
    folder, tables = journals
    found = []
    for number, off in enumerate(((), without)):
        (tmp_path / str(number)).mkdir()
        shutil.copy(folder / FILE, tmp_path / str(number) / FILE)
        found.append(read(start_server(tmp_path / str(number), without=off), tables))
    assert {"take_back", "vacations", "seat_pictures", "chat", "plans", "votes"} <= {*found[0][0][0]}
    assert found[0][0][1], "a decision was taken back"
    assert found[0] == found[1]


def mentions(folder: Path, person: str) -> set[str]:
    """The tables of the database that name a person."""
    connection = apsw.Connection(str(folder / FILE))
    rows = {name: list(connection.execute(f"SELECT * FROM {name}")) for name in TABLES}
    connection.close()
    return {name for name, found in rows.items() if any(person in _text(value) for row in found for value in row)}


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def test_deletion_backup_and_move_cover_what_features_that_are_off_have_stored(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server(tmp_path / "data", without=()).ready("mantis")
    ada, bruno = people = [Guest(server.address, "Ada"), Guest(server.address, "Bruno")]
    circle = ada.http.post("/api/circles", json={"name": "Thursday"}).json()["id"]
    assert bruno.http.post(f"/api/circles/{circle}/join").status_code == 200
    assert ada.http.post("/api/daily/mantis").status_code == 201
    table = seat_everybody(people, "mantis", first_seat=0)
    ada.do(table, "avatar", avatar=13)
    ada.do(table, "webhook", url="https://discord.com/api/webhooks/1/Hers")
    start(people, table)
    sockets = [person.socket(table) for person in people]
    play_to_end(people, sockets)
    for socket in sockets:
        socket.close()
    person = str(server.run(lambda: server.context.people.recognise(ada.token)).id)
    rating = StoredRating(person, "mantis", 1, table, 1, 25.0, 8.0)
    server.run(lambda: StoredResults(server.context.storage).expect_result("x" * 22))
    server.run(lambda: StoredResults(server.context.storage).settle_result("x" * 22, [rating]))
    server.stop()
    stored = mentions(tmp_path / "data", person)
    assert {"people", "tokens", "items", "members", "ratings", "circle_members", "circle_results"} <= stored

    back_up(tmp_path / "data", tmp_path / "backup")
    assert asyncio.run(check_backup(tmp_path / "backup")).wrong == []
    asyncio.run(_move(tmp_path / "data", tmp_path / "moved"))
    assert mentions(tmp_path / "moved", person) == stored
    left = []
    for number, off in enumerate(((), OPTIONAL)):
        folder = tmp_path / str(number)
        folder.mkdir()
        shutil.copy(tmp_path / "backup", folder / FILE)
        again_there = start_server(folder, without=tuple(off))
        assert again(ada, again_there.address).http.delete("/api/me").status_code == 204
        again_there.stop()
        left.append(mentions(folder, person))
    assert left == [{"entries", "tables"}] * 2, "a random id without a name, at tables that are not compacted"


async def _move(source: Path, target: Path) -> None:
    await move_data(SqliteSide(source), SqliteSide(target))


def test_a_server_for_a_class_has_no_talk_no_lists_and_calls_nobody(start_server: StartServer) -> None:
    server = start_server(without=features.not_for("class"))
    ada = Guest(server.address)
    on = ada.http.get("/api/features").json()["features"]
    strangers = {"public_tables", "daily_deals", "circles", "tournaments"}
    assert not {"chat", "rooms", "invitations", "notifications", *strangers} & set(on)
    assert {"reviews", "tutorials", "practice", "votes", "take_back", "local_tables", "verify", "links"} <= set(on)
    table = ada.open("mantis", 2)
    for command in ({"type": "say", "text": "hello"}, {"type": "react", "reaction": "wow"}, {"type": "webhook"}):
        assert ada.http.post(f"/api/tables/{table}/commands", json=command).json()["code"] == "bad-message"
    for path in ("/api/tables", "/api/daily", "/api/circles", "/api/me/notifications", "/api/tournaments"):
        assert ada.http.get(path).status_code in (404, 405), path
    for path in ("/daily", "/circles", "/circle/x", "/tournaments", "/tournament/x", "/watch/x"):
        assert ada.http.get(path).status_code == 404, path
    public = ada.http.post("/api/tables", json={"game": "mantis", "seats": 2, "public": True})
    assert (public.status_code, public.json()["params"]) == (422, {"option": "public"})
    shown = ada.http.get(f"/api/tables/{table}").json()
    settings = {name: shown[name] for name in ("seats", "options", "first_seat", "seconds_per_move", "hints", "rated")}
    settings |= {"seats": 2, "public": True}
    assert ada.command(table, "settings", **settings).json()["code"] == "bad-option"


def test_without_ratings_no_game_is_rated(start_server: StartServer) -> None:
    ada = Guest(start_server(without=("ratings",)).address)
    answer = ada.http.post("/api/play-now", json={"game": "mantis", "level": "random", "seats": 2, "rated": True})
    assert answer.json()["code"] == "bad-option"


def test_an_unknown_profile_is_refused_with_the_list() -> None:
    with pytest.raises(features.UnknownProfile, match="school is not the name of a profile; these are: class"):
        features.not_for("school")


def test_a_person_is_deleted_from_what_is_off(start_server: StartServer) -> None:
    server = start_server(without=())
    ada, bruno = Guest(server.address, "Ada"), Guest(server.address, "Bruno")
    circle = ada.http.post("/api/circles", json={"name": "Friends"}).json()["id"]
    assert bruno.http.post(f"/api/circles/{circle}/join").status_code == 200
    (game, puzzle) = ("mantis", ada.http.get("/api/puzzles/mantis").json()[0]["id"])
    person = server.run(lambda: server.context.people.recognise(ada.token)).id
    server.run(lambda: server.context.storage.keep_item(person, f"puzzle/{game}/{puzzle}", b'{"solved":true}'))
    server.stop()
    server = start_server(without=tuple(OPTIONAL))
    assert again(ada, server.address).http.delete("/api/me").status_code == 204
    assert server.run(lambda: server.context.storage.items(person, "")) == {}
    server.stop()
    bruno = again(bruno, start_server(without=()).address)
    assert "Ada" not in bruno.http.get(f"/api/circles/{circle}").text
    assert "Bruno" in bruno.http.get(f"/api/circles/{circle}").text
