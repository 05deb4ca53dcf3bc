"""The weights of a game's nets: the file `net.bin` in the folder of the game, made by `tavolino train`.

A line of JSON describes them; then come the weights, 32-bit floats, for each number of players. A file that is cut or
does not fit this game is not used, and `problem` says why.
"""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from tavolino.engine.net import NO_NET, Floats, Net, NetShape, net_of_weights

FILE = "net.bin"
FORMAT = 1
VERSION_LENGTH = 16
FLOAT = np.dtype("<f4")


class BadNet(ValueError):
    """A sentence for users."""


@dataclass(frozen=True)
class Nets:
    """The nets of a game by number of players. `version` is a hash of the weights; None: there are none."""

    version: str | None = None
    problem: str | None = None  # why the file is not used
    by_players: dict[int, Net] = field(default_factory=dict)

    def net(self, players: int) -> Net:
        return self.by_players.get(players, NO_NET)


@cache
def nets_in(folder: Path, game: str, shape: NetShape | None) -> Nets:
    """The nets in a game's folder."""
    path = folder / FILE
    if shape is None or not path.is_file():
        return Nets()
    try:
        return read_nets(path.read_bytes(), game, shape)
    except BadNet as bad:
        return Nets(problem=str(bad))


def version_in(folder: Path) -> str | None:
    """The version of the weights in a game's folder, without reading them."""
    path = folder / FILE
    if not path.is_file():
        return None
    with path.open("rb") as file:
        try:
            version = json.loads(file.readline())["version"]
        except (ValueError, KeyError, TypeError):
            return None
    return version if isinstance(version, str) else None


def read_nets(content: bytes, game: str, shape: NetShape) -> Nets:
    head, _, weights = content.partition(b"\n")
    try:
        about = json.loads(head)
        players, version = [int(each) for each in about["players"]], str(about["version"])
        described = (about["format"], about["game"], about["shape"])
    except (ValueError, KeyError, TypeError):
        raise BadNet(f"{FILE} of {game} is not a file of weights.") from None
    if described[0] != FORMAT:
        raise BadNet(f"{FILE} of {game} has the format {described[0]}; this version reads {FORMAT}.")
    if described[1] != game:
        raise BadNet(f"{FILE} of {game} holds the weights of {described[1]}.")
    if described[2] != shape_json(shape):
        raise BadNet(f"{FILE} of {game} was trained for other features than this version has: train it again.")
    if version_of(weights) != version or len(weights) != len(players) * shape.size * FLOAT.itemsize:
        raise BadNet(f"{FILE} of {game} is damaged: the weights do not match their hash.")
    rows = np.frombuffer(weights, FLOAT).reshape(len(players), shape.size)
    return Nets(version, None, {count: net_of_weights(shape, rows[nth]) for nth, count in enumerate(players)})


def write_nets(path: Path, game: str, shape: NetShape, weights: dict[int, Floats]) -> str:
    """Write a file, atomically; returns the version of the weights."""
    content = b"".join(weights[players].astype(FLOAT).tobytes() for players in sorted(weights))
    version = version_of(content)
    about = {
        "format": FORMAT,
        "game": game,
        "players": sorted(weights),
        "shape": shape_json(shape),
        "version": version,
    }
    draft = path.with_name(path.name + ".part")
    draft.write_bytes(json.dumps(about).encode() + b"\n" + content)
    draft.replace(path)
    return version


def version_of(weights: bytes) -> str:
    return hashlib.sha256(weights).hexdigest()[:VERSION_LENGTH]


def shape_json(shape: NetShape) -> list[int]:
    return [shape.whole, shape.items, shape.per_item, shape.pooled, shape.first, shape.second, shape.features]
