"""Fair deals: the commitment before the salts, the salts before the deal, the reveal at the end."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.cli.commands import run
from tavolino.server.games import fairness
from tavolino.server.verify.checks import check_record
from tests.server.clients import Guest, play_to_end, seat_everybody, start
from tests.server.conftest import GAMES, Server
from tests.server.worlds import SMALLEST

Guests = Callable[[int], list[Guest]]


def finished_record(server: Server, guests: Guests, game: str = "mantis") -> tuple[dict[str, Any], str]:
    """The record of a game played to its end, and the commitment that was seen before the deal."""
    server.ready(game)
    people = guests(SMALLEST[game])
    table = seat_everybody(people, game)
    kept = people[0].http.get(f"/api/tables/{table}").json()["fairness"]["commitment"]
    start(people, table)
    sockets = [person.socket(table) for person in people]
    play_to_end(people, sockets, choose=lambda legal: legal[len(legal) // 2])
    sockets[0].until_phase("ended")
    answer = people[0].http.get(f"/api/tables/{table}/record")
    assert "attachment" in answer.headers["content-disposition"]
    record: dict[str, Any] = answer.json()
    return record, kept


def test_the_scheme_is_the_one_in_the_documentation() -> None:
    """Computed from docs/protocol.md, as an implementation in another language would."""
    secret, salts = "ab" * 32, ["cd" * 32, None]
    committed = hashlib.sha256(f"tavolino commitment 1\ntable\n{secret}\n".encode()).hexdigest()
    assert fairness.commitment("table", secret) == committed
    seed = hashlib.sha256(f"tavolino seed 1\ntable\n{secret}\n{salts[0]}\n-\n".encode())
    assert fairness.deal_seed("table", secret, salts) == seed.digest()
    chance = hashlib.sha256(f"tavolino chance 1\n{seed.hexdigest()}\n".encode()).digest()
    expected = next(byte % 5 for byte in chance if byte < 255)
    assert fairness.chance_seat(seed.digest(), 5) == expected


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_chance_picks_every_seat_equally_often(seats: int) -> None:
    """6,000 seeds: each count is binomial, so five standard deviations are passed once in 300,000 runs."""
    picked = Counter(fairness.chance_seat(seed.to_bytes(32, "big"), seats) for seed in range(6_000))
    share = 1 / seats
    bound = 5 * (6_000 * share * (1 - share)) ** 0.5
    assert all(abs(picked[seat] - 6_000 * share) < bound for seat in range(seats))


def test_commitment_then_salts_then_deal_and_all_of_it_is_seen_in_that_order(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis")
    with ada.socket(table) as socket:
        first = socket.until("table")["table"]
        assert first["fairness"]["commitment"]
        assert first["fairness"]["salts"] is None
        ada.do(table, "salt", salt="a" * 64)
        bruno.do(table, "salt", salt="b" * 64)
        ada.do(table, "start")
        messages: list[dict[str, Any]] = []
        while not messages or messages[-1]["type"] != "play":
            messages.append(socket.receive())
        frozen = [n for n, m in enumerate(messages) if m["type"] == "table" and m["table"]["fairness"]["salts"]]
        assert frozen, "the salts were shown, frozen, before the first card"
        assert messages[frozen[0]]["table"]["phase"] == "sealing"
        assert messages[frozen[0]]["table"]["fairness"]["salts"] == ["a" * 64, "b" * 64]
        commitments = {m["table"]["fairness"]["commitment"] for m in messages if m["type"] == "table"}
        assert commitments == {first["fairness"]["commitment"]}
        assert ada.command(table, "salt", salt="c" * 64).json()["code"] == "not-waiting"


def test_a_start_waits_for_missing_salts_and_then_goes_on_without(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis")
    ada.do(table, "salt", salt="a" * 64)
    with ada.socket(table) as socket:
        ada.do(table, "start")
        assert socket.until_phase("sealing")["fairness"]["salts"] is None
        socket.until("play")
        assert socket.until_phase("playing")["fairness"]["salts"] == ["a" * 64, None]


def test_a_salt_that_comes_while_sealing_still_counts(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis")
    ada.do(table, "salt", salt="a" * 64)
    ada.do(table, "start")
    bruno.do(table, "salt", salt="b" * 64)
    with ada.socket(table) as socket:
        socket.until("play")
        assert socket.until_phase("playing")["fairness"]["salts"] == ["a" * 64, "b" * 64]


@pytest.mark.parametrize("game", GAMES)
def test_verify_deals_again_and_finds_everything_in_order(
    server: Server, guests: Guests, tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str
) -> None:
    record, kept = finished_record(server, guests, game)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), "utf-8-sig")
    assert run(["verify", str(file), "--commitment", kept, "--salt", f"{0:064x}"]) == 0
    assert capsys.readouterr().out.count("ok  ") == 10


def test_verify_finds_every_kind_of_cheating(server: Server, guests: Guests, tmp_path: Path) -> None:
    record, kept = finished_record(server, guests)

    def failing(changed: Any, **also: str) -> list[str]:
        checks = check_record(changed, also.get("commitment", kept), also.get("salt"))
        return [check.key for check in checks if check.holds is False]

    assert failing(record) == []
    seal = record["fairness"]
    other_secret = {**record, "fairness": {**seal, "secret": "0" * 64}}
    assert "secret" in failing(other_secret)
    new = "1" * 64
    whole_new_seal = {**seal, "secret": new, "commitment": fairness.commitment(seal["table"], new)}
    assert "kept" in failing({**record, "fairness": whole_new_seal})
    other_salts = {**record, "fairness": {**seal, "salts": [None] * len(seal["salts"])}}
    assert "seed" in failing(other_salts)
    assert "salt" in failing(record, salt="9" * 64)
    other_seed = {**record, "seed": {"bytes": "00" * 32}}
    assert "seed" in failing(other_seed)
    changed_first = {**record, "fairness": {**seal, "first_seat": (record["options"]["first"] + 1) % 3}}
    assert "first" in failing(changed_first)
    assert failing({**record, "options": None})
    assert failing({**record, "chain": "0" * 64}) == ["replay"]
    assert failing({"game": "mantis"}) == ["seal"]
    assert failing([]) == ["seal"]
    file = tmp_path / "cheat.json"
    file.write_text(json.dumps(other_secret))
    assert run(["verify", str(file)]) == 1


def test_a_record_that_was_cut_off_does_not_hold(server: Server, guests: Guests) -> None:
    record, kept = finished_record(server, guests)

    def failing(changed: dict[str, Any]) -> list[str]:
        return [check.key for check in check_record(changed, kept) if check.holds is False]

    chained = {**record, "actions": record["actions"][:-1], "hash": None}
    assert "replay" in failing(chained)
    short = {key: value for key, value in chained.items() if key not in ("chain", "format")}
    no_state, no_ending = "end-state", "ending"
    assert failing(short) == [no_state, "winners"]
    assert failing({**short, "ending": None}) == [no_state, no_ending]
    bare = {key: value for key, value in short.items() if key not in ("hash", "ending")}
    assert failing(bare) == [no_state, no_ending]
    assert failing({**record, "ending": ["played"]}) == [no_ending]
    agreed: dict[str, Any] = {"how": "agreed", "winners": [], "reason": None}
    assert failing({**record, "ending": agreed}) == ["ended-early"]


def test_bots_have_no_salts(server: Server, guests: Guests) -> None:
    """An operator could otherwise try salts for bots until the deal suits them."""
    record, kept = finished_record(server, guests)
    seal = record["fairness"]

    def failing(bots: Any, salt: str | None = None) -> list[str]:
        changed = {**record, "fairness": {**seal, "bots": bots}}
        return [check.key for check in check_record(changed, kept, salt) if check.holds is False]

    assert failing([]) == []
    assert failing([1], seal["salts"][0]) == ["bots"]
    assert failing([0], seal["salts"][0]) == ["bots", "salt"]
    assert failing("01") == failing([9]) == failing([True]) == ["bots"]


def test_verify_says_in_one_sentence_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "record.json"

    def complaint(written: str, *more: str) -> tuple[int, str]:
        file.write_text(written)
        return run(["verify", str(file), *more]), capsys.readouterr().err

    not_json = f"tavolino: The file {file} cannot be checked. This is not a game file: it is not JSON.\n"
    assert complaint("{") == (1, not_json)
    assert complaint("[" * 100_000)[0] == 1
    assert complaint("[]")[0] == 1
    at_home = json.dumps(tavolino.load("mantis").start(2, "at home").record())
    code, sentence = complaint(at_home)
    assert code == 1
    assert sentence.startswith(
        f"tavolino: The file {file} cannot be checked. This game file has no seal: only games from a server’s table,"
    )
    assert f"tavolino replay {file}" in sentence
    for option in ("--salt", "--commitment"):
        code, sentence = complaint("{}", option, "abc")
        assert (code, sentence) == (2, f"tavolino: The value of {option} must be 64 hexadecimal digits.\n")
    assert run(["verify", str(tmp_path / "missing.json")]) == 2
