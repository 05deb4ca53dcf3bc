"""Whole games between players of given levels, in compiled loops.

Every player looks through the same door as at a table: for each decision a world is drawn that its seat takes for
possible, and only that world is weighed or searched.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.choice import Numbers, Reals, choose, wide
from tavolino.engine.chance import draw, use_cheap
from tavolino.engine.compiled import entry
from tavolino.engine.dispatch import apply, legal, resample, setup

States = np.ndarray[Any, Any]

AT_RANDOM, BY_HABIT, BY_SEARCH = 0, 1, 2  # how a player decides
# What a row of outcomes holds.
WINNERS, REASON, DECISIONS = 0, 1, 2
# What a row of choices holds: how often an action was taken, and how often by somebody who won.
TAKEN, WON = 0, 1
# What a bookmark holds: which game, how many decisions it has taken, and an action that was searched.
GAME, TAKEN_SO_FAR, SEARCHED = 0, 1, 2
NOT_YET = -1


@entry
def contest(
    states: States,
    worlds: States,
    deals: NDArray[np.int64],
    options: Numbers,
    seating: Numbers,
    players: Numbers,
    habits: Reals,
    seed: int,
    arranged: Numbers,
    n_arranged: Numbers,
    actions: Numbers,
    scores: Reals,
    history: Numbers,
    outcomes: Numbers,
    choices: NDArray[np.int64],
    bookmark: NDArray[np.int64],
) -> bool:
    """Play one game for each deal; True when all are played, False when a player must search first.

    `options` has a row for each game, and `seating[game, seat]` says which row of `players` and `habits` sits there.
    The deal comes from a stream of its own, and what players draw for themselves never touches it: the same deal with
    other players is the same deal.

    A search is left to the caller, or this function would have to be compiled with it: the world to be searched is
    then in worlds[0], and the bookmark says where to go on. Put the searched action there, and call again.
    """
    s, mind = states[0], worlds[0]
    while bookmark[GAME] < len(deals):
        game = bookmark[GAME]
        if bookmark[TAKEN_SO_FAR] == 0:
            use_cheap(s, seed, deals[game])
            s.quiet, s.n_events = 0, 0
            setup(s, options[game], arranged, n_arranged)
        while s.to_act >= 0:
            taken = bookmark[TAKEN_SO_FAR]
            seat, who = wide(s.to_act), seating[game, s.to_act]
            n = legal(s, actions)
            action = wide(actions[0])
            if bookmark[SEARCHED] != NOT_YET:
                action = wide(bookmark[SEARCHED])
                bookmark[SEARCHED] = NOT_YET
            elif n > 1:
                worlds[0] = states[0]
                use_cheap(mind, seed + 1 + deals[game], taken)
                if players[who] == AT_RANDOM:
                    action = wide(actions[draw(mind, n)])
                else:
                    resample(mind, seat)
                    if players[who] == BY_SEARCH:
                        return False
                    action = wide(choose(mind, habits[who], actions, n, scores))
            history[taken, 0], history[taken, 1] = seat, action
            bookmark[TAKEN_SO_FAR] = taken + 1
            s.n_events = 0
            apply(s, action)
        taken = bookmark[TAKEN_SO_FAR]
        outcomes[game, WINNERS], outcomes[game, REASON], outcomes[game, DECISIONS] = s.winners, s.reason, taken
        for i in range(taken):
            choices[history[i, 1], TAKEN] += 1
            choices[history[i, 1], WON] += s.winners >> history[i, 0] & 1
        bookmark[GAME], bookmark[TAKEN_SO_FAR] = game + 1, 0
    return True
