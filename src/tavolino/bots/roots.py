"""The first step of a search in which all actions meet the same worlds.

What comes of an action differs far more from world to world than from action to action. So every action is tried in
each world that is drawn, with the same chance behind it, and is compared world by world with the habit's favourite:
what the worlds have in common falls out of the difference. Whatever is clearly behind is left out from then on, and
when one action is left the search is over.
"""

from math import sqrt

from tavolino.bots.choice import Numbers, Reals, wide
from tavolino.bots.tree import FAVOURITE, NONE, SETTLED, TURN, WORLD, Edges, Nodes, Used, add_edge, untried
from tavolino.engine.compiled import compiled
from tavolino.engine.record import State

ROUND = 64  # worlds between two looks at who is behind
FEWEST = 192  # worlds before a search may be over: the chance to win is told, too
CLEAR = 2.5  # standard errors on either side


@compiled
def whose_turn(
    s: State,
    habits: Reals,
    nodes: Nodes,
    edges: Edges,
    used: Used,
    actions: Numbers,
    n: int,
    scores: Reals,
) -> int:
    """The edge to walk now; in the first world they are made, in the order in which the habit likes the actions."""
    if nodes[0].edges == n:
        return used[TURN]
    return add_edge(nodes, edges, used, 0, untried(s, habits, nodes, edges, 0, actions, n, scores))


@compiled
def compare(nodes: Nodes, edges: Edges, used: Used, edge: int, reward: float, n: int) -> None:
    """Note what an action brought in the world at hand, and say whose turn is next."""
    edges[edge].available += 1
    if edge == FAVOURITE:
        edges[edge].reward = reward
        following = wide(nodes[0].first_edge)
    else:
        lead = reward - edges[FAVOURITE].reward
        edges[edge].lead += lead
        edges[edge].lead_squares += lead * lead
        following = wide(edges[edge].next_edge)
    if nodes[0].edges < n:
        return  # the first world: the next one is still to be made
    if used[WORLD] == 0:
        following = wide(FAVOURITE)
    while following != FAVOURITE and edges[following].is_out:
        following = wide(edges[following].next_edge)
    used[TURN] = following
    if following == FAVOURITE:  # it ends the list: all have met this world
        used[WORLD] += 1
        if used[WORLD] % ROUND == 0:
            _leave_out(nodes, edges, used)


@compiled
def _leave_out(nodes: Nodes, edges: Edges, used: Used) -> None:
    """Those that are clearly behind the best one are tried no more."""
    best = foremost(nodes, edges)
    floor = mean_lead(edges, best) - CLEAR * error_of_lead(edges, best)
    contenders = 0
    edge = wide(nodes[0].first_edge)
    while edge != NONE:
        if mean_lead(edges, edge) + CLEAR * error_of_lead(edges, edge) < floor:
            edges[edge].is_out = 1
        contenders += 1 - edges[edge].is_out
        edge = wide(edges[edge].next_edge)
    if contenders == 1 and used[WORLD] >= FEWEST:
        used[SETTLED] = 1


@compiled
def foremost(nodes: Nodes, edges: Edges) -> int:
    """The edge with the largest lead over the favourite, or the favourite."""
    best = wide(FAVOURITE)
    edge = wide(nodes[0].first_edge)
    while edge != NONE:
        if edges[edge].is_out == 0 and mean_lead(edges, edge) > mean_lead(edges, best):
            best = edge
        edge = wide(edges[edge].next_edge)
    return best


@compiled
def mean_lead(edges: Edges, edge: int) -> float:
    return edges[edge].lead / max(edges[edge].visits, 1)


@compiled
def error_of_lead(edges: Edges, edge: int) -> float:
    """The standard error of the mean lead; the favourite's lead over itself is nought for certain."""
    visits = max(edges[edge].visits, 1)
    mean = mean_lead(edges, edge)
    return sqrt(max(edges[edge].lead_squares / visits - mean * mean, 0.0) / visits)
