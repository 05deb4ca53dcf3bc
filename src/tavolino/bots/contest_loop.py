"""Whole games between players of given levels, in compiled loops.

Every bot has the same information as at a table: for each decision a world is drawn that is possible for its seat, and
the bot scores or searches only that world.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.policies import policy_of
from tavolino.bots.whole_games import NOT_YET, PLACE, begin, choose_unseen, copy_world
from tavolino.engine.chance import draw
from tavolino.engine.compiled import entry, int64
from tavolino.engine.dispatch import apply, legal, resample, settle
from tavolino.engine.entry_points import Arguments, declare, sample_actions, sample_deal, sample_scores
from tavolino.engine.game import Game
from tavolino.engine.policy import Reals
from tavolino.engine.record import Numbers, States

RANDOM, HEURISTIC, SEARCH = 0, 1, 2  # how a player decides
# The columns of outcomes.
WINNERS, REASON, DECISIONS = 0, 1, 2
# The columns of choices: how often an action was taken, and how often by somebody who won.
TAKEN, WON = 0, 1
CURSOR = np.dtype(PLACE, align=True)


@entry
def play_games(
    states: States,
    worlds: States,
    deals: NDArray[np.int64],
    options: Numbers,
    seating: Numbers,
    players: Numbers,
    weights: Reals,
    seed: int,
    arranged: Numbers,
    n_arranged: Numbers,
    actions: Numbers,
    scores: Reals,
    history: Numbers,
    outcomes: Numbers,
    choices: NDArray[np.int64],
    cursors: np.ndarray[Any, Any],
) -> bool:
    """Play one game for each deal. Returns True when all are played, False when a player must search first.

    `options` has a row for each game, and `seating[game, seat]` is the row of `players` and `weights` in that seat.
    The deal has a random stream of its own, so that it does not depend on the random numbers that the players use.

    The caller does the searching, so that the search is not compiled into this function: worlds[0] is then the world
    to search, and cursors[0] the point where play continues. Store the chosen action there, and call again.
    """
    s, world, cursor = states[0], worlds[0], cursors[0]
    while cursor.game < len(deals):
        game = cursor.game
        if cursor.decisions == 0:
            begin(s, seed, deals[game], options[game], arranged, n_arranged)
        while s.to_act >= 0:
            taken = cursor.decisions
            seat, who = int64(s.to_act), seating[game, s.to_act]
            n = legal(s, actions)
            action = int64(actions[0])
            if cursor.searched != NOT_YET:
                action = int64(cursor.searched)
                cursor.searched = NOT_YET
            elif n > 1:
                if players[who] != RANDOM:
                    settle(s)  # compute lazy fields once here, instead of in every copy
                copy_world(states, worlds, seed + deals[game], taken)
                if players[who] == RANDOM:
                    action = int64(actions[draw(world, n)])
                elif players[who] == SEARCH:
                    resample(world, seat)
                    return False
                else:
                    action = choose_unseen(world, seat, weights[who], actions, n, scores)
            history[taken, 0], history[taken, 1] = seat, action
            cursor.decisions = taken + 1
            s.n_events = 0
            apply(s, action)
        taken = cursor.decisions
        outcomes[game, WINNERS], outcomes[game, REASON], outcomes[game, DECISIONS] = s.winners, s.reason, taken
        for i in range(taken):
            choices[history[i, 1], TAKEN] += 1
            choices[history[i, 1], WON] += s.winners >> history[i, 0] & 1
        cursor.game, cursor.decisions = game + 1, 0
    return True


def _sample_contest(game: Game) -> Arguments:
    options, arranged, n_arranged = sample_deal(game)
    weights = policy_of(game.name).weights_of("medium")
    return (
        *(game.new_states(), game.new_states(), np.zeros(1, np.int64), options[np.newaxis]),
        *(np.zeros((1, game.players[0]), np.int32), np.zeros(1, np.int32), weights[np.newaxis], 0),
        *(arranged, n_arranged, sample_actions(game), sample_scores(game)),
        *(np.zeros((1, 2), np.int32), np.zeros((1, 3), np.int32), np.zeros((game.action_count, 2), np.int64)),
        np.zeros(1, CURSOR),
    )


declare("contests", play_games, _sample_contest)
