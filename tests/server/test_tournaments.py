"""Tournaments on a server: the same deals for all entrants, each once, and nothing of a deal before its last table."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import tavolino
from tavolino.agents.server_link import ServerLink
from tavolino.cli.commands import run as command
from tavolino.server.errors import Refused
from tavolino.server.features.daily_deals.shared_deals import decode_try
from tavolino.server.features.reviews.reviews import Reviews
from tavolino.server.features.tournaments.feature import TournamentsFeature
from tavolino.server.features.tournaments.stored import StoredTournament, StoredTournaments, deal_of
from tavolino.server.games import fairness
from tavolino.server.kernel.actor import TableActor
from tavolino.server.verify.checks import check_record
from tests.server.clients import TIMEOUT, Guest, Socket, ask_everything, socket_url
from tests.server.conftest import Server
from tests.server.raw import wait_until
from tests.server.test_clocks import poke
from tests.server.test_daily import GAME, NOON, set_clock
from tests.server.test_examples_of_events import PROGRAMS
from tests.server.test_examples_of_events import begin as begin_program

ID = "T" * 22
ROUTES = ("/api/tournaments", f"/api/tournaments/{ID}", f"/api/tournaments/{ID}/deals/1")


@pytest.fixture
def server(start_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr(Reviews, "can_start", lambda self, whose: False)
    return begin_server(start_server())


def begin_server(server: Server) -> Server:
    server.ready(GAME).run(partial(set_clock, server, NOON))
    return server


def make(server: Server, **settings: Any) -> None:
    """A tournament that begins in a minute."""
    plan = {"title": "Ladder", "game": GAME, "seats": 2, "deals": 2, "at_once": 1, "seconds": 60}
    now = int(server.clock.wall())
    made = StoredTournament(**{"id": ID, **plan, "opens": now + 60, "closes": now + 86_400, **settings})
    server.run(lambda: StoredTournaments(server.context.storage).add(made))


def begin(server: Server) -> None:
    """The minute is over."""
    server.clock.advance(61)
    server.run(server.housekeeping.sweep)


def enter(*guests: Guest) -> None:
    for guest in guests:
        answer = guest.http.post(f"/api/tournaments/{ID}/enter")
        assert answer.status_code == 200, answer.text
        assert answer.json()["entered"]


def shown(server: Server, guest: Guest) -> dict[str, Any]:
    """The tournament as it is now."""
    server.feature(TournamentsFeature).overview.forget(ID)
    found: dict[str, Any] = guest.http.get(f"/api/tournaments/{ID}").json()
    return found


def table_of(server: Server, guest: Guest, but: str | None = None) -> str:
    """The table that the server has opened for a program."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        table = shown(server, guest)["table"]
        if table not in (None, but):
            return str(table)
        time.sleep(0.02)
    raise AssertionError("no table was opened")


Choose = Callable[[dict[str, Any]], str]


def first(view: dict[str, Any]) -> str:
    action: str = view["legal"][0]
    return action


def last(view: dict[str, Any]) -> str:
    action: str = view["legal"][-1]
    return action


def play(server: Server, guest: Guest, table: str, choose: Choose = first) -> dict[str, Any]:
    """Play a table to its end, until the server has stored what came of it; the last view."""
    turn, end = 0, time.monotonic() + 4 * TIMEOUT
    while time.monotonic() < end:
        got = guest.http.get(f"/api/tables/{table}/play", params={"turn": turn, "wait": 5})
        if got.status_code != 200:  # not dealt yet
            time.sleep(0.02)
            continue
        turn, view = got.json()["turn"], got.json()["view"]
        if view["over"]:
            while shown(server, guest)["table"] == table:
                time.sleep(0.02)
            found: dict[str, Any] = view
            return found
        if view["legal"]:
            guest.command(table, "move", turn=turn, action=choose(view))
    raise AssertionError("the game never ended")


