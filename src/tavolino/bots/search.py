"""Information-set Monte Carlo tree search, for every game, wholly compiled.

Each iteration draws a new world that the searching seat takes for possible, walks down the tree by upper confidence
bounds (an action counts as available only in worlds where it is legal), adds one edge, plays on by habit or at
random, and hands each team its reward (max-n: everybody maximises their own). No iteration sees the true world: the
search is given a resampled one, and every world is drawn anew from that. Where all actions of the root are to meet the
same worlds, `roots.py` takes the first step.

After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012).
"""

from math import log, sqrt
from typing import Any

import numpy as np

from tavolino.bots.choice import Numbers, Reals, choose, wide
from tavolino.bots.dispatch import sight, team, worth
from tavolino.bots.roots import compare, error_of_lead, foremost, mean_lead, whose_turn
from tavolino.bots.tree import (
    FAVOURITE,
    NONE,
    SETTLED,
    WORLD,
    Edges,
    Nodes,
    Used,
    add_edge,
    add_node,
    clear,
    node_behind,
    untried,
)
from tavolino.engine.chance import draw, use_cheap
from tavolino.engine.compiled import compiled, entry
from tavolino.engine.dispatch import apply, legal, resample
from tavolino.engine.record import State

States = np.ndarray[Any, Any]

# Places in the array of settings: see `Settings` in settings.py.
EXPLORATION, DEPTH, WIDENING, PLAYOUT, AT_RANDOM, SEES, INFORMED, RIVALS, SHARED = range(9)
DEEPEST = 64
PERCENT = 100
MOST_SEATS = 8


@entry
def grow(
    roots: States,
    index: int,
    worlds: States,
    seat: int,
    seed: int,
    first: int,
    iterations: int,
    settings: Reals,
    habits: Reals,
    nodes: Nodes,
    edges: Edges,
    used: Used,
    actions: Numbers,
    scores: Reals,
    places: Numbers,
) -> int:
    """Run so many iterations from the root, which is a world that the seat takes for possible; how many were run.

    Every world has a stream of its own, so that chunks of any size give the same tree. The way down and the playout are
    one function on purpose: whatever contains the rules is compiled together with them, and that takes seconds each
    time.
    """
    if first == 0:
        clear(used)
        add_node(nodes, used, 0)
    path, actors = np.empty(DEEPEST, np.int32), np.empty(DEEPEST, np.int32)
    values = np.empty(MOST_SEATS)
    is_shared = settings[SHARED] > 0.0
    for iteration in range(first, first + iterations):
        if used[SETTLED]:
            return iteration - first
        worlds[0] = roots[index]
        s = worlds[0]
        use_cheap(s, seed, used[WORLD] if is_shared else iteration)
        resample(s, seat)
        parent, length, decisions, played, width = wide(NONE), 0, 0, 0, 0
        is_in_tree = True
        while s.to_act >= 0:
            s.quiet = 0 if decisions < settings[INFORMED] else 1
            decisions += 1
            n = legal(s, actions)
            action = wide(actions[0])
            is_searched = s.to_act == seat or settings[RIVALS] > 0.0
            edge = wide(NONE)
            # Below the root, forced moves take no room in the tree.
            if is_in_tree and is_searched and (n > 1 or length == 0):
                node = wide(0)
                if parent != NONE:
                    node = wide(node_behind(nodes, edges, used, parent, sight(s, seat) if settings[SEES] > 0.0 else 0))
                if is_shared and length == 0:
                    width = n
                    edge = wide(whose_turn(s, habits, nodes, edges, used, actions, n, scores))
                elif node != NONE:
                    edge = _select(s, settings, habits, nodes, edges, used, node, actions, n, scores, places)
                is_in_tree = edge != NONE
            if edge != NONE:
                path[length], actors[length] = edge, s.to_act
                length += 1
                action = wide(edges[edge].action)
                is_in_tree = edges[edge].visits > 0 and length < settings[DEPTH]  # else the playout begins
                parent = edge
            else:
                if not is_in_tree:
                    played += 1
                    if played > settings[PLAYOUT]:
                        break
                action = _choose_in_playout(s, settings, habits, actions, n, scores)
            s.n_events = 0
            apply(s, action)
        if s.to_act >= 0:
            worth(s, values)
        else:
            rewards(s, values)
        for step in range(length):
            reward = values[actors[step]]
            edges[path[step]].visits += 1
            edges[path[step]].value += reward
            edges[path[step]].squares += reward * reward
        if is_shared and length > 0:
            compare(nodes, edges, used, wide(path[0]), values[seat], width)
    return iterations


