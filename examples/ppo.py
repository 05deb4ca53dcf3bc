"""Masked PPO by self-play, in plain NumPy, for any game with an encoding; and the player that it makes.

    python examples/ppo.py mantis --players 2 --minutes 60 --into ppo-mantis-2.npz
    PPO_WEIGHTS=ppo-mantis-2.npz tavolino evaluate examples.ppo:Player mantis --players 2

One network plays all seats of many games at once. After each batch of decisions, what went better than the network
expected becomes likelier, by clipped steps (proximal policy optimization). Illegal actions have no probability: the
mask is applied before the softmax, in play and in learning.

The same seed and number of decisions give the same weights on one machine; with `--minutes` the clock decides.
"""

import argparse
import os
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

# The matrices are small: several threads would spend their time waiting for each other.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ.get("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from tavolino.bots import SeatMatch
from tavolino.research.batch import BatchEnv
from tavolino.research.encodings import encoding_of
from tavolino.research.seat_encoder import SeatEncoder

Array = NDArray[np.float32]
Weights = dict[str, Array]
GAMES, STEPS = 256, 64  # a batch: so many decisions in each of so many games
HIDDEN = (256, 128)
EPOCHS, PARTS, CLIP = 3, 16, 0.2
TRACE = 0.95  # how far the result of a game is trusted against the critic; rewards come at the end alone
RATE, ENTROPY = 1e-3, 0.02  # both fall to a twentieth towards the end
WEIGHTS = "PPO_WEIGHTS"  # the environment variable that names the weights for `Player`


def new_weights(inputs: int, actions: int, chance: np.random.Generator) -> Weights:
    sizes = (inputs, *HIDDEN)
    weights = {}
    for layer, (rows, columns) in enumerate(pairwise(sizes)):
        weights[f"w{layer}"] = chance.normal(0, (2 / rows) ** 0.5, (rows, columns)).astype(np.float32)
        weights[f"b{layer}"] = np.zeros(columns, np.float32)
    weights["act"] = chance.normal(0, 0.01, (HIDDEN[-1], actions)).astype(np.float32)
    weights["value"] = np.zeros((HIDDEN[-1], 1), np.float32)
    return weights


def forward(weights: Weights, x: Array, masks: NDArray[Any]) -> tuple[list[Array], Array, Array]:
    """The layers, the chance of each action (0 for illegal ones), and the expected result."""
    layers = [x]
    for layer in range(len(HIDDEN)):
        layers.append(np.maximum(layers[-1] @ weights[f"w{layer}"] + weights[f"b{layer}"], 0))
    logits = np.where(masks > 0, layers[-1] @ weights["act"], np.float32(-1e9))
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    return layers, chances / chances.sum(axis=1, keepdims=True), (layers[-1] @ weights["value"])[:, 0]


def draw(chances: Array, chance: np.random.Generator) -> NDArray[np.int64]:
    drawn = chance.random((len(chances), 1), dtype=np.float32) * np.float32(0.999999)
    return (chances.cumsum(axis=1) <= drawn).sum(axis=1)


