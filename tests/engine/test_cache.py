"""The cache of machine code: never stale, never of another mode (the traps of Numba's own cache)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tavolino.engine.cache_folder import FINGERPRINT_LENGTH, SUFFIX, cache_root, prune_cache
from tavolino.engine.compiled import IS_PLAIN
from tavolino.engine.portable import PORTABLE_CPU
from tavolino.engine.sources import PACKAGE

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
    from tavolino.engine.code_cache import used_files
    print(ask(np.arange(3), int(sys.argv[1])))
    if sys.argv[2:] == ["--files"]:
        print(*used_files())
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


def ask(toy: Path, at: int, *more: str, **settings: str) -> subprocess.CompletedProcess[str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment = {**ours, "PYTHONPATH": str(toy), "TAVOLINO_CACHE": str(toy / "cache"), **settings}
    command = [sys.executable, "-m", "tavolino.games.toy.caller", str(at), *more]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_an_edited_callee_in_another_file_is_compiled_again(toy: Path) -> None:
    assert ask(toy, 1).stdout == "101\n"
    callee = toy / "tavolino/games/toy/callee.py"
    callee.write_text(CALLEE.format(plus=200))
    later = callee.stat().st_mtime + 2  # Python itself takes a file of the same second and size for the same
    os.utime(callee, (later, later))
    assert ask(toy, 1).stdout == "201\n"


@pytest.mark.slow
def test_a_checked_run_finds_a_planted_out_of_bounds_read_on_a_warm_cache(toy: Path) -> None:
    assert ask(toy, 1).returncode == 0
    checked = ask(toy, 70, NUMBA_BOUNDSCHECK="1")
    assert checked.returncode != 0
    assert "IndexError" in checked.stderr


@pytest.mark.slow
def test_machine_code_with_checks_is_not_loaded_in_normal_mode(toy: Path) -> None:
    assert ask(toy, 1, NUMBA_BOUNDSCHECK="1").returncode == 0
    assert ask(toy, 3).returncode == 0, "an unchecked read just past the end goes unnoticed: it is the fast code"


@pytest.mark.slow
def test_a_second_process_loads_what_the_first_one_compiled(toy: Path) -> None:
    answer, *written = ask(toy, 1, "--files").stdout.split()
    assert answer == "101"
    made = {path: path.stat().st_mtime_ns for path in (toy / "cache").rglob(f"*{SUFFIX}")}
    assert made
    assert {Path(path) for path in written} == set(made), "`used_files` names what was written"
    _, *loaded = ask(toy, 2, "--files").stdout.split()
    assert {Path(path) for path in loaded} == set(made), "and what was loaded"
    assert {path: path.stat().st_mtime_ns for path in (toy / "cache").rglob(f"*{SUFFIX}")} == made


@pytest.mark.long
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


def code_files(toy: Path) -> set[Path]:
    return set((toy / "cache").rglob(f"*{SUFFIX}"))


@pytest.mark.long
def test_code_that_was_cut_off_is_compiled_again(toy: Path) -> None:
    ask(toy, 1)
    (file,) = code_files(toy)
    file.write_bytes(file.read_bytes()[:1000])
    assert ask(toy, 1).stdout == "101\n"
    assert len(file.read_bytes()) > 1000


@pytest.mark.long
def test_a_cache_works_from_another_place_with_other_times_of_files(toy: Path, tmp_path: Path) -> None:
    ask(toy, 1)
    moved = tmp_path / "elsewhere" / "with a space"
    moved.mkdir(parents=True)
    for name in ("tavolino", "cache"):
        (toy / name).rename(moved / name)
    before = {path: path.stat().st_mtime_ns for path in code_files(moved)}
    for source in (moved / "tavolino" / "games").rglob("*.py"):
        os.utime(source, (1_000_000_000, 1_000_000_000))
    assert ask(moved, 1).stdout == "101\n"
    assert {path: path.stat().st_mtime_ns for path in code_files(moved)} == before


@pytest.mark.long
def test_portable_code_is_used_by_a_process_that_compiles_for_its_own_cpu(toy: Path) -> None:
    ask(toy, 1, NUMBA_CPU_NAME=PORTABLE_CPU, NUMBA_CPU_FEATURES="")
    made = code_files(toy)
    assert ask(toy, 1).stdout == "101\n"
    assert code_files(toy) == made


@pytest.mark.long
def test_code_for_another_cpu_is_not_used(toy: Path) -> None:
    ask(toy, 1, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="+cx16")
    made = code_files(toy)
    assert ask(toy, 1).stdout == "101\n"
    assert len(code_files(toy)) == len(made) + 1


@pytest.mark.slow
def test_a_warm_cache_is_used_without_writing_anything(toy: Path) -> None:
    """So a cache that cannot be written (another user's, a read-only image) works too."""
    ask(toy, 1)
    (folder,) = {path.parent for path in code_files(toy)}
    folder.chmod(0o555)
    (toy / "cache").chmod(0o555)
    before = {path: path.stat().st_mtime_ns for path in (toy / "cache").rglob("*") if path != folder}
    again = ask(toy, 1)
    assert (again.stdout, again.stderr) == ("101\n", "")
    assert {path: path.stat().st_mtime_ns for path in (toy / "cache").rglob("*") if path != folder} == before


def test_a_cold_cache_that_cannot_be_written_gives_one_warning_and_leaves_no_files(toy: Path) -> None:
    (toy / "a file").write_text("in the way, so that not even root can write below it")
    temporary = toy / "temporary"
    temporary.mkdir()
    there = ask(toy, 1, TAVOLINO_CACHE=str(toy / "a file" / "cache"), TMPDIR=str(temporary))
    assert there.stdout == "101\n"
    assert len(there.stderr.splitlines()) == 1
    assert "cannot be written" in there.stderr
    assert "set TAVOLINO_CACHE" in there.stderr
    assert list(temporary.iterdir()) == []


def test_without_a_home_the_cache_goes_where_the_system_keeps_temporary_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("TAVOLINO_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    assert cache_root().name == f"tavolino-{os.getuid()}"