def test_programs_play_the_same_deals_and_the_server_opens_their_tables(server: Server) -> None:
    make(server)
    programs = [Guest(server.address, name, is_program=True) for name in ("Uno", "Due")]
    ada = Guest(server.address, "Ada")
    enter(*programs, ada)
    assert shown(server, ada)["phase"] == "entering"
    begin(server)
    before: list[str | None] = [None, None]
    for number in (1, 2):
        tables = [table_of(server, *each) for each in zip(programs, before, strict=True)]
        before = list(tables)
        seen = [guest.http.get(f"/api/tables/{table}").json() for guest, table in zip(programs, tables, strict=True)]
        assert {each["features"]["tournaments"]["number"] for each in seen} == {number}
        assert len({each["fairness"]["commitment"] for each in seen}) == 1, "the same cards"
        assert {each["hints"] or each["rated"] for each in seen} == {False}
        views = [play(server, guest, table) for guest, table in zip(programs, tables, strict=True)]
        assert views[0] == views[1], "the same cards, seat, bots and decisions: the same game"
        assert shown(server, ada)["closed_deals"] == number - 1, "a person has not played it yet"
        mine = ada.http.post(f"/api/tournaments/{ID}/play").json()["id"]
        assert ada.http.post(f"/api/tournaments/{ID}/play").json()["id"] == mine, "each deal is met once"
        play(server, ada, mine, last)
        assert shown(server, ada)["closed_deals"] == number
    end = shown(server, ada)
    assert (end["phase"], end["table"]) == ("closed", None)
    assert [(each["finished"], each["counted"]) for each in end["standings"]] == [(2, 2)] * 3
    by_name = {each["name"]: each for each in end["standings"]}
    assert (by_name["Uno"]["program"], by_name["Ada"]["program"], by_name["Ada"]["you"]) == (True, False, True)
    assert by_name["Uno"]["share"] == by_name["Due"]["share"]
    numbers = [each["name"] for each in end["standings"]]
    pairs = {(numbers[each["entrant"]], numbers[each["other"]]): each for each in end["differences"]}
    assert len(pairs) == 6
    assert (pairs["Uno", "Due"]["mean"], pairs["Uno", "Due"]["deals"]) == (0, 2)
    assert pairs["Uno", "Due"]["low"] < -0.5, "two equal results are no certainty"
    deal = ada.http.get(f"/api/tournaments/{ID}/deals/2").json()
    assert fairness.commitment(deal["deal"], deal["secret"]) == deal["commitment"]
    assert {each["entrant"] for each in deal["results"]} == {"Uno", "Due", "Ada"}
    for each in deal["results"]:
        record = Guest(server.address, "Eve").http.get(f"/api/tables/{each['table']}/record").json()
        assert tavolino.replay({key: record[key] for key in record}).over
        assert not [check for check in check_record(record) if check.holds is False]
    for guest in programs:
        assert guest.http.post(f"/api/tournaments/{ID}/play").json()["code"] == "all-deals-played"


def test_threat_09_nothing_of_a_deal_leaves_before_its_last_table_has_ended(server: Server) -> None:
    """On the bytes: not even to who has played it."""
    make(server, deals=1)
    uno, due = (Guest(server.address, name, is_program=True) for name in ("Uno", "Due"))
    eve = Guest(server.address, "Eve")
    enter(uno, due)
    begin(server)
    table = table_of(server, uno)
    play(server, uno, table)
    deal = deal_of(ID, 1)
    secret = server.run(lambda: server.context.storage.shared_secret(deal))
    canaries = (secret, fairness.deal_seed(deal, secret, [None, None]).hex())
    own = [*ask_everything(uno, table), uno.http.post(f"/api/tables/{table}/play-on", json={"seat": 0, "turn": 0})]
    refused = {each.url.path.rpartition("/")[2]: each.json()["code"] for each in own if each.status_code == 403}
    assert refused == dict.fromkeys(("record", "frames", "review", "play-on"), "still-secret")
    with uno.socket(table) as socket:
        socket.until("play")
        assert socket.ask(type="watch", coming=True)["problem"]["code"] == "still-secret"
        own_bytes = [*(each.text for each in own), *socket.raw]
    own_bytes += [uno.http.get(path).text for path in (*ROUTES, "/api/me/tables", "/api/me/profile")]
    assert not [text for text in own_bytes if any(each in text for each in canaries)]
    for guest in (due, eve):
        assert {each.json()["code"] for each in ask_everything(guest, table)} == {"still-secret"}
        listed = "".join(guest.http.get(path).text for path in ROUTES)
        assert not any(each in listed for each in (*canaries, table))
        strange = Socket(socket_url(server.address, table), guest.headers, hello=False)
        assert [message.get("code") for message in strange.drain()] == ["still-secret"]
    assert shown(server, eve)["standings"][0]["counted"] == 0
    mine = table_of(server, due)
    play(server, due, mine)
    for each in (table, mine):
        assert secret in eve.http.get(f"/api/tables/{each}/record").text
    assert secret in eve.http.get(f"/api/tournaments/{ID}/deals/1").text


