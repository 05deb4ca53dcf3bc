"""A world that a seat cannot tell from the true one, as bytes for another process.

A program in a process of its own gets such a world and not the match: the true cards are never there.
"""

import pickle

import numpy as np

import tavolino
from tavolino.engine.game import Seed
from tavolino.engine.match import Match
from tavolino.engine.record import SPECTATOR


def pack_world(match: Match, seat: int, seed: Seed) -> bytes:
    """A resampled world of a seat, with what this seat and spectators have seen."""
    world = match.resample(seat, seed)
    logs = {viewer: world._logs[viewer] for viewer in (SPECTATOR, seat)}
    decided = {seat: world._decided[seat]} if seat in world._decided else {}
    kept = (world.game.name, world.rules, world._options, world._states.tobytes(), logs, world._before, decided)
    return pickle.dumps((*kept, world._out[: world._n_legal].tolist()))


def unpack_world(packed: bytes) -> Match:
    name, rules, options, states, logs, before, decided, legal = pickle.loads(packed)
    game = tavolino.load(name)
    own = game.new_states()
    own[:] = np.frombuffer(states, dtype=game.record)
    world = Match(game, own, options, rules)
    world._logs = {viewer: list(logs.get(viewer, logs[SPECTATOR])) for viewer in range(SPECTATOR, world.players)}
    world._before, world._decided, world._n_legal = before, decided, len(legal)
    world._out[: len(legal)] = legal
    return world
