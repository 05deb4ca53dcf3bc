"""Limits are settings of the operator, and a refusal for speed names the seconds after which it is no longer one."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tavolino.cli.commands import run
from tavolino.server import main
from tavolino.server.errors import Refused
from tavolino.server.rate_limit import RateLimit
from tavolino.server.settings import Limits, ServerSettings, limits_from
from tests.server.clients import Guest
from tests.server.conftest import GENEROUS, Server

StartServer = Callable[..., Server]


@pytest.mark.parametrize(("rate", "burst"), [(60 / 3600, 60), (20, 100), (0.3, 1), (7 / 60, 3), (1e-6, 2)])
def test_retry_after_is_true_to_the_second(rate: float, burst: float) -> None:
    """After so many seconds it is accepted; more than a second before, it is not."""
    now = 0.0
    limit = RateLimit(rate, burst, "too-fast", lambda: now)
    for _ in range(int(burst)):
        limit.take("ada")
    for _ in range(3):
        with pytest.raises(Refused) as refused:
            limit.take("ada")
        seconds = refused.value.problem.params["retry_after"]
        assert seconds == math.floor(1 / rate) + 1
        now += seconds - 1.001
        if seconds > 1:
            with pytest.raises(Refused):
                limit.take("ada")
        now += 1.001
        limit.take("ada")
        limit.charge("ada", limit._bucket("ada").left())


def test_a_debt_is_paid_off_before_the_seconds_are_over() -> None:
    now = 0.0
    limit = RateLimit(100, 3_000, "too-fast", lambda: now)
    limit.charge("ada", 5_000)
    with pytest.raises(Refused) as refused:
        limit.check("ada")
    assert refused.value.problem.params == {"retry_after": 21}
    now = 21.0
    limit.check("ada")


def test_what_never_comes_back_names_no_seconds() -> None:
    limit = RateLimit(0.0, 1, "too-many-tables", lambda: 0.0)
    limit.take("ada")
    with pytest.raises(Refused) as refused:
        limit.take("ada")
    assert refused.value.problem.params == {}


def test_refusals_over_http_carry_retry_after(start_server: StartServer) -> None:
    limits = replace(GENEROUS, tables_per_hour=2, people_per_hour=2, changes_per_minute=1, changes_burst=1)
    server = start_server(limits=limits).ready("mantis")
    ada, bruno = Guest(server.address, "Ada"), Guest(server.address, "Bruno")
    wanted = {"game": "mantis", "seats": 2}
    table = ada.open("mantis", 2)
    ada.open("mantis", 2)
    third = ada.http.post("/api/tables", json=wanted)
    assert third.json()["code"] == "too-many-tables"
    assert 1_700 < int(third.headers["Retry-After"]) <= 1_801, "half an hour, less what the test took"
    assert third.json()["params"] == {"retry_after": int(third.headers["Retry-After"])}
    nobody = ada.http.post("/api/me", json={"name": "Carla"}, headers={"Authorization": ""})
    assert nobody.json()["code"] == "too-many-people"
    assert 1_700 < int(nobody.headers["Retry-After"]) <= 1_801
    bruno.do(table, "join")
    change = bruno.command(table, "leave")
    assert change.json()["code"] == "too-fast"
    assert 5 < int(change.headers["Retry-After"]) <= 61


def test_requests_that_are_refused_before_any_route_carry_retry_after(start_server: StartServer) -> None:
    server = start_server(limits=replace(GENEROUS, requests_per_second=0.001, requests_burst=3))
    ada = Guest(server.address, "Ada")
    answers = [ada.http.get("/api/me") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    assert all(900 < int(answer.headers["Retry-After"]) <= 1_001 for answer in answers[2:])


def test_a_limit_that_time_does_not_lift_names_no_seconds(start_server: StartServer) -> None:
    server = start_server(limits=replace(GENEROUS, tables_per_person=1)).ready("mantis")
    ada = Guest(server.address, "Ada")
    ada.open("mantis", 2)
    second = ada.http.post("/api/tables", json={"game": "mantis", "seats": 2})
    assert second.json()["code"] == "too-many-tables"
    assert "Retry-After" not in second.headers


def test_every_limit_is_a_setting() -> None:
    names = list(Limits.__struct_fields__)
    assert limits_from(f"{name}=7" for name in names) == Limits(**dict.fromkeys(names, 7))
    assert limits_from([]) == Limits()


def test_operators_set_limits_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[ServerSettings] = []

    def keep(settings: ServerSettings, on_open: object) -> bool:
        seen.append(settings)
        return True

    monkeypatch.setattr(main, "run", keep)
    serve = ["serve", "--data", str(tmp_path)]
    assert run([*serve, "--limit", "tables_per_hour=600", "--limit", "talk_burst=9"]) == 0
    monkeypatch.setenv("TAVOLINO_LIMIT", "tables_per_hour=700 hints_burst=1")
    assert run(serve) == 0
    assert [each.limits for each in seen] == [
        Limits(tables_per_hour=600, talk_burst=9),
        Limits(tables_per_hour=700, hints_burst=1),
    ]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("tables=3", "There is no limit 'tables'. Limits: message_bytes,"),
        ("talk_burst=1.5", "talk_burst must be a whole number above 0"),
        ("tables_per_hour=0", "tables_per_hour must be a number above 0"),
        ("tables_per_hour=nan", "tables_per_hour must be a number above 0"),
        ("tables_per_hour", "tables_per_hour must be a number above 0"),
    ],
)
def test_a_wrong_limit_is_a_sentence(
    wrong: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", "--data", str(tmp_path), "--limit", wrong]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())
