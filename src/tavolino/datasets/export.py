"""Exports games into a folder, shard by shard. What is there already is checked and kept, so an export can be resumed.

A shard depends on the plan and on the numbers of its games, and only this process writes: the same plan gives the same
bytes with any number of workers. `dataset.json` is written again after every shard; a file that it does not list was
interrupted, and is written anew.
"""

import hashlib
import json
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tavolino
from tavolino.datasets.card import data_card
from tavolino.datasets.files import Columns, shard_bytes
from tavolino.datasets.labels import labels
from tavolino.datasets.plan import ExportFailed, ExportPlan, check
from tavolino.datasets.playing import GamePlayer
from tavolino.lab.crew import Crew
from tavolino.research.encodings import encoding_of
from tavolino.research.recording import Rows
from tavolino.version import VERSION

FORMAT = 1
INDEX, CARD, PART = "dataset.json", "README.md", "part-"
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Shard:
    first: int
    games: int
    decisions: int
    data: bytes


def export(
    plan: ExportPlan,
    folder: Path,
    workers: int = 1,
    ray: str | None = None,
    progress: Progress = lambda games: None,
) -> dict[str, Any]:
    """Write the shards that are missing, and the data card. Returns the index; after Ctrl-C `stopped` is true."""
    check(plan)
    index = _open_folder(plan, folder)
    done = {shard["file"] for shard in index["shards"]}
    missing = [(plan, first) for first in plan.shards if plan.file_name(first) not in done]
    progress(_games(index))
    is_stopped = False
    try:
        with Crew(make_shard, workers, ray) as crew:
            for shard in crew.map(missing):
                _keep(plan, folder, index, shard)
                progress(_games(index))
    except KeyboardInterrupt:
        is_stopped = True
    except BrokenProcessPool:
        raise ExportFailed("A worker process has ended; the same command continues from the last shard.") from None
    if not is_stopped:
        _write(folder / CARD, data_card(plan, index).encode())
    return {**index, "stopped": is_stopped}


def _games(index: dict[str, Any]) -> int:
    return sum(shard["games"] for shard in index["shards"])


def _keep(plan: ExportPlan, folder: Path, index: dict[str, Any], shard: Shard) -> None:
    """A shard is listed once it is whole on the disk."""
    name = plan.file_name(shard.first)
    _write(folder / name, shard.data)
    digest = hashlib.sha256(shard.data).hexdigest()
    line = {"file": name, "first": shard.first, "games": shard.games, "decisions": shard.decisions, "sha256": digest}
    index["shards"] = sorted([*index["shards"], line], key=lambda each: int(each["first"]))
    _write(folder / INDEX, _json(index))


def _json(index: dict[str, Any]) -> bytes:
    return (json.dumps(index, indent=1) + "\n").encode()


def _write(path: Path, data: bytes) -> None:
    """Write a whole file or none."""
    part = path.with_name(f"{PART}{path.name}")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as problem:
        with suppress(OSError):
            part.unlink()
        raise ExportFailed(f"{path} could not be written: {problem.strerror}.") from None


def heading(plan: ExportPlan) -> dict[str, Any]:
    """What an index says of the whole dataset; another heading is another dataset."""
    game = tavolino.load(plan.game)
    return {
        "format": FORMAT,
        "tavolino": VERSION,
        "rules": game.rules,
        "encoding": encoding_of(plan.game).version,
        "plan": json.loads(json.dumps(asdict(plan))),
    }


def _open_folder(plan: ExportPlan, folder: Path) -> dict[str, Any]:
    """The index of the folder, whose shards are whole; a new one if the folder is new."""
    wanted = {**heading(plan), "shards": []}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = {path.name for path in folder.iterdir()}
    except OSError as problem:
        raise ExportFailed(f"The folder {folder} cannot be used: {problem.strerror}.") from None
    if INDEX not in names:
        if any(not name.startswith(PART) for name in names):
            raise ExportFailed(f"The folder {folder} holds other files; name a new folder.")
        _write(folder / INDEX, _json(wanted))
        return wanted
    index = read_index(folder)
    if differing := _differences(wanted, index):
        raise ExportFailed(
            f"The folder {folder} holds another export (with other {', '.join(differing)}); nothing was changed: name"
            " another folder, or give the settings of that export."
        )
    check_shards(folder, index)
    return index


def read_index(folder: Path) -> dict[str, Any]:
    """The index of a dataset; ExportFailed if it cannot be read."""
    try:
        index: dict[str, Any] = json.loads((folder / INDEX).read_text("utf-8"))
        for shard in index["shards"]:
            int(shard["first"]), int(shard["games"]), str(shard["sha256"]), str(shard["file"])
    except (OSError, ValueError, KeyError, TypeError):
        raise ExportFailed(
            f"The index {folder / INDEX} cannot be read; nothing was changed: restore it, or name another folder."
        ) from None
    return index


def _differences(wanted: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """The names of the settings that are not those of the folder's export."""
    whole = [name for name in wanted if name not in ("plan", "shards") and found.get(name) != wanted[name]]
    plan = found.get("plan") or {}
    return whole + [name for name, value in wanted["plan"].items() if plan.get(name) != value]


def check_shards(folder: Path, index: dict[str, Any]) -> None:
    """Raise ExportFailed for a listed shard that is not there as it was written."""
    for shard in index["shards"]:
        path = folder / shard["file"]
        try:
            is_whole = hashlib.sha256(path.read_bytes()).hexdigest() == shard["sha256"]
        except OSError:
            is_whole = False
        if not is_whole:
            raise ExportFailed(
                f"The shard {path} is damaged or missing; nothing was changed: restore it, or remove its entry from"
                f" {INDEX} and run the command again to make it anew."
            )


# -- one shard, in any process

_player: GamePlayer | None = None  # of a worker process


def make_shard(work: tuple[ExportPlan, int]) -> Shard:
    global _player
    plan, first = work
    if _player is None or _player.plan != plan:
        _player = GamePlayer(plan)
    games = min(plan.shard_size, plan.games - first)
    rows = _player.play(first, games)
    columns = {**columns_of(rows), **labels(_player, rows)}
    return Shard(first, games, len(rows.games), shard_bytes(columns, plan.format))


def columns_of(rows: Rows) -> Columns:
    """The columns that every dataset has."""
    return {
        "game": rows.games,
        "turn": rows.turns,
        "seat": rows.seats.astype(np.int8),
        "observation": rows.observations,
        "mask": rows.masks.view(np.uint8),
        "action": rows.actions.astype(np.int16),
        "return": rows.returns.astype(np.float32),
    }
