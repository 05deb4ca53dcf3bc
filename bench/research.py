"""How fast the research interfaces are, each beside a peer, all in one run and on one core.

    python -m bench.research [--quick]

Rates are by processor time, the best of many short runs, the peers and ours in turn: on a machine that is busy with
other things that is the fairest there is.
"""

import random
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from bench.timing import human, table

import tavolino

REPEATS, SECONDS = (6, 0.1) if "--quick" in sys.argv else (25, 0.15)
PLAYERS = 4

Work = Callable[[float], float]


def best(works: dict[str, Work]) -> dict[str, float]:
    """The best rate of each, all measured in turn so that other load on the machine affects all alike."""
    rates = dict.fromkeys(works, 0.0)
    for _ in range(REPEATS):
        for name, work in works.items():
            rates[name] = max(rates[name], work(SECONDS))
    return rates


def until(seconds: float, units: Callable[[], int]) -> float:
    """Units of work a second of processor time."""
    done, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        done += units()
    return done / spent


# -- batches


def batch(game: str, num_envs: int, **settings: Any) -> Work:
    """Steps a second: the others' decisions, observations and masks included; the learner's own choice, at random,
    is not a part of the environment and is not counted."""
    from tavolino.research.batch import BatchEnv

    env = BatchEnv(game, num_envs, PLAYERS, **settings)
    env.reset(seed=1)

    def work(seconds: float) -> float:
        spent, steps = 0.0, 0
        while spent < seconds:
            actions = env.sample_actions()
            begin = time.process_time()
            env.step(actions)
            spent += time.process_time() - begin
            steps += num_envs
        return steps / spent

    return work


def lowest(observations: Any, masks: Any) -> Any:
    """A policy that takes almost no time."""
    return masks.argmax(axis=1)


def opponents() -> dict[str, dict[str, Any]]:
    """Every kind of opponent but those that search."""
    from tavolino.research.opponents import Pool

    mixed = Pool(["random", "easy", "medium", lowest])
    return {
        "easy opponents": {"opponents": "easy"},
        "medium opponents": {"opponents": "medium"},
        "a policy as opponents": {"opponents": lowest},
        "a pool of ten policies": {"opponents": Pool([lambda seen, masks: lowest(seen, masks) for _ in range(10)])},
        "a pool of levels and a policy": {"opponents": mixed},
        "a list: random, easy, a policy": {"opponents": ["random", "easy", lowest]},
    }


def batches() -> None:
    rows = []
    for game in tavolino.games():
        works = {f"random opponents, batch of {n}": batch(game, n) for n in (64, 256, 1024, 4096)}
        works["self-play, batch of 256"] = batch(game, 256, seat=None)
        works["self-play, batch of 1024"] = batch(game, 1024, seat=None)
        works |= {f"{name}, batch of 256": batch(game, 256, **given) for name, given in opponents().items()}
        works |= {f"{level} opponents, batch of 4": batch(game, 4, opponents=level) for level in ("hard", "expert")}
        if game == "infinity-gauntlet":
            works["random opponents and knowledge, batch of 256"] = batch(game, 256, knowledge=True)
        rows += [[game, name, human(rate)] for name, rate in best(works).items()]
    table(f"Batched environment, {PLAYERS} players", ["game", "", "steps/s"], rows)


# -- PettingZoo


def aec(env: Any) -> Work:
    """PettingZoo's own loop, with a random legal action for each observation."""

    def units() -> int:
        taken = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                env.step(None)
            else:
                env.step(random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
                taken += 1
        return taken

    env.reset(seed=1)
    units()
    return lambda seconds: until(seconds, units)


def pettingzoo() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from pettingzoo.classic import leduc_holdem_v4

    from tavolino.research.pettingzoo import env

    peer = "leduc_holdem_v4"
    works = {peer: aec(leduc_holdem_v4.env())} | {game: aec(env(game, PLAYERS)) for game in tavolino.games()}
    works["infinity-gauntlet without knowledge"] = aec(env("infinity-gauntlet", PLAYERS, knowledge=False))
    rates = best(works)
    rows = [[name, human(rate), f"{rate / rates[peer]:.1f}"] for name, rate in rates.items()]
    table("PettingZoo, AEC loop from Python", ["", "decisions/s", "times leduc_holdem_v4"], rows)


# -- OpenSpiel


def spiel(game: Any) -> Work:
    """Whole games at random from Python."""

    def units() -> int:
        taken, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(random.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                taken += 1
        return taken

    units()
    return lambda seconds: until(seconds, units)


def openspiel() -> None:
    import pyspiel
    from open_spiel.python.games import liars_poker, team_dominoes

    from tavolino.research.openspiel import short_name

    assert liars_poker
    assert team_dominoes  # importing them registers them
    peers = ("python_liars_poker", "python_team_dominoes")
    works = {name: spiel(pyspiel.load_game(name)) for name in peers}
    works |= {game: spiel(pyspiel.load_game(f"{short_name(game)}(players={PLAYERS})")) for game in tavolino.games()}
    rates = best(works)
    rows = [[name, human(rate), *(f"{rate / rates[peer]:.1f}" for peer in peers)] for name, rate in rates.items()]
    table("OpenSpiel, random games from Python", ["", "decisions/s", *(f"times {peer}" for peer in peers)], rows)


if __name__ == "__main__":
    batches()
    pettingzoo()
    openspiel()
