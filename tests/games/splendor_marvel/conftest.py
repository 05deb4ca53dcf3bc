"""Scenarios of Splendor: Marvel: an arranged table, actions in order, and the views after them."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.engine import loops
from tavolino.games.splendor_marvel.facts import COLOURS, TOKENS

SCRIPTED = Path(__file__).parents[2] / "corpus" / "splendor-marvel"


Scripted = Callable[[str], dict[str, Any]]


class Scenario:
    """A table with arranged decks."""

    def __init__(self, players: int = 2, first: int = 0, seed: str = "a story", **decks: list[str]):
        arranged = {name.replace("_", "-"): cards for name, cards in decks.items()}
        self.match = tavolino.load("splendor-marvel").start(players, seed, {"first": first}, arranged)

    def play(self, *actions: str) -> list[dict[str, Any]]:
        """Play actions one after the other, each by the seat to act; returns the events of the last one."""
        events: list[dict[str, Any]] = []
        for action in actions:
            events = self.match.play(action)
        return events

    def lay(
        self,
        tokens: Mapping[int, str] | None = None,
        bonuses: Mapping[int, str] | None = None,
        **by_seat: Mapping[int, int],
    ) -> None:
        """Change the position: tokens come from the bank, the rest is set as given."""
        state = self.match._states[0]
        for seat, names in (tokens or {}).items():
            for name in names.split():
                state["tokens"][seat, TOKENS.index(name)] += 1
                state["bank"][TOKENS.index(name)] -= 1
        for seat, names in (bonuses or {}).items():
            for name in names.split():
                state["bonuses"][seat, COLOURS.index(name)] += 1
                state["n_cards"][seat] += 1
        for field, values in by_seat.items():
            for seat, value in values.items():
                state[field][seat] = value
        self.match._advance(loops.LIST, 0)

    def set(self, **values: int) -> None:
        """Set single numbers of the position."""
        for field, value in values.items():
            self.match._states[field][0] = value
        self.match._advance(loops.LIST, 0)

    def empty_deck(self, level: int) -> None:
        """Remove all undrawn cards of a level."""
        self.match._states[0]["pool_size"][level - 1] = 0
        self.match._advance(loops.LIST, 0)

    @property
    def legal(self) -> tuple[str, ...]:
        return self.match.legal()

    def legal_of(self, verb: str) -> list[str]:
        return [action for action in self.legal if action.split()[0] == verb]

    def table(self, viewer: int | None = None) -> dict[str, Any]:
        return self.match.view(viewer)

    def seat(self, seat: int, viewer: int | None = None) -> dict[str, Any]:
        shown: dict[str, Any] = self.match.view(viewer)["seats"][seat]
        return shown

    def held(self, seat: int) -> dict[str, int]:
        """The tokens of a seat, without those it has none of."""
        return {token: n for token, n in self.seat(seat)["tokens"].items() if n}

    def refusal(self, action: str) -> tuple[str | None, str]:
        """The rule that forbids an action, and the key of the sentence."""
        before = self.match.hash()
        with pytest.raises(tavolino.IllegalAction) as caught:
            self.match.play(action)
        assert self.match.hash() == before
        assert str(caught.value)
        return caught.value.rule, caught.value.key


@pytest.fixture
def scenario() -> type[Scenario]:
    return Scenario


@pytest.fixture
def scripted() -> Scripted:
    """A recorded game in which something rare happens, by name."""

    def read(name: str) -> dict[str, Any]:
        record: dict[str, Any] = json.loads((SCRIPTED / f"scripted-{name}.json").read_text())
        return record

    return read
