"""The first step of a search in which all actions are tried in the same worlds (common random numbers).

What comes of an action differs far more from world to world than from action to action. So every action is tried in
each world that is drawn, with the same chance behind it, and is compared world by world with the heuristic's favourite:
what the worlds have in common falls out of the difference. Actions that are clearly behind are eliminated, and when
one action is left the search is over.
"""

from math import sqrt

from tavolino.bots.tree import FAVOURITE, NONE, Edges, Nodes, Used, add_edge, best_untried
from tavolino.engine.compiled import compiled, int64
from tavolino.engine.policy import Numbers, Reals
from tavolino.engine.record import State

ROUND = 64  # worlds between two eliminations
FEWEST = 192  # worlds before a search may be over: its estimate of the chance to win is shown, too
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
    """The edge to try now; in the first world they are made, in the order of the heuristic's scores."""
    if nodes[0].edges == n:
        return used.next_edge
    return add_edge(nodes, edges, used, 0, best_untried(s, weights, nodes, edges, 0, actions, n, scores))


@compiled
def add_reward(nodes: Nodes, edges: Edges, used: Used, edge: int, reward: float, n: int) -> None:
    """Add what an action brought in the current world, and choose the edge to try next."""
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
        return  # the first world: the next one is still to be made
    if used.worlds == 0:
        following = int64(FAVOURITE)
    while following != FAVOURITE and edges[following].is_eliminated:
        following = int64(edges[following].next_edge)
    used.next_edge = following
    if following == FAVOURITE:  # it ends the list: all have been tried in this world
        used.worlds += 1
        if used.worlds % ROUND == 0:
            _eliminate(nodes, edges, used)


@compiled
def _eliminate(nodes: Nodes, edges: Edges, used: Used) -> None:
    """Those that are clearly behind the best one are tried no more."""
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
    """The standard error of the mean lead; the favourite's lead over itself is zero for certain."""
    visits = max(edges[edge].visits, 1)
    mean = mean_lead(edges, edge)
    return sqrt(max(edges[edge].lead_squares / visits - mean * mean, 0.0) / visits)
