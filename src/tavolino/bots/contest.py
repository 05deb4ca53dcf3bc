"""Whole games between players of given levels, wholly compiled.

Every player looks through the same door as at a table: for each decision a world is drawn that its seat takes for
possible, and only that world is weighed or searched.
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.choice import Numbers, Reals, choose, wide
from tavolino.bots.search import DOUBT, States, grow, settle
from tavolino.bots.tree import Edges, Nodes, Used
from tavolino.engine.chance import draw, use_cheap
from tavolino.engine.compiled import compiled
from tavolino.engine.dispatch import apply, legal, resample, setup

# How a player decides: a row of the players' table holds one of these, and the iterations of a search.
AT_RANDOM, BY_HABIT, BY_SEARCH = 0, 1, 2
KIND, ITERATIONS = 0, 1
# What a row of outcomes holds.
WINNERS, REASON, DECISIONS = 0, 1, 2
# What a row of choices holds: how often an action was taken, and how often by somebody who won.
TAKEN, WON = 0, 1
SECRETS = 1 << 30  # from how many seeds a search draws its own


@compiled
def contest(
    states: States,
    worlds: States,
    deals: NDArray[np.int64],
    options: Numbers,
    seating: Numbers,
    players: Numbers,
    habits: Reals,
    settings: Reals,
    seed: int,
    arranged: Numbers,
    n_arranged: Numbers,
    nodes: Nodes,
    edges: Edges,
    used: Used,
    actions: Numbers,
    scores: Reals,
    places: Numbers,
    history: Numbers,
    outcomes: Numbers,
    choices: NDArray[np.int64],
) -> None:
    """Play one game for each deal.

    `options` has a row for each game, and `seating[game, seat]` says which row of `players`, `habits` and `settings`
    sits there. The deal comes from a stream of its own, and what players draw for themselves never touches it: the
    same deal with other players is the same deal.
    """
    s = states[0]
    for game in range(len(deals)):
        use_cheap(s, seed, deals[game])
        s.quiet, s.n_events = 0, 0
        setup(s, options[game], arranged, n_arranged)
        taken = 0
        while s.to_act >= 0:
            seat, who = wide(s.to_act), seating[game, s.to_act]
            n = legal(s, actions)
            action = wide(actions[0])
            if n > 1:
                worlds[1] = states[0]
                mind = worlds[1]
                use_cheap(mind, seed + 1 + deals[game], taken)
                if players[who, KIND] == AT_RANDOM:
                    action = wide(actions[draw(mind, n)])
                else:
                    resample(mind, seat)
                    if players[who, KIND] == BY_HABIT:
                        action = wide(choose(mind, habits[who], actions, n, scores))
                    else:
                        own_seed, iterations = draw(mind, SECRETS), wide(players[who, ITERATIONS])
                        grow(
                            worlds,
                            1,
                            worlds,
                            seat,
                            own_seed,
                            0,
                            iterations,
                            settings[who],
                            habits[who],
                            nodes,
                            edges,
                            used,
                            actions,
                            scores,
                            places,
                        )
                        action = wide(edges[settle(nodes, edges, settings[who, DOUBT])].action)
            history[taken, 0], history[taken, 1] = seat, action
            s.n_events = 0
            apply(s, action)
            taken += 1
        outcomes[game, WINNERS], outcomes[game, REASON], outcomes[game, DECISIONS] = s.winners, s.reason, taken
        for i in range(taken):
            choices[history[i, 1], TAKEN] += 1
            choices[history[i, 1], WON] += s.winners >> history[i, 0] & 1
