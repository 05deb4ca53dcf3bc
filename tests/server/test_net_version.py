"""The version of the weights that bots used is written down when the table is dealt, and stands in the record."""

from __future__ import annotations

import msgspec
import pytest

import tavolino
from tavolino.engine.net_files import version_in
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import records
from tavolino.server.kernel.deal import net_used
from tavolino.server.kernel.state import Place, TableState
from tavolino.server.protocol import Ending

GAME = "splendor-marvel"


def table(*levels: str | None) -> TableState:
    places = [Place(person="ada") if level is None else Place(level=level) for level in levels]  # type: ignore[arg-type]
    return TableState("t", game=GAME, rules=tavolino.load(GAME).rules, places=places, secret="00" * 32)


def test_only_a_table_with_an_expert_uses_weights() -> None:
    game = tavolino.load(GAME)
    assert net_used(table(None, "expert"), game) == version_in(game.folder) is not None
    assert net_used(table(None, "hard"), game) is None
    assert net_used(table(None, "expert"), tavolino.load("mantis")) is None


@pytest.mark.parametrize("version", [None, "0123456789abcdef"])
def test_the_record_names_the_version_that_was_dealt_with(version: str | None) -> None:
    state = table(None, "expert")
    state.apply(e.Dealt(1.0, 1.0, version))
    state.phase, state.ending = "ended", Ending("played", [0], "SM-33")
    assert records.record(state, None).get("net") == version


def test_a_deal_that_was_written_before_there_were_weights_is_still_read() -> None:
    found = msgspec.json.decode(b'{"k":"dealt","at":1.0}', type=e.Dealt)
    assert found.net is None
