"""The compiled step of many games at once: the learner's action, those of the other seats, the end, the next deal.

A learner sits at `seats[i]` in game i, or everywhere (`EVERYWHERE`: self-play, one decision of any seat a step). Each
index of the batch has a random stream for each game, so what happens at an index depends only on the seed, on the index
and on its own actions.

Who plays the other seats is drawn for each game from the `Cast`. They choose at random, or by a bot's heuristic in a
new world for each choice that is possible for their seat, as at a table; or the step stops there, and the caller
decides for them (searches and policies of the user).
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
# What a step does with each game: deal the first one, play the learner's action, or go on where a game waits.
BEGIN, STEP, GO_ON = 0, 1, 2
# Who plays a seat: a row of the weights (from 0 on), a random player, or one that the caller asks (OUTSIDE and below).
RANDOM, OUTSIDE = -1, -2
# Why the other seats have stopped playing: the learner or an outside player must decide, or the game is over.
_ASKED, _WAITING, _OVER = 0, 1, 2
CASTING = 0x5EA7  # so that the draws of players are a stream of their own, and deals do not depend on who plays
SEEDS = 1 << 30
Actions = NDArray[np.int64]
Reals = NDArray[np.float64]
Weights = Reals | None


class Cast(NamedTuple):
    """Who may play the other seats: for each, clockwise from the learner, the possible players, and up to which number
    from 0 to 1 each is drawn. With `is_together` one number is drawn for all seats of a game."""

    members: Numbers
    bounds: Reals
    is_together: bool


class Batch(NamedTuple):
    """The arrays of many games, a row for each."""

    states: States
    seats: Numbers  # the learner's seat
    players: Numbers  # who plays each seat
    is_fresh: NDArray[np.bool_]  # whether the learner has not decided anything in this game
    is_waiting: NDArray[np.bool_]  # whether an outside player must decide
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
    cast: Cast,
    actions: Actions,
    mode: int,
    seed: int,
    takes_turns: bool,
    weights: Weights,
) -> int:
    """One step of every game, or the first deal of all games. One entry point for both, to compile the rules once.

    The actions must be legal, and numbered from the acting seats. Returns how many games wait for an outside player:
    then `observations` and `masks` are those of the seat to act there, and the caller goes on with its action.
    """
    # Passing the whole batch at every decision is slow, so the inner functions get only what they need.
    from_rules, numbers, worlds, scores = batch.from_rules, batch.numbers, batch.worlds, batch.scores
    players = batch.players
    waiting = 0
    for i in range(len(batch.states)):
        if mode == GO_ON and not batch.is_waiting[i]:
            continue
        s = batch.states[i]
        learner = batch.seats[i]
        actor = learner
        stopped = _OVER
        if mode == BEGIN:
            batch.games[i] = 0
        else:
            if mode == STEP:
                batch.is_fresh[i] = False
                batch.is_over[i] = False
                batch.rewards[i] = 0.0
                actor = s.to_act
            s.n_events = 0
            apply(s, batch.to_rules[s.to_act, actions[i]] + 0)
            if learner != EVERYWHERE:  # self-play is faster without this call
                stopped = _until_asked(s, i, learner, players, numbers, weights, worlds, scores)
            elif s.to_act >= 0:
                stopped = _ASKED
            if stopped == _OVER and not batch.is_fresh[i]:
                batch.is_over[i] = True
                batch.rewards[i] = payoff(s, actor)
                for seat in range(s.players):
                    batch.returns[i, seat] = payoff(s, seat)
                observe(s, actor, batch.last_observations[i])
        if stopped == _OVER:
            stopped = _next_game(batch, cast, i, seed, takes_turns, weights)
        if learner != EVERYWHERE:
            batch.is_waiting[i] = stopped == _WAITING
            waiting += stopped == _WAITING
        observe(s, s.to_act, batch.observations[i])
        write_mask(s, s.to_act, from_rules, numbers, batch.masks[i])
    return waiting


@compiled
def _next_game(batch: Batch, cast: Cast, i: int, seed: int, takes_turns: bool, weights: Weights) -> int:
    """Deal, and draw who plays, up to the first decision of the learner or of an outside player. A game that ends
    before the learner's first decision is dealt again."""
    s = batch.states[i]
    stopped = _OVER
    while stopped == _OVER:
        stream = i + len(batch.states) * batch.games[i]
        if takes_turns:
            batch.seats[i] = (i + batch.games[i]) % batch.options[0]
        if batch.seats[i] != EVERYWHERE:
            _draw_players(cast, batch.worlds[0], seed, stream, i, batch.seats[i], batch.players)
        batch.games[i] += 1
        batch.is_fresh[i] = True
        use_cheap(s, seed, stream)
        s.n_events = 0
        setup(s, batch.options, batch.arranged, batch.n_arranged)
        stopped = _until_asked(s, i, batch.seats[i], batch.players, batch.numbers, weights, batch.worlds, batch.scores)
    return stopped


@compiled
def _draw_players(cast: Cast, scratch: Any, seed: int, stream: int, i: int, learner: int, players: Numbers) -> None:
    use_cheap(scratch, seed ^ CASTING, stream)
    drawn, seats, last = 0.0, len(cast.members) + 1, cast.members.shape[1] - 1
    for distance in range(1, seats):
        if last > 0 and (distance == 1 or not cast.is_together):
            drawn = draw(scratch, SEEDS) / SEEDS
        member = 0
        while member < last and drawn >= cast.bounds[distance - 1, member]:
            member += 1
        players[i, (learner + distance) % seats] = cast.members[distance - 1, member]


@compiled
def _until_asked(
    s: Any, i: int, learner: int, players: Numbers, numbers: Numbers, weights: Weights, worlds: States, scores: Reals
) -> int:
    """Play the other seats until the learner or an outside player must decide, or the game is over."""
    while learner != EVERYWHERE and s.to_act >= 0 and s.to_act != learner:
        player = players[i, s.to_act]
        if player <= OUTSIDE:
            return _WAITING
        n = legal(s, numbers)
        if weights is None or player == RANDOM:
            action = numbers[draw(s, n)]
        else:
            action = _heuristic_choice(s, weights[player], numbers, n, worlds, scores)
        s.n_events = 0
        apply(s, action)
    return _ASKED if s.to_act >= 0 else _OVER


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
        players=np.full((count, setting.players), RANDOM, dtype=np.int32),
        is_fresh=np.ones(count, dtype=np.bool_),
        is_waiting=np.zeros(count, dtype=np.bool_),
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


def random_cast(players: int) -> Cast:
    """Random players at all other seats."""
    return Cast(np.full((players - 1, 1), RANDOM, np.int32), np.ones((players - 1, 1)), False)


def _sample_step(game: Game, weights: Weights) -> Arguments | None:
    if part_of(game.name, "encoding") is None:
        return None
    batch = new_batch(Setting(game.name, game.players[0], knowledge=False), 1)
    return batch, random_cast(game.players[0]), np.zeros(1, np.int64), BEGIN, 0, False, weights


declare("research", step, lambda game: _sample_step(game, None))
declare(
    "research",
    step,
    lambda game: _sample_step(game, policy_of(game.name).weights_of("medium")[np.newaxis]),
    symbol="step_by_weights",
)
# These two take no record, so any game's library serves every game: the masks may be of any size.
NO_MASKS = np.zeros((0, 0), np.int8)
declare("research", first_illegal, lambda game: (np.zeros(0, np.int64), NO_MASKS))
declare("research", sample, lambda game: (NO_MASKS, np.zeros(1, np.uint64), np.zeros(0, np.int64)))