class Learner:
    """The weights, and Adam's memory."""

    def __init__(self, weights: Weights):
        self.weights = weights
        self._mean = {name: np.zeros_like(w) for name, w in weights.items()}
        self._square = {name: np.zeros_like(w) for name, w in weights.items()}
        self._updates = 0

    def learn(self, batch: dict[str, Array], left: float, chance: np.random.Generator) -> None:
        """A few epochs over one batch; `left` is the share of the training that is still to come."""
        share = np.float32(0.05 + 0.95 * left)
        count = len(batch["action"])
        for _ in range(EPOCHS):
            for rows in np.array_split(chance.permutation(count), PARTS):
                self._step({name: column[rows] for name, column in batch.items()}, share)

    def _step(self, part: dict[str, Array], share: np.float32) -> None:
        w, n = self.weights, len(part["action"])
        layers, chances, values = forward(w, part["x"], part["mask"])
        index = np.arange(n), part["action"].astype(np.int64)
        ratio = np.exp(np.log(chances[index] + 1e-9) - part["log"])
        better = part["advantage"]
        is_used = np.where(better > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        to_logits = chances.copy()
        to_logits[index] -= 1
        to_logits *= (better * ratio * is_used)[:, None]
        logs = np.log(chances + 1e-9)
        surprise = -(chances * logs).sum(axis=1, keepdims=True)
        to_logits = (to_logits + ENTROPY * share * chances * (logs + surprise)) / n
        to_value = (0.5 * (values - part["result"]) / n)[:, None]
        slope = to_logits @ w["act"].T + to_value @ w["value"].T
        gradients = {"act": layers[-1].T @ to_logits, "value": layers[-1].T @ to_value}
        for layer in reversed(range(len(HIDDEN))):
            slope = slope * (layers[layer + 1] > 0)
            gradients[f"w{layer}"], gradients[f"b{layer}"] = layers[layer].T @ slope, slope.sum(axis=0)
            slope = slope @ w[f"w{layer}"].T
        self._descend(gradients, RATE * share)

    def _descend(self, gradients: dict[str, Array], rate: np.float32) -> None:
        self._updates += 1
        size = sum(float((gradient**2).sum()) for gradient in gradients.values()) ** 0.5
        shorter = np.float32(min(1.0, 0.5 / (size + 1e-9)))
        for name, gradient in gradients.items():
            mean, square = self._mean[name], self._square[name]
            mean += 0.1 * (shorter * gradient - mean)
            square += 0.001 * ((shorter * gradient) ** 2 - square)
            step = mean / (1 - 0.9**self._updates)
            self.weights[name] -= rate * step / (np.sqrt(square / (1 - 0.999**self._updates)) + 1e-8)


class SelfPlay:
    """Many games in which one network plays all seats."""

    def __init__(self, game: str, players: int, seed: int):
        self._env = BatchEnv(game, GAMES, players, seat=None)
        self._players = players
        self._size = self._env.single_observation_space.shape[0]  # type: ignore[index]
        self._highest = encoding_of(game).highest[: self._size].astype(np.float32)
        self._observations, self._infos = self._env.reset(seed=seed)

    def batch(self, weights: Weights, chance: np.random.Generator) -> dict[str, Array]:
        """STEPS decisions of each game with their advantages; those whose outcome is not known yet are left out."""
        shape = (STEPS, GAMES)
        masks = np.empty((*shape, int(self._env.single_action_space.n)), np.int8)  # type: ignore[attr-defined]
        x = np.empty((*shape, self._size), np.float32)
        seats, actions = np.empty(shape, np.int64), np.empty(shape, np.int64)
        logs, values = np.empty(shape, np.float32), np.empty(shape, np.float32)
        is_over, returns = np.zeros(shape, np.bool_), np.zeros((*shape, self._players), np.float32)
        for t in range(STEPS):
            x[t] = self._observations / self._highest
            masks[t], seats[t] = self._infos["action_mask"], self._infos["seat"]
            _, chances, values[t] = forward(weights, x[t], masks[t])
            actions[t] = draw(chances, chance)
            logs[t] = np.log(chances[np.arange(GAMES), actions[t]] + 1e-9)
            self._observations, _, is_over[t], _, self._infos = self._env.step(actions[t])
            returns[t] = self._infos["returns"]
        advantages, is_known = self._advantages(seats, values, is_over, returns)
        known = is_known.ravel()
        flat = {"x": x, "mask": masks, "action": actions, "log": logs, "advantage": advantages}
        batch = {name: column.reshape(STEPS * GAMES, *column.shape[2:])[known] for name, column in flat.items()}
        batch["result"] = batch["advantage"] + values.ravel()[known]
        batch["advantage"] = (batch["advantage"] - batch["advantage"].mean()) / (batch["advantage"].std() + 1e-6)
        return batch

    def _advantages(self, seats: Any, values: Array, is_over: Any, returns: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Generalized advantages, each along the decisions of one seat: what comes after a decision is the seat's own
        next decision, or the end of the game."""
        games = np.arange(GAMES)
        following = np.zeros((GAMES, self._players), np.float32)  # the value at each seat's next decision
        later, is_known = np.zeros_like(following), np.zeros(following.shape, np.bool_)
        advantages, known = np.zeros(seats.shape, np.float32), np.zeros(seats.shape, np.bool_)
        for t in reversed(range(STEPS)):
            over = is_over[t]
            following[over], later[over], is_known[over] = returns[t, over], 0.0, True
            at = games, seats[t]
            known[t] = is_known[at]
            advantages[t] = following[at] - values[t] + TRACE * later[at]
            following[at], later[at] = values[t], np.where(known[t], advantages[t], 0.0)
            is_known[at] = True
        return advantages, known


def train(game: str, players: int, seconds: float, seed: int = 1, tell_every: float = 60.0) -> tuple[Weights, int]:
    """Train for so many seconds; returns the weights and the number of decisions."""
    chance = np.random.default_rng(seed)
    play = SelfPlay(game, players, seed)
    learner = Learner(new_weights(play._size, encoding_of(game).action_count, chance))
    begun, batches, told = time.perf_counter(), 0, 0.0
    while (spent := time.perf_counter() - begun) < seconds or batches == 0:
        learner.learn(play.batch(learner.weights, chance), max(0.0, 1 - spent / seconds), chance)
        batches += 1
        if spent - told > tell_every:
            told = spent
            wins = win_share(learner.weights, game, players, "medium", 1000)
            print(f"{spent:6.0f} s {batches * GAMES * STEPS:12,} decisions: {wins:.1%} against medium", flush=True)
    return learner.weights, batches * GAMES * STEPS


def win_share(weights: Weights, game: str, players: int, opponents: str, games: int = 2000) -> float:
    """The mean result against a level in every seat in turn, as a share of wins."""
    env = BatchEnv(game, min(games, 256), players, seat="each in turn", opponents=opponents)
    chance = np.random.default_rng(7)
    observations, infos = env.reset(seed=99)
    highest = encoding_of(game).highest[: observations.shape[1]].astype(np.float32)
    results: list[float] = []
    while len(results) < games:
        _, chances, _ = forward(weights, (observations / highest).astype(np.float32), infos["action_mask"])
        observations, rewards, is_over, _, infos = env.step(draw(chances, chance))
        results += rewards[is_over].tolist()
    return float(np.mean(results) + 1) / 2


class Player:
    """The trained network at a table, for `tavolino evaluate` and `tavolino arena`: its likeliest action."""

    def __init__(self, game: str, seed: int):
        path = os.environ.get(WEIGHTS)
        if not path:
            raise ValueError(f"Set {WEIGHTS} to the file that examples/ppo.py has written.")
        with np.load(path) as file:
            self._weights: Weights = {name: file[name] for name in file.files}
        self._encoder = SeatEncoder(game, knowledge=False)
        self._highest = self._encoder.highest.astype(np.float32)

    def choose(self, match: SeatMatch) -> str:
        seen = self._encoder.encode(match)
        x = (seen.observation / self._highest).astype(np.float32)
        _, chances, _ = forward(self._weights, x[None], seen.mask[None])
        return seen.actions[int(chances[0].argmax())]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", type=Path, default=Path("ppo.npz"))
    args = parser.parse_args()
    begun = time.process_time()
    weights, decisions = train(args.game, args.players, 60 * args.minutes, args.seed)
    np.savez(args.into, **weights)  # type: ignore[arg-type]
    print(f"{args.into}: {decisions:,} decisions, {time.process_time() - begun:.0f} s of CPU")
    for opponents in ("random", "easy", "medium"):
        print(f"against {opponents}: {win_share(weights, args.game, args.players, opponents):.1%}")


if __name__ == "__main__":
    main()
