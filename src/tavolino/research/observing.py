"""The compiled calls behind observations, action masks and payoffs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled, entry
from tavolino.engine.dispatch import apply, legal
from tavolino.engine.entry_points import Arguments, declare, sample_actions
from tavolino.engine.game import Game
from tavolino.engine.observation import observe
from tavolino.engine.payoffs import payoff
from tavolino.engine.record import Numbers, States
from tavolino.games import part_of
from tavolino.research.encodings import encoding_of

Bytes = NDArray[np.uint8]
Mask = NDArray[np.int8]
Reals = NDArray[np.float64]

ILLEGAL = -2  # the answer to an action that is not legal now: neither a seat nor NOBODY


@compiled
def write_mask(s: Any, viewer: int, from_rules: Numbers, numbers: Numbers, mask: Mask) -> int:
    """Set a flag for each action that the viewer may choose now, by the viewer's own numbers; returns how many."""
    mask[:] = 0
    if s.to_act < 0 or s.to_act != viewer:
        return 0
    n = legal(s, numbers)
    for i in range(n):
        mask[from_rules[viewer, numbers[i]]] = 1
    return n


@entry
def encode(
    states: States, index: int, viewer: int, from_rules: Numbers, numbers: Numbers, mask: Mask, out: Bytes
) -> None:
    """The observation and the action mask of one seat of one game."""
    s = states[index]
    observe(s, viewer, out)
    write_mask(s, viewer, from_rules, numbers, mask)


@entry
def play_and_encode(
    states: States,
    index: int,
    action: int,
    from_rules: Numbers,
    numbers: Numbers,
    mask: Mask,
    out: Bytes,
) -> int:
    """Play an action of the seat to act and encode for the seat that acts next. Returns that seat; NOBODY at the end.

    An action that is not legal changes nothing; the answer is ILLEGAL.
    """
    s = states[index]
    n = legal(s, numbers)
    at = 0
    while at < n and from_rules[s.to_act, numbers[at]] != action:
        at += 1
    if at == n:
        return ILLEGAL
    s.n_events = 0
    apply(s, numbers[at] + 0)
    if s.to_act >= 0:
        observe(s, s.to_act, out)
        write_mask(s, s.to_act, from_rules, numbers, mask)
    return s.to_act + 0


@entry
def payoffs(states: States, index: int, out: Reals) -> None:
    """The payoff of each seat; the game is over."""
    s = states[index]
    for seat in range(s.players):
        out[seat] = payoff(s, seat)


def _sample_observation(game: Game) -> Arguments | None:
    if part_of(game.name, "encoding") is None:
        return None
    encoding = encoding_of(game.name)
    return (
        *(game.new_states(), 0, 0, encoding.turned(game.players[0])[1], sample_actions(game)),
        *(np.zeros(encoding.action_count, np.int8), np.zeros(encoding.open_size, np.uint8)),
    )


declare("research", encode, _sample_observation)
declare("research", play_and_encode, _sample_observation)
declare("research", payoffs, lambda game: (game.new_states(), 0, np.zeros(game.players[0])))
