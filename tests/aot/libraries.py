"""Machine code for tests: built once for the sources as they are, kept beside the cache."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

from tavolino.aot.building import build, build_callers
from tavolino.aot.targets import TARGETS
from tavolino.engine.cache_folder import cache_root
from tavolino.engine.modes import AHEAD, CHOICE, platform_name
from tavolino.games import games

ROOT = Path(__file__).parents[2]


def libraries(game: str, *targets: str) -> Path:
    """A folder with the libraries of a game for these targets."""
    folder = cache_root() / "ahead"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [TARGETS[name] for name in targets]
    with (folder / f".{game}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests of other processes need it too
        for target in wanted:
            if target.is_native and not (folder / target.file("caller")).exists():
                build_callers([target], folder)
        build([game], wanted, folder)
    return folder


def run(mode: str, *command: str, folder: Path | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
    """Python in one of the modes, with the libraries of a folder."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    chosen = {CHOICE: mode, **({"TAVOLINO_AHEAD": str(folder)} if folder else {}), **settings}
    environment = {**ours, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", **chosen}
    return subprocess.run(
        [sys.executable, *command], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )


def transcript(mode: str, game: str, count: int, file: Path, folder: Path | None = None) -> bytes:
    """What the entry points of a game compute in a mode."""
    done = run(mode, "-m", "tests.aot.transcripts", game, str(count), str(file), folder=folder)
    assert done.returncode == 0, done.stderr
    assert mode != AHEAD or "not usable" not in done.stderr
    return file.read_bytes()


if __name__ == "__main__":  # build those of all games for this platform, and print the folder
    for each in games():
        built = libraries(each, platform_name())
    print(built)
