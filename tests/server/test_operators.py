"""The operators' commands, beside a server that runs: backup, restore, doctor, admin, announce."""

from __future__ import annotations

import http.server
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import httpx
import pytest

from tavolino.cli.commands import run
from tavolino.server.kernel import snapshots
from tavolino.server.operators import doctor
from tavolino.server.storage.opening import FILE, connect
from tests.server.clients import Guest, Socket, seat_everybody, start
from tests.server.conftest import Server

StartServer = Callable[..., Server]
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """`tavolino COMMAND ...` on the data of the server of this test: exit code, stdout, stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*map(str, words), "--data", str(tmp_path / "data")])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def table_in_play(server: Server, moves: int = 3, **settings: object) -> tuple[list[Guest], list[Socket], str]:
    people = [Guest(server.ready("mantis").address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "mantis", **settings)
    start(people, table)
    sockets = [person.socket(table) for person in people]
    for turn in range(moves):
        play(sockets, turn)
    return people, sockets, table


def play(sockets: list[Socket], turn: int) -> None:
    views = [socket.until_turn(turn)["view"] for socket in sockets]
    mover = sockets[views[0]["to_act"]]
    assert mover.play is not None
    assert mover.ask(type="move", turn=turn, action=mover.play["view"]["legal"][0])["type"] == "accepted"


def person_of(server: Server, table: str, seat: int) -> str:
    person = server.registry.tables[table].state.places[seat].person
    assert person is not None
    return person


# -- backup and restore


def test_a_backup_is_made_while_people_play_and_holds_all_that_was_acknowledged_before(
    start_server: StartServer, call: Call, tmp_path: Path
) -> None:
    server = start_server()
    _, sockets, table = table_in_play(server)
    stop, played = threading.Event(), [3]

    def play_on() -> None:
        while not stop.is_set() and played[0] < 15:
            play(sockets, played[0])
            played[0] += 1

    player = threading.Thread(target=play_on)
    player.start()
    before = played[0]
    code, said, _ = call("backup", tmp_path / "copy.sqlite")
    stop.set()
    player.join()
    assert code == 0
    assert "copy.sqlite" in said
    assert sorted(path.name for path in tmp_path.glob("*copy*")) == ["copy.sqlite"]
    assert oct((tmp_path / "copy.sqlite").stat().st_mode)[-3:] == "600"
    code, said, _ = call("restore", tmp_path / "copy.sqlite", "--check")
    assert code == 0, said
    assert "Running tables replayed: 1;" in said
    moves = int(said.partition("moves: ")[2].strip().rstrip("."))
    assert before <= moves <= played[0]
    play(sockets, played[0])  # and play goes on
    # The backup, restored elsewhere, is a server's data.
    again = tmp_path / "again"
    assert run(["restore", str(tmp_path / "copy.sqlite"), "--data", str(again)]) == 0
    other = start_server(again).ready("mantis")
    assert httpx.get(f"{other.address}/api/tables/{table}/play").json()["turn"] == moves


def test_a_backup_replaces_no_file_and_needs_data(start_server: StartServer, call: Call, tmp_path: Path) -> None:
    assert call("backup", tmp_path / "copy.sqlite")[0] == 1  # there is no data yet
    assert not list(tmp_path.glob("*copy*"))
    start_server()
    (tmp_path / "copy.sqlite").write_text("something else")
    code, _, error = call("backup", tmp_path / "copy.sqlite")
    assert (code, error) == (1, f"tavolino: {tmp_path / 'copy.sqlite'} already exists; choose another file name.\n")
    assert (tmp_path / "copy.sqlite").read_text() == "something else"


DAMAGE = {
    "a changed entry": "UPDATE entries SET entry = replace(entry, 'Seat', 'seat') || ' ' WHERE number = 2",
    "a missing entry": "DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)",
    "a row that says something else": "UPDATE tables SET phase = 'waiting'",
    "a row of another game": "UPDATE tables SET game = 'whist'",
    "a false snapshot": f"""INSERT INTO snapshots SELECT id, last, CAST(
        '{{"version":{snapshots.VERSION},"slices":{{}},"state":{{"id":"' || id || '","number":' || last || '}}}}'
        AS BLOB) FROM tables""",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_backup_is_found_and_not_restored(
    start_server: StartServer, call: Call, tmp_path: Path, damage: str
) -> None:
    server = start_server()
    table_in_play(server)
    copy = tmp_path / "copy.sqlite"
    assert call("backup", copy)[0] == 0
    connection = apsw.Connection(str(copy))
    connection.execute(DAMAGE[damage])
    connection.close()
    before = copy.read_bytes()
    server.stop()
    kept = (tmp_path / "data" / FILE).read_bytes()
    code, said, error = call("restore", copy)
    assert code == 1
    assert "damaged: table " in said
    assert "nothing was restored" in error
    assert copy.read_bytes() == before
    assert (tmp_path / "data" / FILE).read_bytes() == kept


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "CREATE TRIGGER spy AFTER INSERT ON people BEGIN UPDATE people SET name = 'Mallory'; END",
            "it contains what Tavolino has not made: trigger spy.",
        ),
        ("CREATE VIEW spies AS SELECT * FROM people", "it contains what Tavolino has not made: view spies."),
        ("CREATE INDEX more ON people (upper(name))", "it contains what Tavolino has not made: index more."),
        ('CREATE TABLE "a\x1b[2J" (x)', "it contains what Tavolino has not made: table a\\x1b[2J."),
        ("DROP INDEX tokens_of_person", "it lacks index tokens_of_person."),
        ("ALTER TABLE people ADD COLUMN secret TEXT DEFAULT 'x'", "Tavolino has made another table people."),
    ],
)
def test_threat_74_a_backup_with_another_schema_is_not_restored(
    call: Call, tmp_path: Path, statement: str, sentence: str
) -> None:
    (tmp_path / "data").mkdir()
    connect(tmp_path / "data" / FILE).close()
    copy = tmp_path / "copy.sqlite"
    assert call("backup", copy)[0] == 0
    assert call("restore", copy, "--check")[0] == 0
    changing = apsw.Connection(str(copy))
    changing.execute(statement)
    changing.close()
    code, _, said = call("restore", copy)
    assert code == 1
    assert said == f"tavolino: {copy} cannot be restored: {sentence}\n"
    assert not list((tmp_path / "data").glob("tavolino.before-restore*"))


def test_a_backup_into_a_missing_folder_names_that_folder(call: Call, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    connect(tmp_path / "data" / FILE).close()
    missing = tmp_path / "missing" / "copy.sqlite"
    code, _, said = call("backup", missing)
    assert (code, said) == (1, f"tavolino: no backup: there is no folder {missing.parent}.\n")


def test_what_is_no_backup_is_refused_in_a_sentence(call: Call, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("this is not a database, however long it may be " * 50)
    for name, expected in (("notes.txt", "is not a database"), ("nothing", "There is no file")):
        code, _, error = call("restore", tmp_path / name)
        assert code == 1
        assert expected in error
        assert len(error.splitlines()) == 1


def test_a_restore_needs_the_server_to_stop_and_keeps_what_was_there(
    start_server: StartServer, call: Call, tmp_path: Path
) -> None:
    server = start_server()
    _, _, table = table_in_play(server, moves=2)
    assert call("backup", tmp_path / "copy.sqlite")[0] == 0
    code, _, error = call("restore", tmp_path / "copy.sqlite")
    assert code == 1
    assert "stop it first" in error
    server.stop()
    code, said, _ = call("restore", tmp_path / "copy.sqlite")
    assert code == 0
    assert "tavolino.before-restore-1" in said
    assert (tmp_path / "data" / "tavolino.before-restore-1" / FILE).exists()
    other = start_server().ready("mantis")
    assert httpx.get(f"{other.address}/api/tables/{table}/play").json()["turn"] == 2


# -- admin


def test_a_table_is_listed_and_closed(start_server: StartServer, call: Call) -> None:
    server = start_server()
    people, sockets, table = table_in_play(server)
    _, said, _ = call("admin", "list")
    assert f"{table}  mantis  playing" in said
    assert f"{person_of(server, table, 1)}  Bruno" in said
    code, said, _ = call("admin", "close", table)
    assert (code, said) == (0, "Done.\n")
    for socket in sockets:
        ending = socket.until_phase("ended")["ending"]
        assert ending["how"] == "closed"
    assert table not in call("admin", "list")[1]
    assert people[0].http.get(f"/api/tables/{table}/record").status_code == 200
    assert call("admin", "close", "A" * 22)[::2] == (1, "tavolino: There is no such table.\n")


def test_a_name_is_removed_also_where_it_is_frozen(start_server: StartServer, call: Call) -> None:
    server = start_server()
    people, sockets, table = table_in_play(server)
    actor = server.registry.tables[table]
    actor._broadcast._names["somebody"] = "else"
    actor._broadcast._names[person_of(server, table, 1)] = "Bruno"  # as in a game without free chat
    assert call("admin", "remove-name", person_of(server, table, 1))[0] == 0
    while True:
        seats = sockets[0].until("table")["table"]["seats"]
        if seats[1]["name"] != "Bruno":
            break
    assert seats[1]["name"].startswith("Guest ")
    assert actor._broadcast._names == {"somebody": "else"}
    assert people[1].http.get("/api/me").json()["name"] == seats[1]["name"]
    sockets[1].drain()
    assert sockets[1].close_code == 4409  # and comes back with the new name
    assert call("admin", "remove-name", "A" * 22)[0] == 1


def test_a_banned_person_is_out_at_once_and_for_as_long_as_said(start_server: StartServer, call: Call) -> None:
    server = start_server()
    people, sockets, table = table_in_play(server)
    bruno = person_of(server, table, 1)
    assert call("admin", "ban", bruno, "--for", "2h")[0] == 0
    sockets[1].drain()
    assert sockets[1].closed == "banned"
    assert sockets[1].close_code == 4403
    refused = people[1].http.get("/api/me/tables")
    assert (refused.status_code, refused.json()["code"]) == (403, "banned")
    assert people[0].http.get("/api/me/tables").status_code == 200
    assert bruno in call("admin", "bans")[1]
    server.clock.advance(7_300)
    assert people[1].http.get("/api/me/tables").status_code == 200
    assert call("admin", "ban", bruno)[0] == 0
    assert people[1].http.get("/api/me/tables").status_code == 403
    server.stop()  # a ban outlives a restart
    again = start_server()
    assert httpx.get(f"{again.address}/api/me", headers=people[1].headers).json()["code"] == "banned"
    assert call("admin", "unban", bruno)[0] == 0
    assert httpx.get(f"{again.address}/api/me", headers=people[1].headers).status_code == 200


def test_a_banned_address_sees_the_page_and_nothing_else(start_server: StartServer, call: Call) -> None:
    server = start_server()
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    socket = ada.socket(table)
    socket.until("table")
    assert call("admin", "ban", "127.0.0.0/8", "--for", "30m")[0] == 0
    socket.drain()
    assert socket.closed == "banned"
    assert ada.http.get("/api/games").json()["code"] == "banned"
    assert ada.http.get("/healthz").status_code == 200
    with pytest.raises(Exception, match="403"):
        ada.socket(table)
    assert call("admin", "unban", "127.0.0.0/8")[0] == 0
    assert ada.http.get("/api/games").status_code == 200


def test_a_banned_person_can_still_be_forgotten(start_server: StartServer, call: Call) -> None:
    server = start_server()
    people, _, table = table_in_play(server)
    assert call("admin", "ban", person_of(server, table, 0))[0] == 0
    assert people[0].http.delete("/api/me").status_code == 204


def test_without_a_server_an_order_waits_for_the_next_start(start_server: StartServer, call: Call) -> None:
    server = start_server()
    _, _, table = table_in_play(server)
    server.stop()
    code, said, _ = call("admin", "close", table)
    assert (code, said) == (0, "No server is running: this will be done at the next start.\n")
    again = start_server()
    end = time.monotonic() + 60
    while httpx.get(f"{again.address}/api/tables/{table}").json()["phase"] != "ended":
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize(
    "words",
    [
        ("admin", "close"),
        ("admin", "list", "A" * 22),
        ("admin", "close", "192.0.2.1"),
        ("admin", "ban", "Bruno"),
        ("admin", "ban", "192.0.2.1", "--for", "soon"),
        ("admin", "dance"),
        ("announce", "one\x07two"),
        ("announce", "a" * 201),
    ],
)
def test_wrong_use_is_a_sentence(start_server: StartServer, call: Call, words: tuple[str, ...]) -> None:
    code, _, error = call(*words)
    assert code == 2
    assert error.startswith("tavolino: ")
    assert len(error.splitlines()) == 1


@pytest.mark.slow
def test_orders_without_effect_are_removed(start_server: StartServer, call: Call) -> None:
    server = start_server()
    for words in (("announce", "one"), ("announce", "two"), ("admin", "ban", "192.0.2.1"), ("admin", "bans")):
        assert call(*words)[0] == 0
    assert len(server.run(lambda: server.context.storage.orders(0))) == 3
    server.clock.advance(3 * 86_400)
    server.run(server.housekeeping.sweep)
    (kept,) = server.run(lambda: server.context.storage.orders(0))
    assert b"two" in kept.content


# -- announce


def test_an_announcement_reaches_everybody_and_those_who_come_later(start_server: StartServer, call: Call) -> None:
    server = start_server()
    ada = Guest(server.address)
    socket = ada.socket(ada.open("mantis", 2))
    socket.until("talk")
    assert ada.http.get("/api/announcement").json()["text"] == ""
    code, said, _ = call("announce", "We restart at 20:00.")
    assert (code, said) == (0, "It is shown now.\n")
    assert socket.until("announcement")["text"] == "We restart at 20:00."
    assert ada.http.get("/api/announcement").json()["text"] == "We restart at 20:00."
    server.stop()
    again = start_server()
    assert httpx.get(f"{again.address}/api/announcement").json()["text"] == "We restart at 20:00."
    assert call("announce", "")[0] == 0
    assert httpx.get(f"{again.address}/api/announcement").json()["text"] == ""


# -- doctor


class _Proxy(http.server.BaseHTTPRequestHandler):
    """A wrongly configured proxy: it passes on HTTP, but no WebSockets."""

    target = ""
    says_who = False

    def do_GET(self) -> None:
        headers = {"X-Forwarded-For": "192.0.2.7"} if self.says_who else {}
        answer = httpx.get(f"{self.target}{self.path}", headers=headers)
        self.send_response(answer.status_code)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def proxy() -> Iterator[Callable[[str, bool], str]]:
    running = []

    def begin(target: str, says_who: bool) -> str:
        handler = type("Proxy", (_Proxy,), {"target": target, "says_who": says_who})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        running.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield begin
    for server in running:
        server.shutdown()
        server.server_close()


def test_the_doctor_finds_a_server_well(start_server: StartServer, call: Call) -> None:
    server = start_server()
    server.run(lambda: server.context.storage.keep_moment(server.clock.now()))
    port = server.address.rsplit(":", 1)[1]
    code, said, _ = call("doctor", "--port", port, "--public-url", server.address, "--metrics")
    assert code == 0, said
    assert f"The server answers at {server.address} and is healthy." in said
    assert "The proxy forwards WebSockets." in said
    assert "FAILURE" not in said
    for word in ("SQLite", "MB are free", "The clock says", "machine code", "The data in"):
        assert word in said


def test_the_doctor_finds_a_proxy_that_hides_who_asks_and_stops_sockets(
    start_server: StartServer, call: Call, proxy: Callable[[str, bool], str]
) -> None:
    server = start_server()
    port = server.address.rsplit(":", 1)[1]
    code, said, error = call("doctor", "--port", port, "--public-url", proxy(server.address, False))
    assert code == 1
    assert "The proxy does not forward client addresses" in said
    assert "does not forward WebSockets" in said
    assert error == "tavolino: 2 things need attention.\n"
    code, said, error = call("doctor", "--port", port, "--public-url", proxy(server.address, True))
    assert "The proxy forwards client addresses" in said
    assert error == "tavolino: One thing needs attention.\n"


def test_threat_75_what_answers_the_doctor_cannot_command_the_terminal(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    problems = json.dumps({"problems": ["\x1b[31mred\x9b\u202e\x07\n"]}).encode()
    monkeypatch.setattr(doctor, "is_in_use", lambda folder: True)
    monkeypatch.setattr(doctor, "_get", lambda url: (503, problems))
    code, said, error = call("doctor")
    assert code == 1
    assert "The server says: \\x1b[31mred" in said
    assert not set(said + error) & set("\x1b\x9b\u202e\x07")


def test_the_doctor_finds_what_is_wrong_without_a_server(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert call("doctor")[0] == 0  # nothing there yet is no fault
    folder.mkdir()
    (folder / FILE).write_text("this is not a database, however long it may be " * 50)
    code, said, _ = call("doctor", "--host", "0.0.0.0")
    assert code == 1
    assert "is not a database" in said
    assert "unencrypted" in said


def test_the_doctor_examines_the_data_of_a_feature_that_is_switched_off(
    start_server: StartServer, call: Call, tmp_path: Path
) -> None:
    """It needs no server, and asks no feature: what is stored belongs to all of them."""
    server = start_server(without=("circles",))
    Guest(server.address, "Ada")
    server.stop()
    assert call("doctor")[0] == 0
    connection = apsw.Connection(str(tmp_path / "data" / FILE))
    connection.execute("DROP INDEX circles_of_person")
    connection.close()
    code, said, _ = call("doctor")
    assert code == 1
    assert "cannot be used: it lacks index circles_of_person." in said


def test_the_doctor_finds_a_server_that_is_stuck_and_a_clock_that_went_back(
    start_server: StartServer, call: Call, tmp_path: Path
) -> None:
    server = start_server()
    server.clock.set_wall(-3_600)
    server.run(lambda: server.context.storage.keep_moment(server.clock.now()))
    code, said, _ = call("doctor", "--port", server.address.rsplit(":", 1)[1])
    assert code == 1
    assert "it is stopped or stuck" in said
    server.stop()
    server = start_server()
    server.clock.set_wall(3_600)
    server.run(lambda: server.context.storage.keep_moment(server.clock.now()))
    server.stop()
    code, said, _ = call("doctor")
    assert code == 0
    assert "before the server was last seen alive" in said
    shutil.rmtree(tmp_path / "data")