@compiled
def _choose_in_playout(s: State, settings: Reals, habits: Reals, actions: Numbers, n: int, scores: Reals) -> int:
    if settings[AT_RANDOM] > 0.0 and draw(s, PERCENT) < settings[AT_RANDOM]:
        return wide(actions[draw(s, n)])
    return wide(choose(s, habits, actions, n, scores))


@compiled
def _select(
    s: State,
    settings: Reals,
    habits: Reals,
    nodes: Nodes,
    edges: Edges,
    used: Used,
    node: int,
    actions: Numbers,
    n: int,
    scores: Reals,
    places: Numbers,
) -> int:
    """An edge for the best-looking action not tried yet, if the node may widen; else the highest bound."""
    nodes[node].visits += 1
    for i in range(n):
        places[actions[i]] = i + 1
    best, best_bound, tried = wide(NONE), -1.0, 0
    edge = wide(nodes[node].first_edge)
    while edge != NONE:
        if places[edges[edge].action] > 0:
            places[edges[edge].action] = 0
            tried += 1
            edges[edge].available += 1
            visits = edges[edge].visits
            bound = edges[edge].value / visits + settings[EXPLORATION] * sqrt(
                log(np.float64(edges[edge].available)) / visits
            )
            if bound > best_bound:
                best, best_bound = edge, bound
        edge = wide(edges[edge].next_edge)
    if tried < n and tried < 1.0 + settings[WIDENING] * sqrt(np.float64(nodes[node].visits)):
        added = add_edge(nodes, edges, used, node, untried(s, habits, nodes, edges, node, actions, n, scores))
        if added != NONE:
            best = added
    for i in range(n):
        places[actions[i]] = 0
    return best


@compiled
def rewards(s: State, values: Reals) -> None:
    """One win, shared evenly by the teams that have won; every player of a team gets its whole share."""
    teams = 0
    for seat in range(s.players):
        if s.winners >> seat & 1:
            teams |= 1 << team(s, seat)
    count = 0
    for number in range(MOST_SEATS):
        count += teams >> number & 1
    for seat in range(s.players):
        values[seat] = 1.0 / count if teams >> team(s, seat) & 1 else 0.0


@entry
def settle(nodes: Nodes, edges: Edges, used: Used, doubt: float) -> int:
    """The edge of the root that the search decides for.

    It is the one walked most often (where actions share their worlds: the one with the largest lead), unless it is
    better than the habit's favourite by less than `doubt` standard errors: then the favourite stands. A short search
    is never worse than the habit for noise.
    """
    if used[WORLD] > 0:
        best = foremost(nodes, edges)
        return best if mean_lead(edges, best) > doubt * error_of_lead(edges, best) else FAVOURITE
    best = wide(FAVOURITE)
    edge = wide(nodes[0].first_edge)
    while edge != NONE:
        if edges[edge].visits > edges[best].visits:
            best = edge
        edge = wide(edges[edge].next_edge)
    lead = edges[best].value / edges[best].visits - edges[FAVOURITE].value / edges[FAVOURITE].visits
    error = sqrt(_variance(edges, best) + _variance(edges, FAVOURITE))
    return best if lead > doubt * error else FAVOURITE


@compiled
def _variance(edges: Edges, edge: int) -> float:
    """The square of the standard error of an edge's mean reward."""
    visits = edges[edge].visits
    mean = edges[edge].value / visits
    return max(edges[edge].squares / visits - mean * mean, 0.0) / visits
