"""The levels of bots, the same names for every game."""

import hashlib
from math import sqrt
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from tavolino.bots.heuristic import decide
from tavolino.bots.policies import MEDIUM_SHARE, SEARCHING, kind_of, net_of, policy_of, settings_of
from tavolino.bots.search import choose_edge, grow, params_of, search_scratch
from tavolino.bots.seat_match import SeatMatch
from tavolino.bots.tree import FAVOURITE, NONE
from tavolino.engine.game import Game
from tavolino.engine.net import NO_NET, Net
from tavolino.engine.policy import Reals, SearchSettings
from tavolino.engine.reading import read

LEVELS = ("random", "easy", "medium", "hard", "expert")
TIME_LIMIT = 0.8  # seconds: `hard` and `expert` answer by then with the best action so far
CHUNK = 500  # iterations between two checks of the clock
SMALLEST_SUM = 1e-9  # of rewards: the others may have had none


class Bot(Protocol):
    """Chooses an action for a seat."""

    def choose(self, match: SeatMatch) -> str: ...


class _Chooser:
    """Derives a seed for every choice from the bot's seed and the number of the choice."""

    def __init__(self, seed: int):
        self._seed = seed
        self._choices = 0

    def _next_seed(self) -> int:
        self._choices += 1
        digest = hashlib.sha256(f"{self._seed}:{self._choices}".encode()).digest()
        return int.from_bytes(digest[:8], "big")


class RandomBot(_Chooser):
    """Chooses uniformly among the legal actions."""

    def choose(self, match: SeatMatch) -> str:
        legal = match.legal()
        return legal[self._next_seed() % len(legal)]


class HeuristicBot(_Chooser):
    """Plays by the hand-written heuristic of its game: `easy` and `medium`."""

    def __init__(self, weights: Reals, seed: int):
        super().__init__(seed)
        self._weights = weights

    def choose(self, match: SeatMatch) -> str:
        world = match.conceal(self._next_seed())
        scores = np.empty(match.game.action_count)
        number = decide(world._states, 0, self._weights, world._out, world._n_legal, scores)
        return match.game.action_text(read(world._states), number)


class SearchBot(_Chooser):
    """Searches: `hard`, and `expert` with a net. Limited by iterations (then the same seed gives the same choices) or
    by time."""

    def __init__(self, game: str, seed: int, iterations: int | None, seconds: float | None, level: str = "hard"):
        super().__init__(seed)
        self._level, self._settings = level, settings_of(level, game)
        self._weights = policy_of(game).weights_of("hard")
        self._iterations, self._seconds = iterations, seconds

    def choose(self, match: SeatMatch) -> str:
        return self.consider(match)[0]

    def consider(self, match: SeatMatch) -> tuple[str, float]:
        """The choice, and the search's estimate of the chance to win with it."""
        seed = self._next_seed()
        world = match.resample(seed)
        net = net_of(self._level, match.game.name, match.players)
        search = Search(match.game, world._states, match.seat, seed & 0xFFFFFFFF, self._settings, self._weights, net)
        search.run(self._iterations, self._seconds)
        number, win = search.choice()
        return match.game.action_text(read(world._states), number), win


