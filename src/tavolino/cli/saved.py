"""Files of unfinished and finished games: a record, and who sat where.

The file has the format of a record, which `tavolino replay` reads, with one more key for the terminal. It is not
encrypted: it contains the seed of the deal, so anyone who reads it can compute every card.
"""

import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.streams import printable

if TYPE_CHECKING:
    from tavolino.engine.match import Match

KEY = "terminal"
TAKEN_BACK = "taken_back"


@dataclass(frozen=True)
class SeatPlan:
    """Who sits where: the seats of people, and the levels of the bots at the others, by seat."""

    people: tuple[int, ...]
    levels: dict[int, str]
    guest: str | None = None  # the name of a person who plays alone


def state_folder() -> Path:
    """The folder for game files; XDG_STATE_HOME moves it."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "tavolino"


def new_file(game: str) -> Path:
    """A name for a new file: the game and the time."""
    return state_folder() / f"{game}-{time.strftime('%Y%m%d-%H%M%S')}.json"


def save(match: "Match", plan: SeatPlan, path: Path, taken_back: list[dict[str, Any]]) -> None:
    """Write the game to a file, atomically."""
    from tavolino.engine.net_files import version_in

    net = version_in(match.game.folder) if "expert" in plan.levels.values() else None
    used = {} if net is None else {"net": net}
    content = match.record() | used | ({TAKEN_BACK: taken_back} if taken_back else {}) | {KEY: asdict(plan)}
    draft = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
        draft.replace(path)
    except OSError as problem:
        raise Failure(f"The game could not be saved in {path}: {problem.strerror}.") from None


def read_content(path: Path) -> bytes:
    """A game file, or as much of a larger file as is needed to say so."""
    from tavolino.engine.records import MAX_BYTES

    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise WrongUse(f"The file {path} cannot be read: {problem.strerror}.") from None


def read_record(path: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    from tavolino.engine.errors import BadRecord
    from tavolino.engine.records import parse

    try:
        return parse(read_content(path))
    except BadRecord as bad:
        raise Failure(f"The file {path} cannot be used. {bad}") from None


def read_saved(path: Path) -> tuple["Match", SeatPlan, list[dict[str, Any]]]:
    """A saved game in its saved position, and the decisions that were taken back."""
    import tavolino

    content = read_record(path)
    try:
        match = tavolino.replay(content)
    except tavolino.BadRecord as bad:
        raise Failure(f"The file {path} cannot be replayed. {bad}") from None
    taken_back = content.get(TAKEN_BACK)
    known = taken_back if isinstance(taken_back, list) else []
    return match, _seat_plan(content.get(KEY), match.players, path), known


def _seat_plan(written: Any, players: int, path: Path) -> SeatPlan:
    from tavolino.bots import LEVELS

    try:
        people = tuple(written["people"])
        levels = {int(seat): level for seat, level in written["levels"].items()}
        guest = None if written["guest"] is None else printable(str(written["guest"]))
        fits = sorted([*people, *levels]) == list(range(players)) and set(levels.values()) <= set(LEVELS)
    except (TypeError, KeyError, ValueError, AttributeError):
        fits = False
    if not fits or not people:
        raise Failure(f"The file {path} does not say who sat where: only files of `tavolino play` can be resumed.")
    return SeatPlan(people, levels, guest)
