"""The tree of a search, in preallocated arrays.

A node is a set of positions that the searching seat cannot tell apart; an edge is an action. An edge can lead to
several nodes, depending on what the action reveals (a card turned, a card drawn). Lists are linked by index and end
with NONE.
"""

from typing import Any, Protocol

import numpy as np

from tavolino.engine.compiled import IS_PLAIN, compiled, int64
from tavolino.engine.policy import Reals, score_actions
from tavolino.engine.record import Int64, Numbers, State, fields_of

NONE = -1

NODE = np.dtype(
    [
        ("first_edge", np.int32),
        ("next_node", np.int32),  # behind the same edge
        ("key", np.int64),  # the information key of the searching seat
        ("visits", np.int32),
        ("edges", np.int32),
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("value", np.float64),  # the sum of rewards of the seat that acts here
        ("squares", np.float64),  # the sum of their squares
        ("action", np.int32),
        ("visits", np.int32),
        ("available", np.int32),  # how often the action was legal when its node was visited
        ("next_edge", np.int32),  # of the same node
        ("first_node", np.int32),
        # Of the root's edges, where all of them are tried in the same worlds (common_worlds.py):
        ("is_eliminated", np.int32),  # clearly behind, and tried no more
        ("reward", np.float64),  # in the current world
        ("lead", np.float64),  # the sum of rewards beyond those of the favourite in the same worlds
        ("lead_squares", np.float64),
        # Of the root's edges, in a game with a payoff of its own: the sum of wins, which `value` is elsewhere.
        ("wins", np.float64),
    ],
    align=True,
)
FAVOURITE = 0  # the root's first edge, and the tree's: the action with the highest score of the heuristic

Nodes = np.ndarray[Any, Any]
Edges = np.ndarray[Any, Any]


class Used(Protocol):
    """How much of the tree is in use."""

    nodes: Int64  # how many there are
    edges: Int64
    # Of common_worlds.py:
    worlds: Int64  # in which all actions of the root have been tried
    next_edge: Int64  # the edge to be tried now
    is_settled: Int64  # only one action is left


USED = np.dtype(fields_of(Used), align=True)


def new_tree(capacity: int) -> tuple[Nodes, Edges, np.ndarray[Any, Any]]:
    """An empty tree: arrays for `capacity` nodes and edges, and an array with one record of USED."""
    tree = np.empty(capacity, NODE), np.empty(capacity, EDGE), np.zeros(1, USED)
    return (tree[0].view(np.recarray), tree[1].view(np.recarray), tree[2].view(np.recarray)) if IS_PLAIN else tree


@compiled
def add_node(nodes: Nodes, used: Used, key: int) -> int:
    """A new node, or NONE when there is no room."""
    at = used.nodes
    if at == len(nodes):
        return NONE
    used.nodes = at + 1
    nodes[at].first_edge = NONE
    nodes[at].next_node = NONE
    nodes[at].key = key
    nodes[at].visits = 0
    nodes[at].edges = 0
    return at


@compiled
def add_edge(nodes: Nodes, edges: Edges, used: Used, node: int, action: int) -> int:
    """A new edge of a node, or NONE when there is no room."""
    at = used.edges
    if at == len(edges):
        return NONE
    used.edges = at + 1
    edges[at].value = 0.0
    edges[at].squares = 0.0
    edges[at].action = action
    edges[at].visits = 0
    edges[at].available = 0
    edges[at].next_edge = nodes[node].first_edge
    edges[at].first_node = NONE
    edges[at].is_eliminated = 0
    edges[at].reward = 0.0
    edges[at].lead = 0.0
    edges[at].lead_squares = 0.0
    edges[at].wins = 0.0
    nodes[node].first_edge = at
    nodes[node].edges += 1
    return at


@compiled
def best_untried(
    s: State, weights: Reals, nodes: Nodes, edges: Edges, node: int, actions: Numbers, n: int, scores: Reals
) -> int:
    """The action with the highest score that has no edge at the node yet."""
    score_actions(s, weights, actions, n, scores)
    edge = int64(nodes[node].first_edge)
    while edge != NONE:
        for i in range(n):
            if actions[i] == edges[edge].action:
                scores[i] = -np.inf
        edge = int64(edges[edge].next_edge)
    best = 0
    for index in range(1, n):  # not np.argmax, which compiles a message with the path of Numba
        if scores[index] > scores[best]:
            best = index
    return int64(actions[best])


@compiled
def child(nodes: Nodes, edges: Edges, used: Used, edge: int, key: int) -> int:
    """The node behind an edge with this information key, created if needed; NONE when there is no room."""
    node = edges[edge].first_node
    while node != NONE:
        if nodes[node].key == key:
            return node
        node = nodes[node].next_node
    fresh = add_node(nodes, used, key)
    if fresh != NONE:
        nodes[fresh].next_node = edges[edge].first_node
        edges[edge].first_node = fresh
    return fresh


@compiled
def clear(used: Used) -> None:
    """Make the tree empty again."""
    used.nodes = 0
    used.edges = 0
    used.worlds = 0
    used.next_edge = 0
    used.is_settled = 0
