"""Information-set Monte Carlo tree search, generic and compiled.

Each iteration draws a new world that is possible for the searching seat, descends the tree by upper confidence bounds
(an action counts as available only in worlds where it is legal), adds one edge, plays on by the heuristic or at random,
and adds up each seat's reward (max-n: every seat maximises its own). Rewards are from 0 to 1: wins, or the payoff of a
game that declares one. No iteration uses the true world: the search gets a resampled one, and draws every world from
that. If all actions of the root are tried in the same worlds, `common_worlds.py` selects the edge at the root.

After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012).
"""

from math import sqrt
from typing import Any, NamedTuple, Protocol

import numpy as np

from tavolino.bots.common_worlds import add_reward, best_lead, error_of_lead, mean_lead, next_root_edge
from tavolino.bots.heuristic import choose
from tavolino.bots.policies import policy_of
from tavolino.bots.tree import (
    FAVOURITE,
    NONE,
    Edges,
    Nodes,
    Used,
    add_edge,
    add_node,
    best_untried,
    child,
    clear,
    new_tree,
)
from tavolino.engine.arithmetic import log_of_count
from tavolino.engine.chance import draw, use_cheap
from tavolino.engine.compiled import IS_PLAIN, compiled, entry, int64
from tavolino.engine.dispatch import apply, legal, resample
from tavolino.engine.entry_points import Arguments, declare
from tavolino.engine.game import Game
from tavolino.engine.net import NO_NET, Net, NetRoom, NetShape, evaluate_by_net, new_room
from tavolino.engine.payoffs import payoff
from tavolino.engine.policy import Reals, SearchSettings, evaluate, information_key
from tavolino.engine.record import Int64, Numbers, State, States, fields_of

DEEPEST = 64
PERCENT = 100
MOST_SEATS = 8
WORLDS = 2  # of `Scratch`


class Params(Protocol):
    """The settings that compiled code reads, by their names in `SearchSettings`."""

    exploration: float
    widening: float
    depth: Int64
    playout: Int64
    random_percent: Int64
    by_information: Int64
    informed: Int64
    opponents_search: Int64
    common_worlds: Int64
    lowest_payoff: float
    payoff_range: float  # 0: the search maximises wins
    root_action: Int64  # the only action that is tried at the root, or NONE: all of them


PARAMS = np.dtype(fields_of(Params), align=True)


def params_of(
    settings: SearchSettings, payoffs: tuple[float, float] | None = None, root_action: int = NONE
) -> np.ndarray[Any, Any]:
    """An array with one record of PARAMS.

    `payoffs` are the lowest and the highest payoff of a game that has its own; then the search maximises the payoff.
    With a `root_action`, the search measures what this action is worth.
    """
    if not 1 <= settings.depth <= DEEPEST:
        raise ValueError(f"The depth of a search is 1 to {DEEPEST}, not {settings.depth}.")
    params = np.zeros(1, PARAMS)
    params[0]["root_action"] = root_action
    for name in PARAMS.names or ():
        if hasattr(settings, name):
            params[0][name] = getattr(settings, name)
    if payoffs is not None:
        params[0]["lowest_payoff"], params[0]["payoff_range"] = payoffs[0], payoffs[1] - payoffs[0]
    return params.view(np.recarray) if IS_PLAIN else params


class Scratch(NamedTuple):
    """The memory of one search."""

    worlds: States  # the one that is played, and with common worlds the one that was drawn
    nodes: Nodes
    edges: Edges
    used: np.ndarray[Any, Any]  # an array with one record of USED
    actions: Numbers
    scores: Reals
    places: Numbers
    room: NetRoom
    totals: Reals  # of each seat's rewards, over all iterations


def new_scratch(game: Game) -> tuple[Numbers, Reals, Numbers]:
    """Scratch memory for choosing: actions, their scores, and their places."""
    n = game.action_count
    return np.zeros(n, np.int32), np.zeros(n), np.zeros(n, np.int32)


