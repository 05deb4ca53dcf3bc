"""Options of a table: their allowed values and their defaults."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Option:
    """A switch, a seat or a number. A default of None depends on the number of players."""

    kind: Literal["switch", "seat", "number"]
    default: Any
    lowest: int = 0
    highest: int = 0
    by_players: Callable[[int], Any] | None = None

    def value_for(self, players: int) -> Any:
        """The default for a number of players."""
        return self.by_players(players) if self.default is None and self.by_players else self.default

    def describe(self, players: int) -> str:
        if self.kind == "switch":
            return "true or false"
        if self.kind == "seat":
            return f"a seat from 0 to {players - 1}"
        return f"a whole number from {self.lowest} to {self.highest}"

    def allows(self, value: Any, players: int) -> bool:
        if self.kind == "switch":
            return isinstance(value, bool)
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        if self.kind == "seat":
            return 0 <= value < players
        return self.lowest <= value <= self.highest


def resolve(known: Mapping[str, Option], players: int, chosen: Mapping[str, Any] | None) -> dict[str, Any]:
    """Every option with its value: the chosen ones checked, the others by default."""
    if chosen is not None and not isinstance(chosen, Mapping):
        raise ValueError(f"Options are a dict of names and values, not {type(chosen).__name__}.")
    chosen = dict(chosen or {})
    for name in chosen:
        if name not in known:
            raise ValueError(f"There is no option {name!r}. Options: {', '.join(known) or 'none'}.")
    values: dict[str, Any] = {}
    for name, option in known.items():
        value = chosen.get(name, option.default)
        if value is None and option.default is None:
            value = option.value_for(players)
        elif not option.allows(value, players):
            raise ValueError(f"The option {name} must be {option.describe(players)}, not {value!r}.")
        values[name] = value
    return values
