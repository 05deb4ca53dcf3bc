"""Whole games between players of given levels, wholly compiled.

Every player looks through the same door as at a table: for each decision a world is drawn that its seat takes for
possible, and only that world is weighed or searched.
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.choice import Numbers, Reals, choose
from tavolino.bots.search import States, grow, most_visited
from tavolino.bots.tree import Edges, Nodes, Used
from tavolino.engine.chance import draw, use_cheap
from tavolino.engine.compiled import compiled
from tavolino.engine.dispatch import apply, legal, resample, setup

# How a seat decides: a row of the players' table holds one of these, then its iterations.
AT_RANDOM, BY_HABIT, BY_SEARCH = 0, 1, 2
KIND, ITERATIONS = 0, 1
# What a row of outcomes holds.
WINNERS, REASON, DECISIONS = 0, 1, 2


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
    search_habits: Reals,
    seed: int,
    arranged: Numbers,
    n_arranged: Numbers,
    nodes: Nodes,
    edges: Edges,
    used: Used,
    actions: Numbers,
    scores: Reals,
    places: Numbers,
    outcomes: Numbers,
) -> int:
    """Play one game for each deal; says how many decisions they took.

    `options` has a row for each game, and `seating[game, seat]` says which row of `players` (and of `habits` and
    `settings`) sits there. The deal comes from its own stream; what players draw for themselves never touches it,
    so the same deal with other players is the same deal.
    """
    s = states[0]
    total = 0
    for game in range(len(deals)):
        use_cheap(s, seed, deals[game])
        s.quiet, s.n_events = 0, 0
        setup(s, options[game], arranged, n_arranged)
        taken = 0
        while s.to_act >= 0:
            seat = s.to_act
            who = seating[game, seat]
            n = legal(s, actions)
            action = actions[0]
            if n > 1:
                worlds[1] = states[0]
                mind = worlds[1]
                use_cheap(mind, seed + 1 + deals[game], taken)
                if players[who, KIND] == AT_RANDOM:
                    action = actions[draw(mind, n)]
                else:
                    resample(mind, seat)
                    if players[who, KIND] == BY_HABIT:
                        action = choose(mind, habits[who], actions, n, scores)
                    else:
                        grow(
                            worlds,
                            1,
                            worlds,
                            seat,
                            draw(mind, 1 << 30),
                            0,
                            players[who, ITERATIONS],
                            settings[who],
                            search_habits[who],
                            nodes,
                            edges,
                            used,
                            actions,
                            scores,
                            places,
                        )
                        action = edges[most_visited(nodes, edges)].action
            s.n_events = 0
            apply(s, action)
            taken += 1
        outcomes[game, WINNERS], outcomes[game, REASON], outcomes[game, DECISIONS] = (
            s.winners,
            s.reason,
            taken,
        )
        total += taken
    return total
