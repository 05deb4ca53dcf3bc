"""Every game passes the conformance suite, and the suite finds planted faults."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.engine import look_alikes, testing, texts
from tavolino.engine.meta import OneAgainstAll
from tavolino.engine.payoffs import shared_payoff
from tavolino.engine.testing import check_game
from tests.resample_faults import FAULTS, plant
from tests.sampling import few_or_many

GAMES_IN_PLAIN_PYTHON = 1
TRIES_IN_PLAIN_PYTHON = 6


@pytest.mark.plain
def test_every_game_conforms(game: tavolino.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    from tavolino.engine.compiled import IS_PLAIN

    if IS_PLAIN:  # a notebook can take a third of a second there; tests/beliefs/test_notebook.py has some in this mode
        monkeypatch.setattr(testing, "MAX_COMPARED", 1)
        monkeypatch.setattr(look_alikes, "TRIES", TRIES_IN_PLAIN_PYTHON)
        check_game(replace(game, notebook=lambda s, viewer: {}), games=GAMES_IN_PLAIN_PYTHON)
    else:
        compared = check_game(game, games=few_or_many(1, 3))
        assert compared.with_others > compared.found_none
        if game.name == "mantis":  # at its end there can be a single card left in the pile
            assert compared.one_world > 0


def with_view(game: tavolino.Game, **extra: Any) -> tavolino.Game:
    """The same game with something added to its views."""
    shown = game.view
    return replace(game, view=lambda s, viewer: {**shown(s, viewer), **{key: read(s) for key, read in extra.items()}})


@pytest.mark.parametrize(
    ("name", "leak"),
    [
        ("mantis", lambda s: s.top),
        ("mantis", lambda s: s.key),
        ("splendor-marvel", lambda s: s.key),
        ("infinity-gauntlet", lambda s: s.key),
        ("infinity-gauntlet", lambda s: s.blocks),
    ],
)
def test_a_planted_leak_is_caught(name: str, leak: Any) -> None:
    with pytest.raises(AssertionError, match="can tell a resampled world"):
        check_game(with_view(tavolino.load(name), leak=leak), games=1)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_resample_is_caught(game: tavolino.Game, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, game.name, fault)
    with pytest.raises(AssertionError, match=r"has not seen|worlds resampled for viewer .* agree"):
        check_game(game, games=0)


def test_a_notebook_with_a_hidden_card_is_caught() -> None:
    game = tavolino.load("mantis")
    leaking = replace(game, notebook=lambda s, viewer: {**game.notebook(s, viewer), "next": s.top})
    with pytest.raises(AssertionError, match="the notebook of viewer 0 depends on something"):
        check_game(leaking, games=0)


def test_a_game_whose_hidden_cards_cannot_be_arranged_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seeds hardly ever deal what looks the same to a player."""
    monkeypatch.setattr(testing, "arrange_all", lambda game, chance: {})
    game = tavolino.load("mantis")
    with pytest.raises(AssertionError, match="put what the game hides into `decks`"):
        check_game(replace(game, meta=replace(game.meta, players=range(4, 5), older_rules=())), games=0)


def without_texts(monkeypatch: pytest.MonkeyPatch, game: tavolino.Game, prefix: str) -> None:
    """Within this context the catalogue of a game lacks the texts whose keys begin like this."""
    read = texts.read_texts

    def read_fewer(folder: Path, language: str) -> Mapping[str, str]:
        found = read(folder, language)
        return {key: text for key, text in found.items() if folder != game.folder or not key.startswith(prefix)}

    monkeypatch.setattr(texts, "read_texts", read_fewer)


@pytest.mark.parametrize(
    "prefix", ["tagline", "event.turned", "card.", "prompt.turn.other", "action.steal", "outcome.", "name"]
)
def test_a_missing_text_is_caught(prefix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tavolino.load("mantis")
    without_texts(monkeypatch, game, prefix)
    with pytest.raises(AssertionError, match=f"a text is missing: .*{prefix}"):
        check_game(game, games=1)


def test_a_label_that_names_what_its_action_lacks_is_caught() -> None:
    """Every button would read the same."""
    game = replace(tavolino.load("mantis"), action_params=lambda text: (text.partition(" ")[0], {}))
    with pytest.raises(AssertionError, match=r"the text action\.steal names target, which"):
        check_game(game, games=1)


def test_a_key_that_every_view_has_is_no_key_of_a_game() -> None:
    with pytest.raises(AssertionError, match="keys that every view has: legal"):
        check_game(with_view(tavolino.load("mantis"), legal=lambda s: []), games=1)


def test_a_game_that_does_not_end_in_time_is_caught() -> None:
    endless = replace(tavolino.load("mantis"), most_decisions=lambda players: 5)
    with pytest.raises(AssertionError, match="did not end"):
        check_game(endless, games=1)


def test_a_team_game_whose_record_does_not_say_who_is_alone_is_caught() -> None:
    game = tavolino.load("mantis")
    meta = replace(game.meta, teams=OneAgainstAll("loner", "one", "others"))
    with pytest.raises(AssertionError, match="no field `loner`"):
        check_game(replace(game, meta=meta, payoff=shared_payoff), games=1)
