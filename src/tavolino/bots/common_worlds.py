"""The first step of a search in which all actions are tried in the same worlds (common random numbers).

The result of an action varies far more between worlds than between actions. So every action is tried in each world
that is drawn, with the same random numbers, and is compared world by world with the heuristic's favourite: the variance
between worlds cancels out. Actions that are clearly behind are eliminated, and the search ends when one is left.
"""

from math import sqrt

from tavolino.bots.tree import FAVOURITE, NONE, Edges, Nodes, Used, add_edge, best_untried
from tavolino.engine.compiled import compiled, int64
from tavolino.engine.policy import Reals
from tavolino.engine.record import Numbers, State

ROUND = 64  # worlds between two eliminations
FEWEST = 192  # worlds before a search may end: its estimate of the chance to win is shown too
CLEAR = 2.5  # standard errors on either side


@compiled
def next_root_edge(
    s: State,
    weights: Reals,
    nodes: Nodes,
    edges: Edges,
    used: Used,
    actions: Numbers,
    n: int,
    scores: Reals,
) -> int:
    """The edge to try now. In the first world it creates the edges, in the order of the heuristic's scores."""
    if nodes[0].edges == n:
        return used.next_edge
    return add_edge(nodes, edges, used, 0, best_untried(s, weights, nodes, edges, 0, actions, n, scores))


@compiled
def add_reward(nodes: Nodes, edges: Edges, used: Used, edge: int, reward: float, n: int) -> None:
    """Add the reward of an action in the current world, and choose the edge to try next."""
    edges[edge].available += 1
    if edge == FAVOURITE:
        edges[edge].reward = reward
        following = int64(nodes[0].first_edge)
    else:
        lead = reward - edges[FAVOURITE].reward
        edges[edge].lead += lead
        edges[edge].lead_squares += lead * lead
        following = int64(edges[edge].next_edge)
    if nodes[0].edges < n:
        return  # the first world: the next edge is still to be created
    if used.worlds == 0:
        following = int64(FAVOURITE)
    while following != FAVOURITE and edges[following].is_eliminated:
        following = int64(edges[following].next_edge)
    used.next_edge = following
    if following == FAVOURITE:  # the last of the list: all have been tried in this world
        used.worlds += 1
        if used.worlds % ROUND == 0:
            _eliminate(nodes, edges, used)


@compiled
def _eliminate(nodes: Nodes, edges: Edges, used: Used) -> None:
    """Eliminate the actions that are clearly behind the best one."""
    best = best_lead(nodes, edges)
    floor = mean_lead(edges, best) - CLEAR * error_of_lead(edges, best)
    contenders = 0
    edge = int64(nodes[0].first_edge)
    while edge != NONE:
        if mean_lead(edges, edge) + CLEAR * error_of_lead(edges, edge) < floor:
            edges[edge].is_eliminated = 1
        contenders += 1 - edges[edge].is_eliminated
        edge = int64(edges[edge].next_edge)
    if contenders == 1 and used.worlds >= FEWEST:
        used.is_settled = 1


@compiled
def best_lead(nodes: Nodes, edges: Edges) -> int:
    """The edge with the largest lead over the favourite, or the favourite."""
    best = int64(FAVOURITE)
    edge = int64(nodes[0].first_edge)
    while edge != NONE:
        if edges[edge].is_eliminated == 0 and mean_lead(edges, edge) > mean_lead(edges, best):
            best = edge
        edge = int64(edges[edge].next_edge)
    return best


@compiled
def mean_lead(edges: Edges, edge: int) -> float:
    return edges[edge].lead / max(edges[edge].visits, 1)


@compiled
def error_of_lead(edges: Edges, edge: int) -> float:
    """The standard error of the mean lead; the favourite's own lead is exactly zero."""
    visits = max(edges[edge].visits, 1)
    mean = mean_lead(edges, edge)
    return sqrt(max(edges[edge].lead_squares / visits - mean * mean, 0.0) / visits)
