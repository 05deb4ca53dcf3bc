"""A feature in a package of its own, examples/dice-rolls: found by its entry point, used, and switched off."""

import json
from collections.abc import Callable

import pytest

from tavolino.server import features
from tests.server.clients import Guest
from tests.server.conftest import Server

MODULE = "/features/dice_rolls/panel.js"
StartServer = Callable[..., Server]


def test_it_is_listed_and_its_module_is_served(start_server: StartServer) -> None:
    ada = Guest(start_server().address)
    listed = ada.http.get("/api/features").json()
    assert "dice_rolls" in listed["features"]
    assert listed["outside_features"] == [{"name": "dice_rolls", "module": MODULE}]
    served = ada.http.get(MODULE)
    assert served.headers["content-type"].startswith("text/javascript")
    assert "script-src 'self'" in served.headers["content-security-policy"]
    assert "export default" in served.text
    assert ada.http.get("/features/dice_rolls/../__init__.py").status_code == 404
    assert ada.http.get("/features/dice_rolls/__init__.py").status_code == 404


def test_everybody_sees_the_rolls_and_they_are_there_after_a_restart(start_server: StartServer) -> None:
    ada = Guest((server := start_server()).address)
    table = ada.open("mantis", 2)
    ada.do(table, "roll-die")
    stranger = Guest(server.address)
    assert stranger.command(table, "roll-die").json()["code"] == "not-seated"
    rolls = stranger.http.get(f"/api/tables/{table}").json()["features"]["dice_rolls"]["rolls"]
    assert [roll["seat"] for roll in rolls] == [0]
    assert rolls[0]["face"] in range(1, 7)
    server.stop()
    again = Guest(start_server().address)
    assert again.http.get(f"/api/tables/{table}").json()["features"]["dice_rolls"]["rolls"] == rolls


def test_switched_off_it_is_unknown_and_its_rolls_are_kept(start_server: StartServer) -> None:
    ada = Guest((server := start_server()).address)
    table = ada.open("mantis", 2)
    ada.do(table, "roll-die")
    server.stop()
    ada = Guest((server := start_server(without=("dice_rolls",))).address)
    assert ada.command(table, "roll-die").json()["code"] == "bad-message"
    assert ada.http.get(f"/api/tables/{table}").json()["features"] == {}
    assert ada.http.get(MODULE).status_code == 404
    assert "dice_rolls" not in json.dumps(ada.http.get("/api/features").json())
    server.stop()
    ada = Guest(start_server().address)
    assert len(ada.http.get(f"/api/tables/{table}").json()["features"]["dice_rolls"]["rolls"]) == 1


def test_the_name_is_among_those_that_can_be_switched_off() -> None:
    with pytest.raises(features.CannotSwitchOff, match="dice_rolls"):
        features.switched_on(["chess"])
