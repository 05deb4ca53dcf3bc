"""Learn to play Mantis from nothing, in plain NumPy, in a few minutes on two cores.

    python examples/learn_mantis.py --minutes 3 --plot docs/images/learning-curve.png

A network with one hidden layer plays one seat of four, in 128 games at once, against three players who choose at
random. It is trained by policy gradient: after every 16 steps, what was done in games that went better than expected
becomes likelier. Nothing here knows the rules: the batch gives observations, masks of what is legal, and the result.

Random play wins a quarter of the games. That is a low bar: whoever always scores and never looks at a card wins three
quarters against such opponents, and with too little entropy training ends right there. So the curve is drawn beside
both, and only what lies above the second one was learned from the cards.
"""

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# The matrices are small: several threads would spend their time waiting for each other.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ.get("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from tavolino.research.batch import EACH_IN_TURN, BatchEnv
from tavolino.research.encodings import encoding_of

Array = NDArray[np.float32]
ENCODING = encoding_of("mantis")
PLAYERS, GAMES, STEPS, HIDDEN = 4, 128, 16, 64
TRACE = 0.98  # how far the result of a game is trusted against the critic; rewards come at the end alone
ENTROPY, RATE = 0.05, 2e-3
SEATS, COLOURS = 6, 7


def features(observations: NDArray[np.uint8]) -> Array:
    """The observation between 0 and 1, and for each tank what it holds of the colours that the top card can have."""
    scaled = observations.astype(np.float32) / ENCODING.highest
    can_be = scaled[:, None, ENCODING.slice_of("can_be")]
    tanks = scaled[:, ENCODING.slice_of("tank")].reshape(-1, SEATS, COLOURS)
    matches = np.concatenate([(tanks > 0) * can_be, tanks * can_be], axis=2)
    return np.concatenate([scaled, matches.reshape(len(scaled), -1)], axis=1, dtype=np.float32)


FEATURES = ENCODING.size + 2 * SEATS * COLOURS


@dataclass
class Network:
    """Features to a hidden layer, and from there to a preference for each action and an expected result."""

    weights: dict[str, Array]
    _mean: dict[str, Array] = field(default_factory=dict)
    _square: dict[str, Array] = field(default_factory=dict)
    _updates: int = 0

    @classmethod
    def new(cls, chance: np.random.Generator) -> "Network":
        shapes = {"in": (FEATURES, HIDDEN), "in_0": (HIDDEN,), "act": (HIDDEN, ENCODING.action_count)}
        shapes |= {"act_0": (ENCODING.action_count,), "value": (HIDDEN, 1), "value_0": (1,)}
        weights = {
            name: (chance.normal(0, shape[0] ** -0.5, shape) if len(shape) == 2 else np.zeros(shape)).astype(np.float32)
            for name, shape in shapes.items()
        }
        weights["act"] *= 0.01  # at first all actions are about equally likely
        return cls(weights)

    def judge(self, x: Array, masks: NDArray[np.int8]) -> tuple[Array, Array, Array]:
        """The hidden layer, the chance of each action (none of illegal ones), and the expected result."""
        w = self.weights
        hidden = np.tanh(x @ w["in"] + w["in_0"])
        preference = np.where(masks == 1, hidden @ w["act"] + w["act_0"], -np.inf)
        chances = np.exp(preference - preference.max(axis=1, keepdims=True))
        return hidden, chances / chances.sum(axis=1, keepdims=True), (hidden @ w["value"] + w["value_0"])[:, 0]

    def learn(self, x: Array, masks: NDArray[np.int8], actions: Any, advantages: Array, results: Array) -> None:
        """One step up the gradient of: log chance of the action x advantage + entropy - half the squared error."""
        hidden, chances, values = self.judge(x, masks)
        n = len(x)
        chosen = np.zeros_like(chances)
        chosen[np.arange(n), actions] = 1
        logs = np.log(np.maximum(chances, 1e-12))
        surprise = -(chances * logs).sum(axis=1, keepdims=True)
        to_act = ((chosen - chances) * advantages[:, None] - ENTROPY * chances * (logs + surprise)) / n
        to_value = ((results - values) / np.float32(n))[:, None]
        w = self.weights
        to_hidden = (to_act @ w["act"].T + to_value @ w["value"].T) * (1 - hidden**2)
        self._climb(
            {
                "act": hidden.T @ to_act,
                "act_0": to_act.sum(axis=0),
                "value": hidden.T @ to_value,
                "value_0": to_value.sum(axis=0),
                "in": x.T @ to_hidden,
                "in_0": to_hidden.sum(axis=0),
            }
        )

    def _climb(self, gradients: dict[str, Array]) -> None:
        """Adam."""
        self._updates += 1
        for name, gradient in gradients.items():
            mean = self._mean[name] = 0.9 * self._mean.get(name, 0) + 0.1 * gradient
            square = self._square[name] = 0.999 * self._square.get(name, 0) + 0.001 * gradient**2
            step = mean / (1 - 0.9**self._updates)
            self.weights[name] += RATE * step / (np.sqrt(square / (1 - 0.999**self._updates)) + 1e-8)