def search_scratch(game: Game, capacity: int, shape: NetShape | None) -> Scratch:
    return Scratch(
        game.new_states(WORLDS), *new_tree(capacity), *new_scratch(game), new_room(shape), np.zeros(MOST_SEATS)
    )


@entry
def grow(
    roots: States,
    seat: int,
    teams: Numbers,
    seed: int,
    first: int,
    iterations: int,
    params_array: np.ndarray[Any, Any],
    weights: Reals,
    net: Net,
    scratch: Scratch,
) -> int:
    """Run iterations from the root, a world that is possible for the seat. Returns how many were run.

    Every world has its own random stream, so that chunks of any size give the same tree. Descent and playout are one
    function, because every function that contains the rules is compiled with a copy of them, which takes seconds.
    """
    params, used = params_array[0], scratch.used[0]
    worlds, nodes, edges = scratch.worlds, scratch.nodes, scratch.edges
    actions, scores, places = scratch.actions, scratch.scores, scratch.places
    if first == 0:
        clear(used)
        add_node(nodes, used, 0)
    path, actors = np.empty(DEEPEST, np.int32), np.empty(DEEPEST, np.int32)
    values = np.empty(MOST_SEATS)
    drawn = int64(NONE)  # the number of the world in worlds[1]
    for iteration in range(first, first + iterations):
        if used.is_settled:
            return iteration - first
        s = worlds[0]
        if params.common_worlds and drawn == used.worlds:
            worlds[0] = worlds[1]  # the next action of the root in the same world
        else:
            worlds[0] = roots[0]
            use_cheap(s, seed, used.worlds if params.common_worlds else iteration)
            resample(s, seat)
            if params.common_worlds:
                worlds[1] = worlds[0]
                drawn = int64(used.worlds)
        parent, length, decisions, played, width = int64(NONE), 0, 0, 0, 0
        is_in_tree = True
        while s.to_act >= 0:
            s.quiet = 0 if decisions < params.informed else 1
            decisions += 1
            n = legal(s, actions)
            if decisions == 1 and params.root_action != NONE:
                actions[0], n = params.root_action, 1
            action = int64(actions[0])
            is_searched = s.to_act == seat or params.opponents_search != 0
            edge = int64(NONE)
            # Below the root, forced moves are not stored in the tree.
            if is_in_tree and is_searched and (n > 1 or length == 0):
                node = int64(0)
                if parent != NONE:
                    key = information_key(s, seat) if params.by_information else 0
                    node = int64(child(nodes, edges, used, parent, key))
                if params.common_worlds and length == 0:
                    width = n
                    edge = int64(next_root_edge(s, weights, nodes, edges, used, actions, n, scores))
                elif node != NONE:
                    edge = _select(s, params, weights, nodes, edges, used, node, actions, n, scores, places)
                is_in_tree = edge != NONE
            if edge != NONE:
                path[length], actors[length] = edge, s.to_act
                length += 1
                action = int64(edges[edge].action)
                is_in_tree = edges[edge].visits > 0 and length < params.depth  # else the playout begins
                parent = edge
            else:
                if not is_in_tree:
                    played += 1
                    if played > params.playout:
                        break
                action = _choose_in_playout(s, params, weights, actions, n, scores)
            s.n_events = 0
            apply(s, action)
        if s.to_act >= 0 and len(net.weights) > 0:
            evaluate_by_net(s, net, scratch.room, values)
        elif s.to_act >= 0:
            evaluate(s, values)
        else:
            rewards(s, teams, values)
        if params.payoff_range > 0.0:
            if length > 0:
                edges[path[0]].wins += values[seat]
            if s.to_act < 0:
                for each in range(s.players):
                    values[each] = (payoff(s, each) - params.lowest_payoff) / params.payoff_range
        for each in range(s.players):
            scratch.totals[each] += values[each]
        for step in range(length):
            reward = values[actors[step]]
            edges[path[step]].visits += 1
            edges[path[step]].value += reward
            edges[path[step]].squares += reward * reward
        if params.common_worlds and length > 0:
            add_reward(nodes, edges, used, int64(path[0]), values[seat], width)
    return iterations


