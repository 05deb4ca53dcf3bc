"""Games played to their end by the heuristic, from worlds that are possible for a seat. All figures come from these.

Every action is tried in the same worlds, with the same random numbers, so that actions can be compared
world by world (common random numbers, decision 010).
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.heuristic import choose
from tavolino.bots.policies import policy_of
from tavolino.bots.search import MOST_SEATS, rewards
from tavolino.engine.chance import draw, use_cheap
from tavolino.engine.compiled import entry, int64
from tavolino.engine.dispatch import apply, legal, resample
from tavolino.engine.entry_points import Arguments, declare, sample_actions, sample_scores
from tavolino.engine.game import Game
from tavolino.engine.policy import Reals, evaluate
from tavolino.engine.record import Numbers, States

Results = NDArray[np.float64]  # by world, action tried and seat: the share of the win

# In place of an action: the heuristic's choice in that world, or a random legal action.
AS_POLICY, BLINDLY = -1, -2
ROOM = 2  # worlds that `play_out` works in: one as it was drawn, one that is played


@entry
def play_out(
    roots: States,
    index: int,
    worlds: States,
    seat: int,
    teams: Numbers,
    weights: Reals,
    cut: int,
    seed: int,
    first: int,
    tried: NDArray[np.int64],
    actions: Numbers,
    scores: Reals,
    results: Results,
) -> int:
    """Fill `results`: draw a world for each of its rows, from number `first` on, and play each action there.

    The root is a world that is possible for the seat; every world is drawn again from it for the same seat. A game
    is played to its end, or for `cut` decisions and then evaluated. Gives back the work: how many actions were
    scored, which takes about the same time in every game.
    """
    rewarded = np.empty(MOST_SEATS)
    work = int64(0)
    for row in range(len(results)):
        worlds[1] = roots[index]
        drawn = worlds[1]
        use_cheap(drawn, seed, first + row)
        drawn.n_events = 0
        resample(drawn, seat)
        for nth in range(len(tried)):
            worlds[0] = worlds[1]
            s = worlds[0]
            action, left = int64(tried[nth]), cut
            while s.to_act >= 0 and left > 0:
                n = 1
                if action < 0:
                    n = legal(s, actions)
                    action = int64(actions[draw(s, n)] if action == BLINDLY else choose(s, weights, actions, n, scores))
                s.n_events = 0
                apply(s, action)
                work += n
                action = int64(AS_POLICY)
                left -= 1
            if s.to_act >= 0:
                evaluate(s, rewarded)
            else:
                rewards(s, teams, rewarded)
            for player in range(s.players):
                results[row, nth, player] = rewarded[player]
    return work


def _sample_playouts(game: Game) -> Arguments:
    teams, weights = np.zeros(game.players[0], np.int32), policy_of(game.name).weights_of("medium")
    return (
        *(game.new_states(), 0, game.new_states(ROOM), 0, teams, weights, 0, 0, 0),
        *(np.zeros(1, np.int64), sample_actions(game), sample_scores(game), np.zeros((0, 1, game.players[0]))),
    )


declare("coach", play_out, _sample_playouts)
