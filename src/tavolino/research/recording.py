"""The compiled loop that plays whole games and writes down every decision: for datasets.

Games are dealt from a key each, as at a table, so `Game.start` with the same seed deals the same cards. Random players
and heuristics choose here, from random numbers of their own; for all others the loop stops, and the caller decides.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.heuristic import choose
from tavolino.bots.policies import policy_of
from tavolino.engine.chance import draw, rekey, use_cheap
from tavolino.engine.compiled import compiled, entry, int64
from tavolino.engine.dispatch import apply, conceal, legal, settle, setup
from tavolino.engine.entry_points import Arguments, declare, sample_actions, sample_deal, sample_key, sample_scores
from tavolino.engine.game import Game
from tavolino.engine.observation import observe
from tavolino.engine.payoffs import payoff
from tavolino.engine.policy import Reals
from tavolino.engine.record import Numbers, States
from tavolino.games import part_of
from tavolino.research.encodings import encoding_of
from tavolino.research.observing import Bytes, Mask, write_mask

RANDOM, HEURISTIC, OUTSIDE = 0, 1, 2  # who chooses
NOT_YET = -1
CURSOR = np.dtype(
    [
        ("game", np.int64),  # of this call
        ("decisions", np.int64),  # that this game has taken
        ("rows", np.int64),  # that are written
        ("begun", np.int64),  # the first row of this game
        ("chosen", np.int64),  # the action of an outside player, by the rules' number, or NOT_YET
    ],
    align=True,
)


class Rows(NamedTuple):
    """A row for each decision."""

    games: NDArray[np.int64]
    turns: Numbers  # the number of the decision in its game
    seats: Numbers
    observations: Bytes
    masks: Mask
    actions: Numbers  # by the seat's own numbers
    choices: Numbers  # the same by the rules' numbers
    returns: Reals  # what the seat got at the end


@entry
def record_games(
    states: States,
    worlds: States,
    first: int,
    keys: NDArray[np.int64],
    options: Numbers,
    seating: Numbers,
    players: Numbers,
    weights: Reals,
    seeds: NDArray[np.int64],
    is_quiet: bool,
    arranged: Numbers,
    n_arranged: Numbers,
    from_rules: Numbers,
    numbers: Numbers,
    scores: Reals,
    rows: Rows,
    cursors: np.ndarray[Any, Any],
) -> bool:
    """Play a game for each row of `keys`, numbered from `first`. False: the caller must choose, and call again.

    `seating[game, seat]` is the row of `players` and `weights` in that seat, `options` has a row for each game, and
    `seeds` a seed for the choices in it.
    """
    s, cursor = states[0], cursors[0]
    while cursor.game < len(keys):
        game = cursor.game
        if cursor.decisions == 0:
            s.quiet, s.n_events = is_quiet, 0
            rekey(s, keys[game])
            setup(s, options[game], arranged, n_arranged)
            cursor.begun = cursor.rows
        while s.to_act >= 0:
            seat, who = int64(s.to_act), seating[game, s.to_act]
            n = legal(s, numbers)
            action = int64(numbers[0])
            if cursor.chosen != NOT_YET:
                action = int64(cursor.chosen)
                cursor.chosen = NOT_YET
            elif n > 1:
                if players[who] == OUTSIDE:
                    return False
                action = _choice(
                    s, worlds, seeds[game], cursor.decisions, players[who], weights[who], n, numbers, scores
                )
            row = cursor.rows
            observe(s, seat, rows.observations[row])
            write_mask(s, seat, from_rules, numbers, rows.masks[row])
            rows.games[row], rows.turns[row], rows.seats[row] = first + game, cursor.decisions, seat
            rows.choices[row], rows.actions[row] = action, from_rules[seat, action]
            cursor.rows = row + 1
            cursor.decisions += 1
            s.n_events = 0
            apply(s, action)
        for row in range(cursor.begun, cursor.rows):
            rows.returns[row] = payoff(s, int64(rows.seats[row]))
        cursor.game, cursor.decisions = game + 1, 0
    return True


@compiled
def _choice(
    s: Any,
    worlds: States,
    seed: int,
    decision: int,
    player: int,
    weights: Reals,
    n: int,
    numbers: Numbers,
    scores: Reals,
) -> int:
    """The choice of a random player, or of a heuristic from what its seat can know."""
    if player == HEURISTIC:
        settle(s)  # compute lazy fields once here, instead of in every copy
    worlds[0] = s
    world = worlds[0]
    use_cheap(world, seed, decision)
    if player == RANDOM:
        return int64(numbers[draw(world, n)])
    conceal(world, int64(s.to_act))
    return int64(choose(world, weights, numbers, n, scores))


def new_rows(count: int, size: int, actions: int) -> Rows:
    """Room for so many decisions."""
    return Rows(
        games=np.zeros(count, np.int64),
        turns=np.zeros(count, np.int32),
        seats=np.zeros(count, np.int32),
        observations=np.zeros((count, size), np.uint8),
        masks=np.zeros((count, actions), np.int8),
        actions=np.zeros(count, np.int32),
        choices=np.zeros(count, np.int32),
        returns=np.zeros(count),
    )


def _sample_recording(game: Game) -> Arguments | None:
    if part_of(game.name, "encoding") is None:
        return None
    encoding, players = encoding_of(game.name), game.players[0]
    options, arranged, n_arranged = sample_deal(game)
    return (
        *(game.new_states(), game.new_states(), 0, sample_key()[np.newaxis], options[np.newaxis]),
        *(
            np.zeros((1, players), np.int32),
            np.zeros(1, np.int32),
            policy_of(game.name).weights_of("medium")[np.newaxis],
        ),
        *(np.zeros(1, np.int64), False, arranged, n_arranged, encoding.turned(players)[1]),
        *(sample_actions(game), sample_scores(game), new_rows(1, encoding.open_size, encoding.action_count)),
        np.zeros(1, CURSOR),
    )


declare("research", record_games, _sample_recording)
