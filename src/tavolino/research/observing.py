"""Observing under one name for all games, as `engine.dispatch` does for the rules, and what a seat has won."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine import dispatch
from tavolino.engine.compiled import IS_PLAIN, compiled
from tavolino.engine.dispatch import apply, legal, overload

States = np.ndarray[Any, Any]
Numbers = NDArray[np.int32]
Bytes = NDArray[np.uint8]
Mask = NDArray[np.int8]


def observe(s: Any, viewer: int, out: Any) -> None:
    """Write what a seat may know now into `out`. Built up from nothing: what is not named is not there."""
    dispatch.function_of(s.dtype, "observe")(s, viewer, out)


if not IS_PLAIN:

    @overload(observe)
    def _observe(s: Any, viewer: Any, out: Any) -> Any:
        dtype = getattr(s, "dtype", None)
        if dtype is None:
            return None
        chosen = dispatch.function_of(dtype, "observe")

        def call(s: Any, viewer: Any, out: Any) -> None:
            chosen(s, viewer, out)

        return call


@compiled
def write_mask(s: Any, viewer: int, from_rules: Numbers, numbers: Numbers, mask: Mask) -> int:
    """A flag for each action that the viewer may choose now, by the viewer's own numbers; says how many they are."""
    mask[:] = 0
    if s.to_act < 0 or s.to_act != viewer:
        return 0
    n = legal(s, numbers)
    for i in range(n):
        mask[from_rules[viewer, numbers[i]]] = 1
    return n


@compiled
def encode(
    states: States, index: int, viewer: int, from_rules: Numbers, numbers: Numbers, mask: Mask, out: Bytes
) -> None:
    """The observation and the action mask of one seat of one game."""
    s = states[index]
    observe(s, viewer, out)
    write_mask(s, viewer, from_rules, numbers, mask)


@compiled
def play_and_encode(
    states: States,
    index: int,
    action: int,
    to_rules: Numbers,
    from_rules: Numbers,
    numbers: Numbers,
    mask: Mask,
    out: Bytes,
) -> bool:
    """Play an action of the seat to act and encode for whoever is asked next; False and no change if it is illegal."""
    s = states[index]
    if action < 0 or action >= to_rules.shape[1]:
        return False
    number = to_rules[s.to_act, action]
    n = legal(s, numbers)
    at = 0
    while at < n and numbers[at] != number:
        at += 1
    if at == n:
        return False
    s.n_events = 0
    apply(s, number)
    if s.to_act >= 0:
        observe(s, s.to_act, out)
        write_mask(s, s.to_act, from_rules, numbers, mask)
    return True


@compiled
def utility(winners: int, seat: int, is_team_game: bool) -> float:
    """From -1 (lost) to 1 (won). Several winners share one win, but a team has won as a whole; no winner is 0."""
    if winners == 0:
        return 0.0
    if winners >> seat & 1 == 0:
        return -1.0
    if is_team_game:
        return 1.0
    sharing = 0
    while winners > 0:
        sharing += winners & 1
        winners >>= 1
    return 2.0 / sharing - 1.0