class Search:
    """One search from one world. It shares no memory, so several searches may run in threads."""

    def __init__(
        self,
        game: Game,
        root: np.ndarray[Any, Any],
        seat: int,
        seed: int,
        settings: SearchSettings,
        weights: Reals,
        net: Net = NO_NET,
        root_action: int = NONE,
    ):
        self._root = root  # one world that is possible for the seat
        self._seat, self._seed = seat, seed
        self._teams = game.teams(root[0])
        self._payoffs = None if game.payoff is None else game.meta.payoffs
        self._settings, self._weights = settings, weights
        self._params = params_of(settings, self._payoffs, root_action)
        self._net = net
        # With common worlds the search itself knows when only one action is left.
        self._chooses_by_visits = not settings.common_worlds and root_action == NONE
        self._scratch = search_scratch(game, settings.capacity, policy_of(game.name).net)
        self._tree = self._scratch[1:4]
        self.iterations = 0

    def run(self, iterations: int | None = None, seconds: float | None = None) -> None:
        """Search until either limit is reached; without limits, with those of a table."""
        if iterations is None and seconds is None:
            iterations, seconds = self._settings.iterations, TIME_LIMIT
        end = None if seconds is None else perf_counter() + seconds
        left = iterations
        while (left is None or left > 0) and (end is None or perf_counter() < end):
            chunk = CHUNK if left is None else min(CHUNK, left)
            if self._grow(chunk) < chunk:
                break  # only one action is left
            left = None if left is None else left - chunk
            if left is not None and self._chooses_by_visits and self._is_settled(left):
                break
        if self.iterations == 0:
            self._grow(1)

    def _is_settled(self, left: int) -> bool:
        """Whether no other action can become the most visited one in so many more iterations."""
        nodes, edges, _ = self._tree
        visits, edge = [0], int(nodes[0]["first_edge"])
        while edge != NONE:
            visits.append(int(edges[edge]["visits"]))
            edge = int(edges[edge]["next_edge"])
        *_, second, most = sorted(visits)
        return most - second > left

    def _grow(self, iterations: int) -> int:
        grown = grow(
            self._root,
            self._seat,
            self._teams,
            self._seed,
            self.iterations,
            iterations,
            self._params,
            self._weights,
            self._net,
            self._scratch,
        )
        self.iterations += grown
        return int(grown)

    def choice(self) -> tuple[int, float]:
        """The action that the search chooses, and its share of wins."""
        nodes, edges, used = self._tree
        edge = edges[choose_edge(nodes, edges, used, self._settings.margin)]
        return int(edge["action"]), float(edge["value" if self._payoffs is None else "wins"] / edge["visits"])

    def chances(self) -> Reals:
        """What the search expects for every seat: of its own, the value of the chosen action; the others share the rest
        as they did over all iterations."""
        players = int(self._root[0]["players"])
        shares = self._scratch.totals[:players].copy()
        shares[self._seat] = 0.0
        own = self.choice()[1]
        shares *= (1.0 - own) / max(float(shares.sum()), SMALLEST_SUM)
        shares[self._seat] = own
        return shares

    def worth(self) -> tuple[float, float]:
        """The mean reward of the root's first edge, the only one of a search for one action, and its standard error."""
        edge = self._scratch.edges[FAVOURITE]
        visits = int(edge["visits"])
        mean = float(edge["value" if self._payoffs is None else "wins"]) / visits
        squares = mean if self._payoffs is not None else float(edge["squares"]) / visits
        return mean, sqrt(max(squares - mean * mean, 0.0) / visits)


def iterations_of(level: str, game: str, hard: int | None) -> int | None:
    """The iterations of a level that searches if `hard` has this many; None: as at a table."""
    if level in SEARCHING:
        return hard
    return max(1, round(MEDIUM_SHARE * (policy_of(game).search.iterations if hard is None else hard)))


def make_bot(level: str, game: str, seed: int, iterations: int | None = None, seconds: float | None = None) -> Bot:
    """A bot of a level for a game. The same seed gives the same choices, unless time is the limit."""
    if level not in LEVELS:
        raise ValueError(f"There is no level {level!r}. Levels: {', '.join(LEVELS)}.")
    if level == "random" or (kind := kind_of(level, game)) == "random":
        return RandomBot(seed)
    if kind == "search":
        return SearchBot(game, seed, iterations_of(level, game, iterations), seconds, level)
    return HeuristicBot(policy_of(game).weights_of(level), seed)


def hint(match: SeatMatch, seed: int, iterations: int | None = None, seconds: float | None = None) -> dict[str, Any]:
    """What `expert` would do in this seat, and its chance to win, only from what the seat knows."""
    action, win = SearchBot(match.game.name, seed, iterations, seconds, "expert").consider(match)
    return {"action": action, "win": win}
