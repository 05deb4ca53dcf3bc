"""A table as an agent uses it: every answer is a text for its seat."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from tavolino.engine.telling import Teller

MAX_WAIT_SECONDS = 50  # for the others: clients give up a call after about a minute
MAX_DIGITS = 4


class Trouble(Exception):
    """Something cannot be done; the message is a sentence for the agent."""


class AgentTable(Protocol):
    """One seat at one table. Every method raises Trouble, and then nothing has changed."""

    def observe(self, whole_log: bool = False) -> str:
        """The table in words; the news begin with the last decision, or with the deal."""

    def act(self, choice: int | str) -> str:
        """Decide by number or text, then wait for the next decision; the table in words."""

    def wait(self, seconds: float) -> str:
        """The table in words, once there is something to decide or the time is over."""

    def notebook(self) -> str: ...

    def hint(self) -> str: ...

    def resign(self) -> str: ...

    def review(self) -> str: ...


def hint_text(
    teller: Teller, legal: Sequence[str], action: str, chance: float | None, reasons: Iterable[tuple[str, Any]]
) -> str:
    """A hint: the choice by its number, how often it wins, and why. `reasons` are keys with their parameters."""
    wins = "" if chance is None else f": wins {chance:.0%} of the games from here"
    lines = [f"{legal.index(action) + 1}. {action}{wins}.", *(teller.reason(key, params) for key, params in reasons)]
    return "\n".join(lines)


def action_of(choice: int | str, legal: Sequence[str]) -> str:
    """The action that a choice names: by its number from 1, or as text, which the rules check."""
    text = str(choice).strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
        return text
    if not 1 <= int(text) <= len(legal):
        raise Trouble(f"There is no choice {text}: your choices are numbered 1 to {len(legal)}.")
    return legal[int(text) - 1]