def test_threat_05_the_routes_are_the_same_bytes_whatever_others_have_got(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    """Two worlds: an entrant wins its game, or loses it. Others get the same bytes while somebody may still play it."""
    worlds, results = [], []
    for number, gives_up in enumerate((False, True)):
        server = begin_server(start_server(tmp_path / str(number)))
        make(server, deals=1, opens=int(NOON) + 60, closes=int(NOON) + 86_400)
        # With these cards the first legal action always wins.
        server.run(partial(server.context.storage.deal_secret, deal_of(ID, 1), "7" * 64))
        uno, due = (Guest(server.address, name, is_program=True) for name in ("Uno", "Due"))
        enter(uno, due)
        begin(server)
        table, own = table_of(server, uno), table_of(server, due)
        if gives_up:
            uno.do(table, "resign")
            while shown(server, uno)["table"]:
                time.sleep(0.02)
        else:
            play(server, uno, table)
        results.append(uno.http.get(f"/api/tables/{table}").json()["ending"]["winners"])
        shown(server, uno)  # others may get older figures, until somebody asks for new ones
        paths = (*ROUTES, f"/api/tables/{table}", f"/api/tables/{table}/record")
        answers = [guest.http.get(path) for guest in (due, Guest(server.address, "Eve")) for path in paths]
        worlds.append([_in_order(answer.text.replace(own, "mine")) for answer in answers])
        server.stop()
    assert results == [[0], [1]], "the worlds differ"
    assert worlds[0] == worlds[1]


def _in_order(text: str) -> str:
    """Entrants without results are in the order of their ids, which are random."""
    found = json.loads(text)
    if "standings" in found:
        found["standings"].sort(key=lambda each: each["name"])
        for each in found["standings"]:
            del each["number"]
    return json.dumps(found)


def test_who_has_just_finished_a_game_is_shown_that(server: Server) -> None:
    """Others may see figures that are two seconds old."""
    make(server)
    uno = Guest(server.address, "Uno", is_program=True)
    enter(uno)
    begin(server)
    table = table_of(server, uno)

    def seen() -> dict[str, Any]:
        found: dict[str, Any] = uno.http.get(f"/api/tournaments/{ID}").json()
        return found

    assert seen()["standings"][0]["finished"] == 0
    uno.do(table, "resign")
    wait_until(lambda: seen()["table"] != table)
    assert seen()["standings"][0]["finished"] == 1


def test_who_remembers_every_card_by_deal_gains_nothing(server: Server) -> None:
    """It meets each deal once, so it never finds in its memory what is about to happen."""
    make(server, at_once=2)
    plain, remembers = (Guest(server.address, name, is_program=True) for name in ("Plain", "Remembers"))
    enter(plain, remembers)
    begin(server)
    memory: dict[str, list[Any]] = {}
    tables: list[str] = []

    def by_memory(guest: Guest, table: str) -> Choose:
        def choose(view: dict[str, Any]) -> str:
            log = guest.http.get(f"/api/tables/{table}/play").json()["lines"]
            begins = json.dumps([line for line in log if line["kind"] == "dealt"])
            is_known = memory.setdefault(begins, [table])[0] != table
            memory[begins].append(log)
            return last(view) if is_known else first(view)

        return choose

    for guest in (plain, remembers):
        for _ in range(2):
            tables.append(table_of(server, guest))
            play(server, guest, tables[-1], by_memory(guest, tables[-1]) if guest is remembers else first)
    assert len(set(tables)) == 4
    assert len(memory) == 2, "no deal was met twice"
    end = shown(server, plain)
    assert end["closed_deals"] == 2
    assert {each["mean"] for each in end["differences"]} == {0}


def test_who_is_late_loses_and_a_stand_in_finishes(server: Server) -> None:
    make(server, deals=1)
    uno, due = (Guest(server.address, name, is_program=True) for name in ("Uno", "Due"))
    enter(uno, due)
    begin(server)
    play(server, due, table_of(server, due))  # before the clock moves: it is the clock of all tables
    late = table_of(server, uno)
    end = time.monotonic() + TIMEOUT
    while uno.http.get(f"/api/tables/{late}").json()["phase"] != "ended":
        assert time.monotonic() < end
        server.clock.advance(61)
        poke(server, late)
        time.sleep(0.05)
    wait_until(lambda: shown(server, uno)["closed_deals"] == 1)
    by_name = {each["name"]: each for each in shown(server, uno)["standings"]}
    assert (by_name["Uno"]["share"], by_name["Uno"]["late"]) == (0, 1)
    assert by_name["Due"]["late"] == 0


def test_a_deal_does_not_wait_for_somebody_who_was_forgotten_nor_after_the_end(server: Server) -> None:
    make(server, deals=2)
    uno, due = (Guest(server.address, name, is_program=True) for name in ("Uno", "Due"))
    ada = Guest(server.address, "Ada")
    enter(uno, due, ada)
    begin(server)
    tables = []
    for guest in (uno, due):
        tables.append(table_of(server, guest))
        play(server, guest, tables[-1])
    assert shown(server, uno)["closed_deals"] == 0
    assert ada.http.delete("/api/me").status_code == 204
    assert shown(server, uno)["closed_deals"] == 1
    assert uno.http.get(f"/api/tables/{tables[1]}/record").status_code == 200
    running = table_of(server, uno)
    play(server, uno, running)
    server.clock.advance(86_400)
    over = shown(server, due)
    assert (over["phase"], over["closed_deals"]) == ("closed", 2)
    by_name = {each["name"]: each for each in over["standings"]}
    assert by_name["Due"]["counted"] == 2, "a game that was begun and not ended is lost"
    assert due.http.get(f"/api/tables/{running}/record").status_code == 200
    assert due.http.post(f"/api/tournaments/{ID}/play").json()["code"] == "tournament-not-open"


def test_what_was_not_settled_is_settled_by_the_next_sweep(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    make(server, deals=1)
    uno = Guest(server.address, "Uno", is_program=True)
    enter(uno)
    begin(server)
    table, feature = table_of(server, uno), server.feature(TournamentsFeature)
    others = tuple(hook for hook in server.registry.features.ended if hook != feature.ended)
    monkeypatch.setattr(server.registry.features, "ended", others)  # as if the server had stopped there
    uno.do(table, "resign")
    assert shown(server, uno)["table"] == table
    server.run(server.housekeeping.sweep)
    stored = server.run(lambda: server.context.storage.items_called(deal_of(ID, 1)))
    assert [decode_try(content).score for content in stored.values()] == [0.0]
    assert shown(server, uno)["standings"][0]["share"] == 0


def test_a_win_is_no_defeat_because_the_rules_are_still_compiled_after_a_restart(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(server, deals=1)
    # With these cards the first legal action always wins.
    server.run(partial(server.context.storage.deal_secret, deal_of(ID, 1), "7" * 64))
    ada = Guest(server.address, "Ada")
    enter(ada)
    begin(server)
    feature, play_again = server.feature(TournamentsFeature), f"/api/tournaments/{ID}/play"
    table = ada.http.post(play_again).json()["id"]
    others = tuple(hook for hook in server.registry.features.ended if hook != feature.ended)
    with monkeypatch.context() as stopped:
        stopped.setattr(server.registry.features, "ended", others)
        wait_until(lambda: ada.http.get(f"/api/tables/{table}/play").status_code == 200)
        while not (got := ada.http.get(f"/api/tables/{table}/play").json())["view"]["over"]:
            if got["view"]["legal"]:
                ada.do(table, "move", turn=got["turn"], action=got["view"]["legal"][0])
    server.run(partial(server.registry.discard, table))

    def scores() -> list[float | None]:
        stored = server.run(lambda: server.context.storage.items_called(deal_of(ID, 1)))
        return [decode_try(content).score for content in stored.values()]

    is_ready = server.context.library._ready[GAME]
    is_ready.clear()
    try:
        server.run(server.housekeeping.sweep)
        assert ada.http.post(play_again).json()["code"] == "still-compiling"
        assert scores() == [None]
    finally:
        is_ready.set()
    server.run(partial(server.registry.discard, table))
    server.run(server.housekeeping.sweep)
    assert scores() == [1.0]


def test_a_damaged_table_does_not_stop_the_sweep(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    make(server, deals=1)
    programs = [Guest(server.address, name, is_program=True) for name in ("Uno", "Due")]
    enter(*programs)
    begin(server)
    tables = [table_of(server, each) for each in programs]
    feature, get_fresh = server.feature(TournamentsFeature), server.registry.get_fresh
    others = tuple(hook for hook in server.registry.features.ended if hook != feature.ended)
    monkeypatch.setattr(server.registry.features, "ended", others)
    for each, table in zip(programs, tables, strict=True):
        each.do(table, "resign")

    async def get(table: str) -> TableActor:
        if table == tables[0]:
            raise Refused("table-damaged")
        return await get_fresh(table)

    monkeypatch.setattr(server.registry, "get_fresh", get)
    server.run(server.housekeeping.sweep)
    assert [shown(server, each)["table"] for each in programs] == [tables[0], None]


def test_what_cannot_be_done_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavolino.server.features.tournaments.routes.MAX_ENTRANTS", 1)
    make(server)
    uno, due = (Guest(server.address, name, is_program=True) for name in ("Uno", "Due"))

    def refusal(guest: Guest, path: str, method: str = "POST") -> tuple[int, str]:
        answer = guest.http.request(method, f"/api/tournaments/{path}")
        return answer.status_code, answer.json()["code"]

    assert refusal(uno, f"{'x' * 22}/enter") == (404, "no-such-tournament")
    assert refusal(uno, f"{ID}/play") == (403, "not-entered")
    enter(uno, uno)
    assert refusal(due, f"{ID}/enter") == (409, "tournament-full")
    assert refusal(uno, f"{ID}/play") == (409, "tournament-not-open")
    for number in ("0", "3", "x", "9" * 40):
        assert refusal(uno, f"{ID}/deals/{number}", "GET") == (404, "no-such-tournament")
    begin(server)
    assert refusal(due, f"{ID}/enter") == (409, "entries-closed")
    nobody = due.http.post(f"/api/tournaments/{ID}/enter", headers={"Authorization": "Bearer x"})
    assert nobody.json()["code"] == "no-identity"


def test_switched_off_it_has_no_routes_and_its_deals_stay_secret(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = begin_server(start_server(tmp_path / "data"))
    make(server, deals=1)
    uno, due = (Guest(server.address, name, is_program=True) for name in ("Uno", "Due"))
    enter(uno, due)
    begin(server)
    table = table_of(server, uno)
    play(server, uno, table)
    server.stop()
    without = begin_server(start_server(tmp_path / "data", without=("tournaments",), clock=server.clock))
    uno.address = without.address
    uno.http.base_url = without.address
    assert uno.http.get("/api/tournaments").status_code == 404
    assert uno.http.get(f"/api/tables/{table}/record").json()["code"] == "still-secret"
    assert uno.http.get(f"/api/tables/{table}").json()["fairness"]["secret"] is None


@pytest.mark.timeout(120)
def test_the_example_programs_enter_and_play_all_deals(server: Server, tmp_path: Path) -> None:
    make(server)
    programs = [begin_program(name, server.address, tmp_path, f"tournament/{ID}") for name in PROGRAMS]
    ada = Guest(server.address)
    try:
        wait_until(lambda: shown(server, ada)["entrants"] == 2, 40)
        begin(server)
        wait_until(lambda: shown(server, ada)["phase"] == "closed", 40)
    finally:
        for program in programs:
            program.kill()
            program.communicate()
    standings = shown(server, ada)["standings"]
    assert [(each["finished"], each["late"]) for each in standings] == [(2, 0)] * 2
    assert standings[0]["share"] == standings[1]["share"], "both choose the first legal action"


def test_an_operator_opens_one_beside_a_running_server(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["open-tournament", GAME, "--title", "Autumn ladder", "--deals", "3", "--data", str(server.settings.data)]
    assert command([*words, "--players", "2", "--begins-in", "30m", "--for", "2d"]) == 0
    path = capsys.readouterr().out.splitlines()[0]
    (listed,) = Guest(server.address).http.get("/api/tournaments").json()
    assert (listed["title"], listed["deals"], listed["entrants"]) == ("Autumn ladder", 3, 0)
    assert path == f"/tournament/{listed['id']}"
    for wrong, sentence in (
        (["--players", "9"], "2 to 6 players"),
        (["--title", " "], "one line"),
        (["--for", "soon"], "not a duration"),
    ):
        assert command([*words, *wrong]) == 2
        assert sentence in capsys.readouterr().err


def test_the_games_of_open_deals_are_read_as_data(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(server)
    uno, ada = Guest(server.address, "Uno", is_program=True), Guest(server.address, "Ada")
    enter(uno, ada)
    begin(server)
    url, files = f"{server.address}/tournament/{ID}", [tmp_path / name for name in ("json", "parquet", "records")]
    words = ["tournament-games", url, "--json", str(files[0]), "--parquet", str(files[1]), "--records", str(files[2])]
    play(server, uno, table_of(server, uno))
    assert command(words) == 0
    assert json.loads(files[0].read_text())["rows"] == [], "somebody may still play it"
    play(server, ada, ada.http.post(f"/api/tournaments/{ID}/play").json()["id"], last)
    shown(server, ada)
    capsys.readouterr()
    assert command(words) == 0
    printed = capsys.readouterr().out
    assert "Ladder: mantis, 2 players, 1 of 2 deals are open" in printed
    assert "Uno" in printed
    rows = json.loads(files[0].read_text())["rows"]
    assert {(row["deal"], row["entrant"]) for row in rows} == {("deal 1", "Uno"), ("deal 1", "Ada")}
    written = pyarrow.parquet.read_table(files[1]).to_pylist()
    assert [(row["entrant"], row["score"]) for row in written] == [(row["entrant"], row["score"]) for row in rows]
    for path in sorted(files[2].iterdir()):
        assert tavolino.replay(json.loads(path.read_text())).over
    assert len(list(files[2].iterdir())) == 2


def test_threat_75_what_another_server_says_of_a_tournament_cannot_command_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    escape = "\x1b[31mred\x9b\u202e\x07"
    figures = {"share": 0.5, "low": 0.1, "high": 0.9, "rating": 1500.0, "rating_low": None, "rating_high": None}
    one = {"name": escape, "counted": 1, escape: escape, **figures}
    compared = {"entrant": 0, "other": 1, "mean": 0.1, "low": 0.0, "high": 0.2}
    answers: list[Any] = [
        {"id": ID, "title": escape, "game": escape, "seats": 2, "deals": 1, "closed_deals": 1}
        | {"standings": [{**one, "number": number} for number in (1, 2)], "differences": [compared]},
        {"standings": escape},
        [],
    ]
    url, said = f"https://cards.example/tournament/{ID}", []
    for answer in answers:
        monkeypatch.setattr(ServerLink, "read", lambda link, path, answer=answer: answer)
        said.append((command(["tournament-games", url]), *capsys.readouterr()))
    assert [code for code, _, _ in said] == [0, 1, 1]
    assert "\\x1b[31mred" in said[0][1]
    assert not set("".join(out + error for _, out, error in said)) & set("\x1b\x9b\u202e\x07")
    assert said[2][2] == (
        "tavolino: What answers at https://cards.example does not have tournaments as this version knows them.\n"
    )


def test_entrants_of_one_name_are_told_apart(server: Server, tmp_path: Path) -> None:
    """Their records had one file, and their rows one name."""
    make(server, deals=1)
    programs = [Guest(server.address, "First-legal", is_program=True) for _ in range(2)]
    enter(*programs)
    begin(server)
    played = {}
    for guest, choose in zip(programs, (first, last), strict=True):
        table = table_of(server, guest)
        play(server, guest, table, choose)
        played[table] = [each["number"] for each in shown(server, guest)["standings"] if each["you"]]
    url, files = f"{server.address}/tournament/{ID}", [tmp_path / name for name in ("json", "parquet", "records")]
    words = ["tournament-games", url, "--json", str(files[0]), "--parquet", str(files[1]), "--records", str(files[2])]
    assert command(words) == 0
    figures = json.loads(files[0].read_text())
    names = {row["table"]: row["entrant"] for row in figures["rows"]}
    assert names == {table: f"First-legal ({number})" for table, (number,) in played.items()}
    assert {each["entrant"] for each in figures["standings"]} == set(names.values())
    assert {row["entrant"] for row in pyarrow.parquet.read_table(files[1]).to_pylist()} == set(names.values())
    assert len(list(files[2].iterdir())) == 2


def test_a_wrong_address_of_a_tournament_is_one_sentence(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    for url, code, sentence in (
        ("mantis", 2, "it ends with /tournament/ID"),
        (f"{server.address}/tournament/{'x' * 22}", 1, "There is no such tournament"),
    ):
        assert command(["tournament-games", url]) == code
        assert sentence in capsys.readouterr().err
