"""Training of the nets of a game, from nothing: rounds of games, and of learning from their positions.

In the first round `medium` plays; in the later ones a short search with the net that has been learnt so far. What the
search expects is learnt beside how the game ended, because it varies less. Every chunk of games has random numbers of
its own, and learning uses plain loops: the same seed gives the same weights, bit by bit, with any number of workers,
and also if the training was interrupted and continued.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.bots.levels import Search
from tavolino.bots.policies import policy_of
from tavolino.bots.search import new_scratch
from tavolino.bots.self_play import CURSOR, UNSEARCHED, Positions, play_for_training
from tavolino.bots.whole_games import NOT_YET
from tavolino.engine.compiled import IS_PLAIN
from tavolino.engine.decks import arrange
from tavolino.engine.net import NO_NET, Floats, NetShape, net_of_weights
from tavolino.engine.options import resolve
from tavolino.engine.policy import THOUSAND
from tavolino.lab.crew import Crew
from tavolino.lab.net_steps import add_gradient, learning_room

CHUNK = 100  # games; a chunk is what a worker plays and what is stored
ROWS = 60  # positions of a game that are kept, at most, on average over a chunk
TEST = 10  # every so many-th position is for measuring the loss, not for learning
PLAN = "plan.json"


class TrainingFailed(ValueError):
    """A sentence for users."""


@dataclass(frozen=True)
class Round:
    """Games, and learning from them."""

    games: int  # with 2 players; fewer with more of them, whose games are longer
    iterations: int  # of a search for each decision; 0: `medium` plays
    epochs: int
    rate: float
    kept_thousandths: int  # of the positions, divided by the number of players: those of one game resemble each other
    trusted_thousandths: int = 0  # the share of the target that the search expects; the rest is how the game ended
    earlier: int = 0  # so many rounds before this one are learnt from again
    most_players: int = 8  # with more of them there is no such round

    def games_for(self, players: int) -> int:
        return 0 if players > self.most_players else max(1, 2 * self.games // players)


@dataclass(frozen=True)
class TrainingPlan:
    game: str
    players: tuple[int, ...]
    seed: int = 0
    random_thousandths: int = 60
    batch: int = 1024
    rounds: tuple[Round, ...] = (
        Round(20_000, 0, 10, 2e-3, 320),
        Round(2_000, 80, 6, 1e-3, 1600, 500),
        Round(3_000, 120, 6, 1e-3, 1600, 500, 1, 2),
    )


def smaller(plan: TrainingPlan, games: int) -> TrainingPlan:
    """The plan with so many games in its first round, and fewer in the same proportion in the others."""
    share = games / plan.rounds[0].games
    return replace(plan, rounds=tuple(replace(each, games=max(1, round(share * each.games))) for each in plan.rounds))


@dataclass(frozen=True)
class Report:
    """The progress of a training."""

    players: int
    round: int
    games: int  # that are played
    of: int
    loss: float | None = None  # of the chances at positions that were not learnt from


Progress = Callable[[Report], None]


def train(
    plan: TrainingPlan,
    folder: Path,
    workers: int = 1,
    ray: str | None = None,
    progress: Progress = lambda report: None,
) -> dict[int, Floats]:
    """The weights by number of players. What is stored in the folder is not computed again."""
    shape = policy_of(plan.game).net
    if shape is None:
        raise TrainingFailed(f"{plan.game} has no features for a net: its policy needs `features` and `net`.")
    _check_folder(plan, folder)
    by_players = {}
    with Crew(_play_chunk, workers, ray) as crew:
        for players in plan.players:
            by_players[players] = _train_one(plan, shape, players, folder, crew, progress)
    return by_players


def _check_folder(plan: TrainingPlan, folder: Path) -> None:
    """A folder holds one training: another plan or seed would mix two."""
    folder.mkdir(parents=True, exist_ok=True)
    path, written = folder / PLAN, json.dumps(asdict(plan), indent=1)
    if path.is_file() and path.read_text("utf-8") != written:
        raise TrainingFailed(f"The folder {folder} holds a training with other settings or another seed.")
    path.write_text(written, "utf-8")


def _train_one(
    plan: TrainingPlan, shape: NetShape, players: int, folder: Path, crew: "Crew[Work, Positions]", progress: Progress
) -> Floats:
    weights = first_weights(shape, plan.seed)
    for number, each in enumerate(plan.rounds):
        if each.games_for(players) == 0:
            continue
        path = folder / f"weights-{players}-{number}.npy"
        if path.is_file():
            weights = np.load(path)
            continue
        net = None if each.iterations == 0 else weights
        _play(plan, players, number, net, folder, crew, progress)
        positions = _positions(plan, players, range(number - each.earlier, number + 1), folder)
        weights, loss = learn(shape, weights, positions, each, plan)
        _store(path, lambda file, made=weights: np.save(file, made))
        games = each.games_for(players)
        progress(Report(players, number, games, games, loss))
    return weights


def _play(
    plan: TrainingPlan,
    players: int,
    number: int,
    weights: Floats | None,
    folder: Path,
    crew: "Crew[Work, Positions]",
    progress: Progress,
) -> None:
    """Play the games of a round that are not stored yet."""
    games = plan.rounds[number].games_for(players)
    paths = _paths(plan, players, number, folder)
    missing = [first for first in paths if not paths[first].is_file()]
    work = [(plan, players, number, weights, first) for first in missing]
    for first, positions in zip(missing, crew.map(work), strict=True):
        _store(paths[first], lambda file, made=positions: np.savez_compressed(file, **made._asdict()))
        progress(Report(players, number, min(first + CHUNK, games), games))


def _paths(plan: TrainingPlan, players: int, number: int, folder: Path) -> dict[int, Path]:
    """The files of a round, by the first game of each chunk."""
    chunks = range(0, plan.rounds[number].games_for(players), CHUNK)
    return {first: folder / f"games-{players}-{number}-{first}.npz" for first in chunks}


def _positions(plan: TrainingPlan, players: int, rounds: range, folder: Path) -> Positions:
    """The positions of some rounds, in the order of their games."""
    loaded = [np.load(path) for number in rounds for path in _paths(plan, players, number, folder).values()]
    return Positions(*(np.concatenate([each[name] for each in loaded]) for name in Positions._fields))


def _store(path: Path, write: Callable[..., None]) -> None:
    """Write a whole file or none."""
    part = path.with_name(f"part-{path.name}")
    with part.open("wb") as file:
        write(file)
    part.replace(path)


Work = tuple[TrainingPlan, int, int, Floats | None, int]


def _play_chunk(work: Work) -> Positions:
    return SelfPlay(*work[:4]).play(work[4])


class SelfPlay:
    """Plays the games of one round for one number of players."""

    def __init__(self, plan: TrainingPlan, players: int, number: int, weights: Floats | None):
        self._plan, self._players, self._round = plan, players, plan.rounds[number]
        self._game, self._policy = tavolino.load(plan.game), policy_of(plan.game)
        shape = self._policy.net
        assert shape is not None
        self._shape, self._net = shape, NO_NET if weights is None else net_of_weights(shape, weights)
        self._seed = plan.seed * 1_000_003 + number * 101 + players
        self._states, self._worlds = self._game.new_states(), self._game.new_states()
        self._actions, self._scores, _ = new_scratch(self._game)
        self._settings = replace(self._policy.search, margin=0.0, capacity=4 * max(self._round.iterations, 1) + 64)

    def play(self, first: int) -> Positions:
        """The positions of a chunk of games."""
        game = self._game
        options = game.option_numbers(self._players, resolve(game.options, self._players, {}))
        inputs = np.zeros((CHUNK * ROWS, self._players, self._shape.inputs), np.float32)
        shares, expected = np.zeros((2, CHUNK * ROWS, self._players), np.float32)
        cursors = np.array([(first, 0, NOT_YET, 0, 0, 0)], CURSOR)
        teams = game.teams(game.start(self._players, 0)._states[0])
        while not play_for_training(
            self._states,
            self._worlds,
            options,
            *arrange(game.decks, None, game.check_decks),
            teams,
            self._policy.weights_of("medium"),
            self._seed,
            first + CHUNK,
            self._round.iterations > 0,
            self._plan.random_thousandths,
            self._round.kept_thousandths // self._players,
            self._actions,
            self._scores,
            inputs,
            shares,
            expected,
            cursors.view(np.recarray) if IS_PLAIN else cursors,
        ):
            search = self._search(int(cursors[0]["game"]), int(cursors[0]["decisions"]))
            cursors[0]["searched"] = search.choice()[0]
            if cursors[0]["is_kept"]:
                expected[cursors[0]["rows"] - 1] = search.chances()
        rows = int(cursors[0]["rows"])
        return Positions(inputs[:rows].astype(np.float16), shares[:rows], expected[:rows])

    def _search(self, game: int, decisions: int) -> Search:
        seat = int(self._states["to_act"][0])
        seed = hash((self._seed, game, decisions)) & 0xFFFFFFFF  # the hash of integers is the same in every process
        weights = self._policy.weights_of("hard")
        search = Search(self._game, self._worlds, seat, seed, self._settings, weights, self._net)
        search.run(self._round.iterations)
        return search


def first_weights(shape: NetShape, seed: int) -> Floats:
    """Random weights, and a last layer of zeros: the net begins as the game's own evaluation."""
    chance = np.random.default_rng(seed)
    layers = []
    for rows, columns in shape.layers:
        layer = chance.standard_normal((rows, columns)) * np.sqrt(2.0 / (rows - 1))
        layer[-1] = 0.0
        layers.append(layer if columns > 1 else 0.0 * layer)
    return np.concatenate([layer.ravel() for layer in layers]).astype(np.float32)


