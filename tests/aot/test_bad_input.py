"""Machine code that is not right is never run: one sentence says why, and the game is played in another way."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tavolino.aot.building import folder_of
from tavolino.aot.targets import TARGETS
from tavolino.engine import modes
from tavolino.engine.modes import AHEAD, PLAIN, platform_name
from tavolino.engine.sources import PACKAGE, all_sources, digest_of
from tests.aot.libraries import libraries, run

GAME = "mantis"
NATIVE = TARGETS[platform_name()]
LIBRARY, MANIFEST = NATIVE.file(GAME), NATIVE.manifest(GAME)
CALLER = NATIVE.file("caller")
PLAY = f"""
import sys
{{before}}
import tavolino
match = tavolino.load({GAME!r}).start(2, 1)
while match.to_act is not None:
    match.play(match.legal()[0])
print(match.hash(), "numba" in sys.modules)
"""
WITHOUT_NUMBA = "from tavolino.engine import modes; modes.has_numba = lambda: False"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the libraries, to be damaged."""
    return Path(shutil.copytree(libraries(GAME, NATIVE.name), tmp_path / "code", ignore=shutil.ignore_patterns(".*")))


@pytest.fixture(scope="module")
def right() -> str:
    """The hash of the game when it is played with the right library."""
    done = run("", "-c", PLAY.format(before=""), folder=libraries(GAME, NATIVE.name))
    assert done.stderr == ""
    hashed, has_numba = done.stdout.split()
    assert has_numba == "False"
    return hashed


def cut_off(folder: Path) -> None:
    (folder / LIBRARY).write_bytes((folder / LIBRARY).read_bytes()[:50_000])


def of_another_version(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**manifest, "sources": "0" * 64}))


def of_another_format(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**manifest, "format": 0}))


def not_ours(folder: Path) -> None:
    (folder / LIBRARY).write_bytes(b"\x7fELF" + bytes(5_000))


def of_another_processor(folder: Path) -> None:
    """Its hash is right, but the system's loader refuses it."""
    import hashlib

    content = bytearray((folder / LIBRARY).read_bytes())
    content[18:20] = b"\x15\x00"  # e_machine: PowerPC
    (folder / LIBRARY).write_bytes(content)
    manifest = json.loads((folder / MANIFEST).read_text())
    described = {**manifest, "sha256": hashlib.sha256(content).hexdigest()}
    (folder / MANIFEST).write_text(json.dumps(described))


def without_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


def with_a_damaged_manifest(folder: Path) -> None:
    (folder / MANIFEST).write_text((folder / MANIFEST).read_text()[:1000])


def with_a_manifest_of_something_else(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**manifest, "dtypes": 7}))


def without_the_library(folder: Path) -> None:
    (folder / LIBRARY).unlink()


def with_a_caller_that_is_cut_off(folder: Path) -> None:
    (folder / CALLER).write_bytes((folder / CALLER).read_bytes()[:3000])