@compiled
def _choose_in_playout(s: State, params: Params, weights: Reals, actions: Numbers, n: int, scores: Reals) -> int:
    if params.random_percent > 0 and draw(s, PERCENT) < params.random_percent:
        return int64(actions[draw(s, n)])
    return int64(choose(s, weights, actions, n, scores))


@compiled
def _select(
    s: State,
    params: Params,
    weights: Reals,
    nodes: Nodes,
    edges: Edges,
    used: Used,
    node: int,
    actions: Numbers,
    n: int,
    scores: Reals,
    places: Numbers,
) -> int:
    """A new edge for the best-scored untried action if the node may widen; else the edge with the highest bound."""
    nodes[node].visits += 1
    for i in range(n):
        places[actions[i]] = i + 1
    best, best_bound, tried = int64(NONE), -1.0, 0
    counted, log_counted = 0, 0.0  # most edges of a node were available equally often
    edge = int64(nodes[node].first_edge)
    while edge != NONE:
        if places[edges[edge].action] > 0:
            places[edges[edge].action] = 0
            tried += 1
            edges[edge].available += 1
            if edges[edge].available != counted:
                counted = edges[edge].available
                log_counted = log_of_count(counted)
            visits = edges[edge].visits
            bound = edges[edge].value / visits + params.exploration * sqrt(log_counted / visits)
            if bound > best_bound:
                best, best_bound = edge, bound
        edge = int64(edges[edge].next_edge)
    if tried < n and tried < 1.0 + params.widening * sqrt(np.float64(nodes[node].visits)):
        added = add_edge(nodes, edges, used, node, best_untried(s, weights, nodes, edges, node, actions, n, scores))
        if added != NONE:
            best = added
    for i in range(n):
        places[actions[i]] = 0
    return best


@compiled
def rewards(s: State, teams: Numbers, values: Reals) -> None:
    """One win, split evenly among the winning teams; every player of a team gets the team's whole share.

    `teams` has the number of each seat's team.
    """
    won = 0
    for seat in range(s.players):
        if s.winners >> seat & 1:
            won |= 1 << teams[seat]
    count = 0
    for number in range(MOST_SEATS):
        count += won >> number & 1
    for seat in range(s.players):
        values[seat] = 1.0 / count if won >> teams[seat] & 1 else 0.0


@entry
def choose_edge(nodes: Nodes, edges: Edges, used_array: np.ndarray[Any, Any], margin: float) -> int:
    """The edge of the root that the search chooses.

    It is the most visited one (with common worlds: the one with the largest lead), unless it is better than the
    heuristic's favourite by less than `margin` standard errors: then it is the favourite. So the noise of a short
    search does not make it worse than the heuristic.
    """
    if used_array[0].worlds > 0:
        best = best_lead(nodes, edges)
        return best if mean_lead(edges, best) > margin * error_of_lead(edges, best) else FAVOURITE
    best = int64(FAVOURITE)
    edge = int64(nodes[0].first_edge)
    while edge != NONE:
        if edges[edge].visits > edges[best].visits:
            best = edge
        edge = int64(edges[edge].next_edge)
    lead = edges[best].value / edges[best].visits - edges[FAVOURITE].value / edges[FAVOURITE].visits
    error = sqrt(_variance(edges, best) + _variance(edges, FAVOURITE))
    return best if lead > margin * error else FAVOURITE


@compiled
def _variance(edges: Edges, edge: int) -> float:
    """The square of the standard error of an edge's mean reward."""
    visits = edges[edge].visits
    mean = edges[edge].value / visits
    return max(edges[edge].squares / visits - mean * mean, 0.0) / visits


def _sample_search(game: Game) -> Arguments:
    policy = policy_of(game.name)
    teams = np.zeros(game.players[0], np.int32)
    return (
        *(game.new_states(), 0, teams, 0, 0, 0),
        *(params_of(policy.search), policy.weights_of("hard"), NO_NET, search_scratch(game, 2, policy.net)),
    )


declare("hard", grow, _sample_search)
declare("hard", choose_edge, lambda game: (*new_tree(2), 0.0))
