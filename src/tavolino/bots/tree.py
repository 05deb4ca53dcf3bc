"""The tree of a search, in arrays that were made beforehand.

A node is a position as the searching seat can tell positions apart; an edge is an action taken there. Behind one edge
there can be several nodes: what the action brings to light (a card turned, a card drawn) decides which one. Lists are
linked by index, NONE ends them.
"""

from typing import Any

import numpy as np

from tavolino.bots.choice import Numbers, Reals, wide
from tavolino.bots.dispatch import weigh
from tavolino.engine.compiled import IS_PLAIN, compiled
from tavolino.engine.record import State

NONE = -1

NODE = np.dtype(
    [
        ("first_edge", np.int32),
        ("next_node", np.int32),  # behind the same edge
        ("sight", np.int64),  # what the searching seat sees here
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
        # Of the root's edges, where all of them meet the same worlds (roots.py):
        ("is_out", np.int32),  # clearly behind, and tried no more
        ("reward", np.float64),  # in the world at hand
        ("lead", np.float64),  # the sum of rewards beyond those of the favourite in the same worlds
        ("lead_squares", np.float64),
    ],
    align=True,
)
# used[NODES] and used[EDGES] say how many of each there are; the rest is of roots.py: how many worlds all actions have
# met, the edge whose turn it is, whether only one is left.
NODES, EDGES, WORLD, TURN, SETTLED = range(5)
FAVOURITE = 0  # the root's first edge, and the tree's: what a player by habit likes most

Nodes = np.ndarray[Any, Any]
Edges = np.ndarray[Any, Any]
Used = np.ndarray[Any, np.dtype[np.int64]]


def new_tree(room: int) -> tuple[Nodes, Edges, Used]:
    """Room for so many nodes and as many edges; the tree is still empty."""
    nodes, edges = np.empty(room, NODE), np.empty(room, EDGE)
    used = np.zeros(5, np.int64)
    return (nodes.view(np.recarray), edges.view(np.recarray), used) if IS_PLAIN else (nodes, edges, used)


@compiled
def add_node(nodes: Nodes, used: Used, sight: int) -> int:
    """A new node, or NONE when there is no room."""
    at = used[NODES]
    if at == len(nodes):
        return NONE
    used[NODES] = at + 1
    nodes[at].first_edge = NONE
    nodes[at].next_node = NONE
    nodes[at].sight = sight
    nodes[at].visits = 0
    nodes[at].edges = 0
    return at


@compiled
def add_edge(nodes: Nodes, edges: Edges, used: Used, node: int, action: int) -> int:
    """A new edge of a node, or NONE when there is no room."""
    at = used[EDGES]
    if at == len(edges):
        return NONE
    used[EDGES] = at + 1
    edges[at].value = 0.0
    edges[at].squares = 0.0
    edges[at].action = action
    edges[at].visits = 0
    edges[at].available = 0
    edges[at].next_edge = nodes[node].first_edge
    edges[at].first_node = NONE
    edges[at].is_out = 0
    edges[at].reward = 0.0
    edges[at].lead = 0.0
    edges[at].lead_squares = 0.0
    nodes[node].first_edge = at
    nodes[node].edges += 1
    return at


@compiled
def untried(
    s: State, habits: Reals, nodes: Nodes, edges: Edges, node: int, actions: Numbers, n: int, scores: Reals
) -> int:
    """Of the actions that have no edge at the node yet, the one that a player by habit likes most."""
    weigh(s, habits, actions, n, scores)
    edge = wide(nodes[node].first_edge)
    while edge != NONE:
        for i in range(n):
            if actions[i] == edges[edge].action:
                scores[i] = -np.inf
        edge = wide(edges[edge].next_edge)
    return wide(actions[np.argmax(scores[:n])])


@compiled
def node_behind(nodes: Nodes, edges: Edges, used: Used, edge: int, sight: int) -> int:
    """The node behind an edge for what is seen there; made when it is new, NONE when there is no room."""
    node = edges[edge].first_node
    while node != NONE:
        if nodes[node].sight == sight:
            return node
        node = nodes[node].next_node
    fresh = add_node(nodes, used, sight)
    if fresh != NONE:
        nodes[fresh].next_node = edges[edge].first_node
        edges[edge].first_node = fresh
    return fresh


@compiled
def clear(used: Used) -> None:
    """Make the tree empty again."""
    used[:] = 0
