"""The cache of machine code: never stale, never of another mode (the traps of Numba's own cache)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tavolino.engine.compiled import FINGERPRINT_LENGTH, IS_PLAIN, PACKAGE, prune_cache

pytestmark = pytest.mark.skipif(IS_PLAIN, reason="ordinary Python has no machine code")

CALLER = """
import sys
from tavolino.engine.compiled import compiled
from tavolino.games.toy.callee import answer

@compiled
def ask(numbers, at):
    return answer(numbers, at)

if __name__ == "__main__":
    import numpy as np
    print(ask(np.arange(3), int(sys.argv[1])))
"""
CALLEE = """
from tavolino.engine.compiled import compiled

@compiled
def answer(numbers, at):
    return numbers[at] + {plus}
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A copy of the engine with a toy game of two files, where one calls the other."""
    package = tmp_path / "tavolino"
    (package / "games" / "toy").mkdir(parents=True)
    for name in ("__init__.py", "version.py", "games/__init__.py"):
        (package / name).write_text((PACKAGE / name).read_text())
    (package / "engine").symlink_to(PACKAGE / "engine")
    (package / "games" / "toy" / "__init__.py").write_text("")
    (package / "games" / "toy" / "caller.py").write_text(CALLER)
    (package / "games" / "toy" / "callee.py").write_text(CALLEE.format(plus=100))
    return tmp_path


def ask(toy: Path, at: int, **settings: str) -> subprocess.CompletedProcess[str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment = {**ours, "PYTHONPATH": str(toy), "TAVOLINO_CACHE": str(toy / "cache"), **settings}
    command = [sys.executable, "-m", "tavolino.games.toy.caller", str(at)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_an_edited_callee_in_another_file_is_compiled_again(toy: Path) -> None:
    assert ask(toy, 1).stdout == "101\n"
    (toy / "tavolino/games/toy/callee.py").write_text(CALLEE.format(plus=200))
    assert ask(toy, 1).stdout == "201\n"


def test_a_checked_run_finds_a_planted_out_of_bounds_read_on_a_warm_cache(toy: Path) -> None:
    assert ask(toy, 1).returncode == 0
    checked = ask(toy, 70, NUMBA_BOUNDSCHECK="1")
    assert checked.returncode != 0
    assert "IndexError" in checked.stderr


def test_machine_code_with_checks_is_not_loaded_in_normal_mode(toy: Path) -> None:
    assert ask(toy, 1, NUMBA_BOUNDSCHECK="1").returncode == 0
    assert ask(toy, 3).returncode == 0, "an unchecked read just past the end goes unnoticed: it is the fast code"


def test_a_second_process_loads_what_the_first_one_compiled(toy: Path) -> None:
    ask(toy, 1)
    made = {path: path.stat().st_mtime_ns for path in (toy / "cache").rglob("*.nbc")}
    assert made
    ask(toy, 2)
    assert {path: path.stat().st_mtime_ns for path in (toy / "cache").rglob("*.nbc")} == made


def test_only_machine_code_that_nobody_has_used_for_a_month_is_removed(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, long_ago = toy / "cache", 1_000_000_000
    ask(toy, 1)
    used = set(cache.iterdir())
    unused, foreign = cache / ("0" * FINGERPRINT_LENGTH), cache / "somebody's own"
    for folder in (unused, foreign):
        folder.mkdir()
    for folder in (*used, unused, foreign):
        os.utime(folder, (long_ago, long_ago))
    ask(toy, 1)  # uses its own again
    monkeypatch.setenv("TAVOLINO_CACHE", str(cache))
    assert prune_cache() == 1
    assert set(cache.iterdir()) == {*used, foreign}
