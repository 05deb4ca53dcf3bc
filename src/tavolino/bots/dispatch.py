"""What a game tells its bots, under one name for all games, chosen by the type of the record.

The same way as `engine.dispatch`, and for the same reason: search and contests are ordinary generic code that Numba
caches across processes.
"""

from typing import Any

from tavolino.engine.dispatch import ByRecord, register

__all__ = ["register", "sight", "team", "weigh", "worth"]


@ByRecord
def weigh(s: Any, habits: Any, actions: Any, n: int, scores: Any) -> None:
    """Write into `scores` how good each of the `n` legal actions looks to the seat that must act.

    `s` is a world that this seat takes for possible. Only what the seat knows in it may count: its own cards, what is
    open, and the sets of what can be where. `habits` are the player's weights.
    """


@ByRecord
def worth(s: Any, values: Any) -> None:
    """Write into `values` each seat's estimated chance to win, where a playout is cut off."""


@ByRecord
def team(s: Any, seat: int) -> int:  # type: ignore[empty-body]
    """The number of the seat's team; players of one team win together."""


@ByRecord
def sight(s: Any, viewer: int) -> int:  # type: ignore[empty-body]
    """A number for what the viewer sees now; a search keeps positions apart that the viewer can tell apart."""
