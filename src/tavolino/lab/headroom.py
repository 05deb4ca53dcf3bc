"""How much better than `medium` a player can be: a bound for `hard`. It is not a bot.

Positions come from games of a line-up in which a `medium` decides. For each of its actions there, the same line-up
plays many games to the end. The gain of an action is how much more often it wins than medium's own choice. A player who
plays otherwise in that seat gains, over a whole game, the sum of the gains of the actions taken (Kakade and Langford,
2002), so at most the sum of the largest gains: that is the headroom above medium in this line-up.

An action may look best by chance. So the games are split into two halves: the best action of one half, measured by the
other half, is too low on average; measured by the same half, too high. The true value is in between.

The measure is either fair, with a new world drawn for every game as in a search, or it sees every card on the table and
in the hands: then it shows what those cards would be worth to a cheat.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.bots import Bot, SeatMatch, make_bot
from tavolino.bots.heuristic import choose
from tavolino.bots.policies import policy_of
from tavolino.bots.search import MOST_SEATS, new_scratch, rewards
from tavolino.coach.intervals import Z_95
from tavolino.engine.chance import draw, use_cheap
from tavolino.engine.compiled import compiled, int64
from tavolino.engine.dispatch import apply, legal, resample
from tavolino.engine.match import Match
from tavolino.engine.policy import Reals
from tavolino.engine.record import Numbers, States

SHARE_OF_POSITIONS = 0.25  # of all positions: consecutive ones give nearly the same figures
HALVES = 2
NO_SIDES = "all"
SEEDS = 1 << 32


@dataclass
class Headroom:
    """The figures of one side of a game with teams, or of all seats."""

    lows: list[float] = field(default_factory=list)  # by position: the best action of one half by the other half
    highs: list[float] = field(default_factory=list)  # ... by the same half
    choices: int = 0  # that medium had, in all games

    def figures(self, games: int) -> dict[str, float]:
        """Gains over a whole game, each with half the width of its 95% interval."""
        per_game = self.choices / games
        spread = Z_95 * per_game / sqrt(max(len(self.lows), 1))
        return {
            "positions": len(self.lows),
            "choices_a_game": per_game,
            "low": per_game * float(np.mean(self.lows)),
            "low_reach": spread * float(np.std(self.lows)),
            "high": per_game * float(np.mean(self.highs)),
            "high_reach": spread * float(np.std(self.highs)),
        }


def headroom(
    game: str,
    lineup: Sequence[str],
    positions: int,
    rollouts: int,
    sees_all: bool = False,
    seed: int = 0,
) -> dict[str, dict[str, float]]:
    """The headroom above medium, for each side on which a medium plays; the line-up is random or medium, by seat."""
    chance, games = np.random.default_rng(seed), 0
    found: dict[str, Headroom] = {}
    while sum(len(each.lows) for each in found.values()) < positions:
        match = tavolino.load(game).start(len(lineup), f"yardstick {seed} {games}")
        bots = [make_bot(level, game, int(chance.integers(SEEDS))) for level in lineup]
        _follow(match, lineup, bots, rollouts, sees_all, chance, found)
        games += 1
    # Without teams the headroom is that of one player; a team's is that of all its players together.
    players = {NO_SIDES: lineup.count("medium")}
    return {side: each.figures(games * players.get(side, 1)) for side, each in found.items()}


def _follow(
    match: Match,
    lineup: Sequence[str],
    bots: Sequence[Bot],
    rollouts: int,
    sees_all: bool,
    chance: np.random.Generator,
    found: dict[str, Headroom],
) -> None:
    """Play one game to its end, and measure some of the positions where a medium has a choice."""
    by_heuristic = [level != "random" for level in lineup]
    teams, side_of = match.game.meta.teams, match.game.teams(match._states[0])
    while match.to_act is not None:
        seat, legal_now = match.to_act, match.legal()
        choice = bots[seat].choose(SeatMatch(match, seat))
        if lineup[seat] == "medium" and len(legal_now) > 1:
            side = NO_SIDES if teams is None else (teams.one, teams.others)[side_of[seat]]
            room = found.setdefault(side, Headroom())
            room.choices += 1
            if chance.random() < SHARE_OF_POSITIONS:
                halves = [
                    action_values(match, by_heuristic, rollouts, sees_all, int(chance.integers(SEEDS)))
                    for _ in range(HALVES)
                ]
                gains = [values - values[legal_now.index(choice)] for values in halves]
                best = [int(np.argmax(values)) for values in halves]
                room.lows.append((gains[1][best[0]] + gains[0][best[1]]) / 2)
                room.highs.append((gains[0][best[0]] + gains[1][best[1]]) / 2)
        match.play(choice)


def action_values(match: Match, by_heuristic: Sequence[bool], rollouts: int, sees_all: bool, seed: int) -> Reals:
    """For each legal action, in the order of `legal()`, how often the seat that acts wins after it."""
    assert match.to_act is not None
    actions, scores, _ = new_scratch(match.game)
    values = np.zeros(len(match.legal()))
    play_on(
        match._states,
        match.game.new_states(),
        match.to_act,
        match.game.teams(match._states[0]),
        np.array(by_heuristic, np.int32),
        policy_of(match.game.name).weights_of("medium"),
        rollouts,
        int(sees_all),
        seed,
        actions,
        scores,
        values,
    )
    return values


@compiled
def play_on(
    states: States,
    worlds: States,
    seat: int,
    teams: Numbers,
    by_heuristic: Numbers,
    weights: Reals,
    rollouts: int,
    sees_all: int,
    seed: int,
    actions: Numbers,
    scores: Reals,
    values: NDArray[np.float64],
) -> None:
    """Play every action of a position to the end several times; all actions begin with the same random state."""
    rewarded = np.empty(MOST_SEATS)
    for nth in range(len(values)):
        for rollout in range(rollouts):
            worlds[0] = states[0]
            s = worlds[0]
            use_cheap(s, seed, rollout)
            if sees_all == 0:
                resample(s, seat)
            legal(s, actions)
            action = int64(actions[nth])
            while True:
                s.n_events = 0
                apply(s, action)
                if s.to_act < 0:
                    break
                n = legal(s, actions)
                if by_heuristic[s.to_act] != 0:
                    action = int64(choose(s, weights, actions, n, scores))
                else:
                    action = int64(actions[draw(s, n)])
            rewards(s, teams, rewarded)
            values[nth] += rewarded[seat] / rollouts
