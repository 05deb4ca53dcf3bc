"""The compiled step of many games at once: the learner's action, everybody else's, the end, the next deal.

A learner sits at `seats[i]` in game i, or everywhere (`EVERYWHERE`: self-play, one decision of any seat a step). Each
game of each place in the batch has a stream of chance of its own, so what happens in one place depends on the seed,
on the place and on its own actions, and on nothing else.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.chance import draw, use_cheap
from tavolino.engine.compiled import compiled
from tavolino.engine.dispatch import apply, legal, setup
from tavolino.research.observing import Bytes, Mask, Numbers, States, observe, utility, write_mask

EVERYWHERE = -1
Flags = NDArray[np.bool_]
Reals = NDArray[np.float64]


@compiled
def begin(
    states: States,
    seats: Numbers,
    games: NDArray[np.int64],
    seed: int,
    takes_turns: bool,
    options: Numbers,
    arranged: Numbers,
    n_arranged: Numbers,
    from_rules: Numbers,
    numbers: Numbers,
    observations: Bytes,
    masks: Mask,
) -> None:
    """Deal all games anew and play each up to the learner's first decision."""
    for i in range(len(states)):
        games[i] = 0
        _deal(states, i, seats, games, seed, takes_turns, options, arranged, n_arranged)
        _until_asked(states, i, seats, games, seed, takes_turns, options, arranged, n_arranged, numbers)
        _show(states[i], from_rules, numbers, observations[i], masks[i])


@compiled
def step(
    states: States,
    actions: NDArray[np.int64],
    seats: Numbers,
    games: NDArray[np.int64],
    seed: int,
    takes_turns: bool,
    is_team_game: bool,
    options: Numbers,
    arranged: Numbers,
    n_arranged: Numbers,
    to_rules: Numbers,
    from_rules: Numbers,
    numbers: Numbers,
    observations: Bytes,
    masks: Mask,
    rewards: Reals,
    is_over: Flags,
    last_observations: Bytes,
    returns: Reals,
) -> None:
    """One step of every game. `actions` are legal, by the acting seats' own numbers."""
    for i in range(len(states)):
        s = states[i]
        actor = s.to_act
        s.n_events = 0
        apply(s, to_rules[actor, actions[i]])
        while s.to_act >= 0 and seats[i] != EVERYWHERE and s.to_act != seats[i]:
            _other_plays(s, numbers)
        is_over[i] = s.to_act < 0
        rewards[i] = 0.0
        if is_over[i]:
            rewards[i] = utility(s.winners, actor, is_team_game)
            for seat in range(s.players):
                returns[i, seat] = utility(s.winners, seat, is_team_game)
            observe(s, actor, last_observations[i])
            _deal(states, i, seats, games, seed, takes_turns, options, arranged, n_arranged)
            _until_asked(states, i, seats, games, seed, takes_turns, options, arranged, n_arranged, numbers)
        _show(s, from_rules, numbers, observations[i], masks[i])


@compiled
def first_illegal(actions: NDArray[np.int64], masks: Mask) -> int:
    """Which game's action is not legal, or -1."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
            return i
    return -1


@compiled
def sample(masks: Mask, generator: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
    """A legal action for every game, each with the same chance: a uniform policy that costs next to nothing."""
    x = generator[0]
    for i in range(len(masks)):
        n = 0
        for action in range(masks.shape[1]):
            n += masks[i, action]
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
        nth = (np.int64(x >> np.uint64(32)) * n) >> 32
        for action in range(masks.shape[1]):
            if masks[i, action] == 1:
                if nth == 0:
                    actions[i] = action
                    break
                nth -= 1
    generator[0] = x


@compiled
def _deal(
    states: States,
    i: int,
    seats: Numbers,
    games: NDArray[np.int64],
    seed: int,
    takes_turns: bool,
    options: Numbers,
    arranged: Numbers,
    n_arranged: Numbers,
) -> None:
    s = states[i]
    use_cheap(s, seed, i + len(states) * games[i])
    if takes_turns:
        seats[i] = (i + games[i]) % options[0]
    games[i] += 1
    s.n_events = 0
    setup(s, options, arranged, n_arranged)


@compiled
def _until_asked(
    states: States,
    i: int,
    seats: Numbers,
    games: NDArray[np.int64],
    seed: int,
    takes_turns: bool,
    options: Numbers,
    arranged: Numbers,
    n_arranged: Numbers,
    numbers: Numbers,
) -> None:
    """Let the others play to the learner's first decision. A game that ends before it is dealt again."""
    s = states[i]
    while seats[i] != EVERYWHERE and s.to_act != seats[i]:
        if s.to_act < 0:
            _deal(states, i, seats, games, seed, takes_turns, options, arranged, n_arranged)
        else:
            _other_plays(s, numbers)


@compiled
def _other_plays(s: Any, numbers: Numbers) -> None:
    n = legal(s, numbers)
    s.n_events = 0
    apply(s, numbers[draw(s, n)])


@compiled
def _show(s: Any, from_rules: Numbers, numbers: Numbers, observation: Bytes, mask: Mask) -> None:
    observe(s, s.to_act, observation)
    write_mask(s, s.to_act, from_rules, numbers, mask)
