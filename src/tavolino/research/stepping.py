"""The compiled step of many games at once: the learner's action, those of the other seats, the end, the next deal.

A learner sits at `seats[i]` in game i, or everywhere (`EVERYWHERE`: self-play, one decision of any seat a step). Each
index of the batch has a random stream for each game, so what happens at an index depends only on the seed, on the index
and on its own actions.

The other seats choose at random (`weights` is None), or by a bot's heuristic, in a new world for each choice that is
possible for their seat, as at a table.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.heuristic import choose
from tavolino.bots.policies import policy_of
from tavolino.engine.chance import draw, use_cheap
from tavolino.engine.compiled import compiled, entry
from tavolino.engine.dispatch import apply, conceal, legal, settle, setup
from tavolino.engine.entry_points import Arguments, declare
from tavolino.engine.game import Game
from tavolino.engine.observation import observe
from tavolino.engine.payoffs import payoff
from tavolino.engine.record import Numbers, States
from tavolino.games import part_of
from tavolino.research.observing import Bytes, Mask, write_mask
from tavolino.research.table import Setting

EVERYWHERE = -1
SEEDS = 1 << 30
Actions = NDArray[np.int64]
Reals = NDArray[np.float64]
Weights = Reals | None


class Batch(NamedTuple):
    """The arrays of many games, a row for each."""

    states: States
    seats: Numbers  # the learner's seat
    games: NDArray[np.int64]  # how many have been dealt
    # How they are dealt, and how actions are numbered.
    options: Numbers
    arranged: Numbers
    n_arranged: Numbers
    to_rules: Numbers
    from_rules: Numbers
    # Scratch memory, for one game at a time.
    numbers: Numbers
    worlds: States
    scores: Reals
    # What the learner gets.
    observations: Bytes
    masks: Mask
    rewards: Reals
    is_over: NDArray[np.bool_]
    last_observations: Bytes
    returns: Reals


@entry
def step(
    batch: Batch,
    actions: Actions,
    is_beginning: bool,
    seed: int,
    takes_turns: bool,
    weights: Weights,
) -> None:
    """One step of every game, or the first deal of all games. One entry point for both, to compile the rules once.

    The actions must be legal, and numbered from the acting seats.
    """
    # Passing the whole batch at every decision is slow, so the inner functions get only what they need.
    from_rules, numbers, worlds, scores = batch.from_rules, batch.numbers, batch.worlds, batch.scores
    for i in range(len(batch.states)):
        s = batch.states[i]
        is_over = is_beginning
        if is_beginning:
            batch.games[i] = 0
        else:
            actor = s.to_act
            s.n_events = 0
            apply(s, batch.to_rules[actor, actions[i]] + 0)
            is_over = not _until_asked(s, batch.seats[i], numbers, weights, worlds, scores)
            batch.is_over[i] = is_over
            batch.rewards[i] = 0.0
            if is_over:
                batch.rewards[i] = payoff(s, actor)
                for seat in range(s.players):
                    batch.returns[i, seat] = payoff(s, seat)
                observe(s, actor, batch.last_observations[i])
        if is_over:
            _next_game(batch, i, seed, takes_turns, weights)
        observe(s, s.to_act, batch.observations[i])
        write_mask(s, s.to_act, from_rules, numbers, batch.masks[i])


@compiled
def _next_game(batch: Batch, i: int, seed: int, takes_turns: bool, weights: Weights) -> None:
    """Deal, up to the learner's first decision. A game that ends before it is dealt again."""
    s = batch.states[i]
    is_asked = False
    while not is_asked:
        use_cheap(s, seed, i + len(batch.states) * batch.games[i])
        if takes_turns:
            batch.seats[i] = (i + batch.games[i]) % batch.options[0]
        batch.games[i] += 1
        s.n_events = 0
        setup(s, batch.options, batch.arranged, batch.n_arranged)
        is_asked = _until_asked(s, batch.seats[i], batch.numbers, weights, batch.worlds, batch.scores)


@compiled
def _until_asked(s: Any, learner: int, numbers: Numbers, weights: Weights, worlds: States, scores: Reals) -> bool:
    """Play the other seats until the learner must decide; False if the game ends before that."""
    while learner != EVERYWHERE and s.to_act >= 0 and s.to_act != learner:
        n = legal(s, numbers)
        if weights is None:
            action = numbers[draw(s, n)]
        else:
            action = _heuristic_choice(s, weights, numbers, n, worlds, scores)
        s.n_events = 0
        apply(s, action)
    return s.to_act >= 0


@compiled
def _heuristic_choice(s: Any, weights: Reals, numbers: Numbers, n: int, worlds: States, scores: Reals) -> int:
    """The choice of a bot at the seat to act, from what that seat can know."""
    own_chance = draw(s, SEEDS)
    settle(s)  # compute lazy fields once here, instead of in every copy
    worlds[0] = s
    world = worlds[0]
    use_cheap(world, own_chance, 0)
    conceal(world, s.to_act)
    return choose(world, weights, numbers, n, scores)


@entry
def first_illegal(actions: Actions, masks: Mask) -> int:
    """The first game whose action is not legal, or -1."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
            return i
    return -1


@entry
def sample(masks: Mask, generator: NDArray[np.uint64], actions: Actions) -> None:
    """A legal action for every game, uniformly: actions are drawn until one is legal.

    That is fast enough for a uniform policy. Every game must have a legal action.
    """
    x = generator[0]
    count = masks.shape[1]
    for i in range(len(masks)):
        is_legal = False
        while not is_legal:
            x ^= x << np.uint64(13)
            x ^= x >> np.uint64(7)
            x ^= x << np.uint64(17)
            action = (np.int64(x >> np.uint64(32)) * count) >> 32
            is_legal = masks[i, action] == 1
            actions[i] = action
    generator[0] = x


def new_batch(setting: Setting, count: int) -> Batch:
    """Room for so many games."""
    new_states, size = setting.game.new_states, setting.size
    return Batch(
        states=new_states(count),
        seats=np.zeros(count, dtype=np.int32),
        games=np.zeros(count, dtype=np.int64),
        options=setting.option_numbers,
        arranged=setting.arranged,
        n_arranged=setting.n_arranged,
        to_rules=setting.to_rules,
        from_rules=setting.from_rules,
        numbers=setting.numbers,
        worlds=new_states(1),
        scores=np.zeros(setting.action_count),
        observations=np.zeros((count, size), dtype=np.uint8),
        masks=np.zeros((count, setting.action_count), dtype=np.int8),
        rewards=np.zeros(count),
        is_over=np.zeros(count, dtype=np.bool_),
        last_observations=np.zeros((count, size), dtype=np.uint8),
        returns=np.zeros((count, setting.players)),
    )


def _sample_step(game: Game, weights: Weights) -> Arguments | None:
    if part_of(game.name, "encoding") is None:
        return None
    batch = new_batch(Setting(game.name, game.players[0], knowledge=False), 1)
    return batch, np.zeros(1, np.int64), False, 0, False, weights


declare("research", step, lambda game: _sample_step(game, None))
declare(
    "research",
    step,
    lambda game: _sample_step(game, policy_of(game.name).weights_of("medium")),
    symbol="step_by_weights",
)
# These two take no record, so any game's library serves every game: the masks may be of any size.
NO_MASKS = np.zeros((0, 0), np.int8)
declare("research", first_illegal, lambda game: (np.zeros(0, np.int64), NO_MASKS))
declare("research", sample, lambda game: (NO_MASKS, np.zeros(1, np.uint64), np.zeros(0, np.int64)))
