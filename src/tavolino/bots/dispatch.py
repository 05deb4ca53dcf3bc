"""What a game tells its bots, under one name for all games, chosen by the type of the record.

The same way as `engine.dispatch`, and for the same reason: search and contests are ordinary generic code that Numba
caches across processes.
"""

from collections.abc import Callable
from typing import Any

from tavolino.engine.compiled import IS_PLAIN
from tavolino.engine.dispatch import function_of, overload, register

__all__ = ["register", "sight", "team", "weigh", "worth"]


def weigh(s: Any, habits: Any, actions: Any, n: int, scores: Any) -> None:
    """Write into `scores` how good each of the `n` legal actions looks to the seat that must act.

    `s` is a world that this seat takes for possible. Only what the seat knows in it may count: its own cards, what is
    open, and the sets of what can be where. `habits` are the player's weights.
    """
    function_of(s.dtype, "weigh")(s, habits, actions, n, scores)


def worth(s: Any, values: Any) -> None:
    """Write into `values` each seat's estimated chance to win, where a playout is cut off."""
    function_of(s.dtype, "worth")(s, values)


def team(s: Any, seat: int) -> int:
    """The number of the seat's team; players of one team win together."""
    number: int = function_of(s.dtype, "team")(s, seat)
    return number


def sight(s: Any, viewer: int) -> int:
    """A number for what the viewer sees now; a search keeps positions apart that the viewer can tell apart."""
    number: int = function_of(s.dtype, "sight")(s, viewer)
    return number


def _chosen(s: Any, name: str) -> Callable[..., Any] | None:
    try:
        return function_of(s.dtype, name)
    except (AttributeError, KeyError):
        return None


if not IS_PLAIN:

    @overload(weigh)
    def _weigh(s: Any, habits: Any, actions: Any, n: Any, scores: Any) -> Any:
        chosen = _chosen(s, "weigh")
        if chosen is None:
            return None

        def call(s: Any, habits: Any, actions: Any, n: Any, scores: Any) -> None:
            chosen(s, habits, actions, n, scores)

        return call

    @overload(worth)
    def _worth(s: Any, values: Any) -> Any:
        chosen = _chosen(s, "worth")
        if chosen is None:
            return None

        def call(s: Any, values: Any) -> None:
            chosen(s, values)

        return call

    @overload(team)
    def _team(s: Any, seat: Any) -> Any:
        chosen = _chosen(s, "team")
        if chosen is None:
            return None

        def call(s: Any, seat: Any) -> Any:
            return chosen(s, seat)

        return call

    @overload(sight)
    def _sight(s: Any, viewer: Any) -> Any:
        chosen = _chosen(s, "sight")
        if chosen is None:
            return None

        def call(s: Any, viewer: Any) -> Any:
            return chosen(s, viewer)

        return call