def learn(
    shape: NetShape, weights: Floats, positions: Positions, settings: Round, plan: TrainingPlan
) -> tuple[Floats, float]:
    """Adam over the positions; the weights, and the mean loss at the positions that were kept for the test."""
    inputs, shares = positions.inputs, targets(positions, settings.trusted_thousandths / THOUSAND)
    chance = np.random.default_rng(plan.seed)
    blocks = np.arange(len(inputs)) // 256 % TEST  # neighbours are of one game
    learnt, tested = np.flatnonzero(blocks != 0), np.flatnonzero(blocks == 0)
    weights, moment, square = weights.copy(), np.zeros(shape.size), np.zeros(shape.size)
    room = learning_room(shape)
    step = 0
    for epoch in range(settings.epochs):
        rate = settings.rate * (1.0 - epoch / settings.epochs) + settings.rate / 20
        order = chance.permutation(learnt)
        for begin in range(0, len(order), plan.batch):
            rows = np.sort(order[begin : begin + plan.batch])
            gradient = np.zeros(shape.size)
            net = net_of_weights(shape, weights)
            add_gradient(inputs[rows].astype(np.float32), shares[rows], net, room, gradient, np.zeros(1))
            gradient /= len(rows)
            step += 1
            moment = 0.9 * moment + 0.1 * gradient
            square = 0.999 * square + 0.001 * gradient * gradient
            change = moment / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            weights = (weights - rate * (change + 1e-3 * weights)).astype(np.float32)
    return weights, _loss(shape, weights, positions, tested)


def targets(positions: Positions, trusted: float) -> Floats:
    """What is learnt: how the game ended, and at positions that were searched partly what the search expected."""
    mixed = (1.0 - trusted) * positions.shares + trusted * positions.expected
    return np.where(positions.expected == UNSEARCHED, positions.shares, mixed).astype(np.float32)


def _loss(shape: NetShape, weights: Floats, positions: Positions, rows: NDArray[np.int64]) -> float:
    inputs, shares, _ = positions
    net, room = net_of_weights(shape, weights), learning_room(shape)
    losses = np.zeros(1)
    for begin in range(0, len(rows), 4096):
        some = rows[begin : begin + 4096]
        add_gradient(inputs[some].astype(np.float32), shares[some], net, room, np.zeros(0), losses)
    return float(losses[0]) / max(1, len(rows))
