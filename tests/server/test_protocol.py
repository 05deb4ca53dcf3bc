"""The protocol: typed once, generated for the browser, documented in docs/protocol.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tavolino
from tavolino.engine.messages import LANGUAGES, parameters
from tavolino.engine.texts import read_texts
from tavolino.server import features, typescript
from tavolino.server.errors import STATUS, Refused
from tavolino.server.games.content import SERVER
from tavolino.server.http.routes import ROUTES
from tavolino.server.transport.connection import CLOSE_CODES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")
COMMANDS = features.commands()
BODIES = [route.body for route in (*ROUTES, *features.routes()) if isinstance(route.body, type)]


def test_the_browsers_types_have_every_command_and_message() -> None:
    written = typescript.generate()
    for kind in (*COMMANDS, *BODIES):
        assert f"export interface {kind.__name__} {{" in written


@pytest.mark.parametrize("kind", [*COMMANDS, *BODIES], ids=lambda kind: kind.__name__)
def test_unknown_fields_are_refused_everywhere(kind: Any) -> None:
    assert kind.__struct_config__.forbid_unknown_fields


def test_no_command_names_the_person_or_seat_it_comes_from() -> None:
    """Fields called seat name somebody else or a place to go to: never whose command it is."""
    about_others = {"invite", "join", "sit", "kick", "set-bot", "stand-in", "mute"}
    for kind in COMMANDS:
        if "seat" in kind.__struct_fields__:
            assert kind.__struct_config__.tag in about_others
        assert not {"person", "player", "token", "name"} & set(kind.__struct_fields__)


def test_every_route_code_and_message_is_in_the_documentation() -> None:
    for route in filter(lambda route: route.is_described, (*ROUTES, *features.routes())):
        path = re.sub(r"{table}", "{id}", route.path)
        assert f"`{route.method} {path}" in PAGE, route.path
    for code in STATUS:
        assert f"`{code}`" in PAGE, code
    for code, number in CLOSE_CODES.items():
        assert f"| {number} | `{code}`" in PAGE, code
    for kind in COMMANDS:
        assert f"`{kind.__struct_config__.tag}`" in PAGE, kind


@pytest.mark.parametrize("name", [name for name in tavolino.games() if tavolino.load(name).meta.talk == "remarks"])
def test_every_remark_has_a_sentence_in_three_languages(name: str) -> None:
    game = tavolino.load(name)
    remarks = game.remarks(game.start(game.players[0], "remarks").view(None))
    assert remarks
    for language in LANGUAGES:
        texts = read_texts(game.folder, language)
        for key, params in remarks.items():
            assert {each.split(":")[0] for each in parameters(texts[f"remark.{key}"])} == set(params)


def test_every_refusal_has_a_sentence_and_every_feature_has_its_own() -> None:
    installed = [package.FEATURE for package in features.packages().values()]
    refusals = {feature: {f"refused.{code}" for code, _ in feature.refusals} for feature in installed}
    own = set(read_texts(SERVER, "en"))
    assert {key for key in own if key.startswith("refused.")} == {f"refused.{code}" for code in STATUS} - set().union(
        *refusals.values()
    )
    assert own >= {f"preview.{key}" for key in ("home", "waiting", "sealing", "playing", "replay")}
    for feature, wanted in refusals.items():
        written = read_texts(feature.folder(), "en").keys()
        assert {key for key in written if key.startswith("refused.")} == wanted, feature.name
        assert not written & own, feature.name


@pytest.mark.parametrize("code", STATUS)
def test_a_refusal_is_a_key_with_parameters_and_never_prose(code: str) -> None:
    problem = Refused(code).problem
    assert problem.key == f"server.refused.{code}"
    assert msgspec.json.decode(msgspec.json.encode(problem)) == {
        "code": code,
        "key": problem.key,
        "params": {},
        "rule": None,
    }
