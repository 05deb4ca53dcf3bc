"""Games for training: positions as a net sees them, and how the games ended.

Some choices are random, so that positions are seen that good players avoid. As in a contest, the caller searches.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.policies import policy_of
from tavolino.bots.search import rewards
from tavolino.bots.whole_games import NOT_YET, PLACE, begin, choose_unseen, copy_world
from tavolino.engine.chance import draw
from tavolino.engine.compiled import entry, int64
from tavolino.engine.dispatch import apply, legal, resample, settle
from tavolino.engine.entry_points import Arguments, declare, sample_actions, sample_deal, sample_scores
from tavolino.engine.game import Game
from tavolino.engine.net import MAX_SEATS, Floats, features
from tavolino.engine.policy import THOUSAND, Reals
from tavolino.engine.record import Numbers, States

CURSOR = np.dtype(
    [
        *PLACE,
        ("rows", np.int64),  # positions that are kept
        ("begun", np.int64),  # the first row of this game
        ("is_kept", np.int64),  # whether the position that must be searched is in the last row
    ],
    align=True,
)
UNSEARCHED = np.float32(-1.0)


@entry
def play_for_training(
    states: States,
    worlds: States,
    options: Numbers,
    arranged: Numbers,
    n_arranged: Numbers,
    teams: Numbers,
    weights: Reals,
    seed: int,
    end: int,
    is_searching: bool,
    random_thousandths: int,
    kept_thousandths: int,
    actions: Numbers,
    scores: Reals,
    inputs: Floats,
    shares: Floats,
    expected: Floats,
    cursors: np.ndarray[Any, Any],
) -> bool:
    """Play the games up to number `end`. Returns True when all are played, False when the caller must search.

    `inputs` and `shares` get a row for each position that is kept: every seat's features and its share of the win.
    When the caller must search, worlds[0] is the world to search from; the action goes into the cursor, and what the
    search expects for every seat into the last row of `expected` if this position is kept. Elsewhere it is UNSEARCHED.
    """
    s, world, cursor = states[0], worlds[0], cursors[0]
    won = np.empty(MAX_SEATS)
    while cursor.game < end:
        # A game is begun once: its first decision may be one that the caller has searched.
        if cursor.decisions == 0 and cursor.searched == NOT_YET:
            begin(s, seed, cursor.game, options, arranged, n_arranged)
            cursor.begun = cursor.rows
        while s.to_act >= 0:
            n = legal(s, actions)
            action = int64(actions[0])
            if cursor.searched != NOT_YET:
                action = int64(cursor.searched)
                cursor.searched = NOT_YET
            elif n > 1:
                settle(s)
                copy_world(states, worlds, seed + cursor.game, cursor.decisions)
                cursor.is_kept = 0
                if draw(world, THOUSAND) < kept_thousandths and cursor.rows < len(inputs):
                    features(s, inputs[cursor.rows])
                    for seat in range(s.players):
                        expected[cursor.rows, seat] = UNSEARCHED
                    cursor.rows += 1
                    cursor.is_kept = 1
                if draw(world, THOUSAND) < random_thousandths:
                    action = int64(actions[draw(world, n)])
                elif is_searching:
                    resample(world, int64(s.to_act))
                    return False
                else:
                    action = choose_unseen(world, int64(s.to_act), weights, actions, n, scores)
            cursor.decisions += 1
            s.n_events = 0
            apply(s, action)
        rewards(s, teams, won)
        for row in range(cursor.begun, cursor.rows):
            for seat in range(s.players):
                shares[row, seat] = won[seat]
        cursor.game += 1
        cursor.decisions = 0
    return True


def _sample_training(game: Game) -> Arguments | None:
    policy = policy_of(game.name)
    if policy.net is None:
        return None
    seats = game.players[0]
    return (
        *(game.new_states(), game.new_states(), *sample_deal(game), np.zeros(seats, np.int32)),
        *(policy.weights_of("medium"), 0, 0, False, 0, 0, sample_actions(game), sample_scores(game)),
        np.zeros((0, seats, policy.net.inputs), np.float32),
        *(np.zeros((0, seats), np.float32), np.zeros((0, seats), np.float32)),
        np.zeros(1, CURSOR),
    )


declare("training", play_for_training, _sample_training)


class Positions(NamedTuple):
    """Positions of games, each with all seats."""

    inputs: NDArray[np.float16]
    shares: Floats  # of the win
    expected: Floats  # ... by the search at this position, or UNSEARCHED