DAMAGES = [
    cut_off,
    of_another_version,
    of_another_format,
    not_ours,
    of_another_processor,
    without_manifest,
    with_a_damaged_manifest,
    with_a_manifest_of_something_else,
    without_the_library,
    with_a_caller_that_is_cut_off,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_library_that_is_not_right_is_not_run(damage: Callable[[Path], None], folder: Path, right: str) -> None:
    damage(folder)
    done = run("", "-c", PLAY.format(before=WITHOUT_NUMBA), folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [right, "False"]
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith(f"tavolino: the machine code of {GAME} is not usable (")
    assert sentence.endswith("; it runs as ordinary Python, about a hundred times slower.")


def test_numba_compiles_a_game_whose_library_is_not_right(folder: Path, right: str) -> None:
    cut_off(folder)
    done = run("", "-c", PLAY.format(before=""), folder=folder)
    assert done.stdout.split() == [right, "True"], done.stderr
    (sentence,) = done.stderr.splitlines()
    assert sentence.endswith("; Numba compiles it.")


def test_who_asks_for_it_gets_nothing_else(folder: Path) -> None:
    cut_off(folder)
    done = run(AHEAD, "-c", PLAY.format(before=""), folder=folder)
    assert done.returncode != 0
    assert f"TAVOLINO_COMPILED is ahead, but the machine code of {GAME} is not usable" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", [["simulate", GAME, "--games", "1"], ["warmup", GAME]])
def test_a_command_without_the_machine_code_that_was_asked_for_ends_with_one_sentence(
    command: list[str], tmp_path: Path
) -> None:
    done = run(AHEAD, "-m", "tavolino", *command, folder=tmp_path)
    *_, sentence = lines = done.stderr.splitlines()
    assert sentence.startswith(f"tavolino: TAVOLINO_COMPILED is ahead, but the machine code of {GAME} is not usable")
    assert lines[:-1] in ([], [f"{GAME}: compiling ..."])
    assert done.returncode == 1


def install(place: Path, comment: str) -> Path:
    """A copy of the package with machine code of its own, and with a comment in the rules that makes it a version."""
    package = place / "tavolino"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("page", "__pycache__", "machine_code"))
    with (package / "engine" / "match.py").open("a") as source:
        source.write(f"# {comment}\n")
    code = package / "machine_code"
    shutil.copytree(libraries(GAME, NATIVE.name), code, ignore=shutil.ignore_patterns(".*"))
    manifest = json.loads((code / MANIFEST).read_text())
    sources = [package / each.relative_to(PACKAGE) for each in all_sources(folder_of(GAME))]
    (code / MANIFEST).write_text(json.dumps({**manifest, "sources": digest_of(tuple(sources))}))
    return place


def play_in(place: Path, ahead: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    """Play with an installed copy of the package; `ahead` names another folder of machine code than its own."""
    program = f"import tavolino; assert tavolino.__file__.startswith({str(place)!r})"
    installed = {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1", "TAVOLINO_AHEAD": ahead, **settings}
    return run("", "-c", PLAY.format(before=f"{program}; {WITHOUT_NUMBA}"), folder=None, **installed)


def test_two_versions_side_by_side_use_their_own_machine_code(tmp_path: Path, right: str) -> None:
    one, two = install(tmp_path / "one", "version 1"), install(tmp_path / "two", "version 2")
    shared = {"TAVOLINO_CACHE": str(tmp_path / "cache")}
    for place in (one, two, one):
        done = play_in(place, **shared)
        assert (done.stdout.split(), done.stderr) == ([right, "False"], "")
    done = play_in(one, ahead=str(two / "tavolino" / "machine_code"), **shared)
    assert done.stdout.split() == [right, "False"]
    (sentence,) = done.stderr.splitlines()
    assert "(it was made from other sources); it runs as ordinary Python" in sentence


def test_an_installation_is_not_written(tmp_path: Path, right: str) -> None:
    """So it can be read-only, and belong to somebody else."""

    def files() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}

    place = install(tmp_path / "installed", "version 1")
    before = files()
    done = play_in(place, TAVOLINO_CACHE=str(tmp_path / "cache"), HOME=str(tmp_path / "home"))
    assert (done.stdout.split(), done.stderr) == ([right, "False"], "")
    assert files() == before


def test_an_unknown_mode_is_refused_in_one_sentence() -> None:
    done = run("fast", "-m", "tavolino", "simulate", GAME, "--games", "1")
    assert done.returncode == 2
    assert done.stderr == "tavolino: TAVOLINO_COMPILED is 'fast'; it can be ahead, numba or plain.\n"


def test_numba_is_not_chosen_where_it_is_not_installed() -> None:
    program = f"{WITHOUT_NUMBA}; import sys; from tavolino.cli import main; sys.exit(main(sys.argv[1:]))"
    done = run(modes.NUMBA, "-c", program, "simulate", GAME, "--games", "1")
    assert done.returncode == 2
    assert done.stderr == (
        "tavolino: TAVOLINO_COMPILED is numba, which is not installed: the extra `compile` of the package brings it.\n"
    )


def test_the_chosen_mode_is_used() -> None:
    program = "from tavolino.engine.compiled import MODE; import sys; print(MODE, 'numba' in sys.modules)"
    assert run(PLAIN, "-c", program).stdout == "plain False\n"
    assert run("", "-c", program, NUMBA_DISABLE_JIT="1").stdout == "plain False\n"


def test_numbas_own_settings_need_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(modes.CHOICE, raising=False)
    monkeypatch.setenv("TAVOLINO_AHEAD", str(libraries(GAME, NATIVE.name)))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    assert modes.mode() == AHEAD
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert modes.mode() == modes.NUMBA


def test_without_anything_to_compile_with_one_sentence_says_so() -> None:
    program = "import importlib.util; find = importlib.util.find_spec\n"
    program += "importlib.util.find_spec = lambda name, *more: None if name == 'numba' else find(name, *more)\n"
    done = run("", "-c", program + "import tavolino.engine.compiled", folder=Path("nowhere"))
    assert done.returncode == 0, done.stderr
    (sentence,) = done.stderr.splitlines()
    assert "Numba is not installed: they run as ordinary Python, about a hundred times slower" in sentence