def choose(chances: Array, chance: np.random.Generator) -> NDArray[np.int64]:
    """An action for each game, drawn by its chances."""
    drawn = chance.random((len(chances), 1), dtype=np.float32) * 0.999999
    return (chances.cumsum(axis=1) <= drawn).sum(axis=1)


# Whoever can play: from observations and masks to actions.
Player = Callable[[NDArray[np.uint8], NDArray[np.int8]], NDArray[np.int64]]


def as_player(network: Network, seed: int = 7) -> Player:
    """The network as it was trained: it draws its actions by their chances."""
    chance = np.random.default_rng(seed)
    return lambda observations, masks: choose(network.judge(features(observations), masks)[1], chance)


def always_score(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """Score whenever it is one's turn, whatever lies there: action 0; else the first thing that is legal."""
    return masks.argmax(axis=1)


@dataclass
class Point:
    """A point of the learning curve."""

    seconds: float
    decisions: int
    wins: float


def train(
    network: Network, seconds: float, seed: int = 1, tell: Callable[[Point], None] | None = None, tell_every: int = 250
) -> list[Point]:
    """Train for so many seconds; says how the share of wins grew."""
    chance = np.random.default_rng(seed)
    env = BatchEnv("mantis", GAMES, PLAYERS, seat=EACH_IN_TURN)
    observations, infos = env.reset(seed=seed)
    curve = [Point(0.0, 0, win_share(as_player(network)))]
    spent, updates = 0.0, 0
    while spent < seconds:
        begin = time.perf_counter()
        observations, infos = _round(env, network, observations, infos, chance)
        spent, updates = spent + time.perf_counter() - begin, updates + 1
        if updates % tell_every == 0 or spent >= seconds:
            curve.append(Point(spent, updates * GAMES * STEPS, win_share(as_player(network))))
            if tell:
                tell(curve[-1])
    return curve


def _round(env: BatchEnv, network: Network, observations: Any, infos: Any, chance: np.random.Generator) -> Any:
    """Play so many steps in all games, then learn from them."""
    x = np.empty((STEPS, GAMES, FEATURES), np.float32)
    masks = np.empty((STEPS, GAMES, ENCODING.action_count), np.int8)
    actions = np.empty((STEPS, GAMES), np.int64)
    values = np.empty((STEPS + 1, GAMES), np.float32)
    rewards, is_over = np.empty((STEPS, GAMES), np.float32), np.empty((STEPS, GAMES), np.bool_)
    for t in range(STEPS):
        x[t], masks[t] = features(observations), infos["action_mask"]
        _, chances, values[t] = network.judge(x[t], masks[t])
        actions[t] = choose(chances, chance)
        observations, rewards[t], is_over[t], _, infos = env.step(actions[t])
    values[STEPS] = network.judge(features(observations), infos["action_mask"])[2]
    advantages, later = np.empty_like(rewards), np.zeros(GAMES, np.float32)
    for t in reversed(range(STEPS)):
        goes_on = ~is_over[t]
        better = rewards[t] + values[t + 1] * goes_on - values[t]
        later = advantages[t] = better + TRACE * later * goes_on
    results = (advantages + values[:STEPS]).reshape(-1)
    spread = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    network.learn(
        x.reshape(-1, FEATURES),
        masks.reshape(-1, ENCODING.action_count),
        actions.reshape(-1),
        spread.reshape(-1),
        results,
    )
    return observations, infos


def win_share(player: Player, games: int = 4000, opponents: str = "random", seed: int = 99) -> float:
    """The share of games won, in every seat in turn."""
    env = BatchEnv("mantis", 512, PLAYERS, seat=EACH_IN_TURN, opponents=opponents)
    observations, infos = env.reset(seed=seed)
    played, won = 0, 0.0
    while played < games:
        observations, rewards, is_over, _, infos = env.step(player(observations, infos["action_mask"]))
        played += int(is_over.sum())
        won += float(((rewards[is_over] + 1) / 2).sum())
    return won / played


def plot(curve: list[Point], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    axes.plot([point.decisions / 1e6 for point in curve], [100 * point.wins for point in curve], label="the network")
    axes.axhline(100 * win_share(always_score), color="tab:orange", linestyle=":", label="who always scores")
    axes.axhline(100 / PLAYERS, color="grey", linestyle="--", label="random")
    axes.set(xlabel="decisions of the learner, millions", ylabel="games won, %", ylim=(0, 100))
    axes.set_title(f"Mantis, {PLAYERS} players, against three random ones ({curve[-1].seconds:.0f} s of training)")
    axes.legend(loc="lower right")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="where to draw the learning curve")
    given = parser.parse_args()
    network = Network.new(np.random.default_rng(given.seed))
    print(f"{'seconds':>8} {'decisions':>12} {'won':>7}")

    def tell(point: Point) -> None:
        print(f"{point.seconds:8.0f} {point.decisions:12,} {point.wins:7.1%}", flush=True)

    curve = train(network, 60 * given.minutes, given.seed, tell)
    for opponents in ("random", "medium"):
        network_wins = win_share(as_player(network), 20_000, opponents)
        print(
            f"against {opponents}: {network_wins:.1%}; always scoring: {win_share(always_score, 20_000, opponents):.1%}"
        )
    if given.plot:
        plot(curve, given.plot)


if __name__ == "__main__":
    main()
