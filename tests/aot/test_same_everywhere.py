"""Code compiled ahead computes what Numba and ordinary Python compute, to the last bit; a planted bit is found."""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

import tavolino
from tavolino.aot.targets import TARGETS
from tavolino.engine.arithmetic import LN2_HIGH
from tavolino.engine.modes import AHEAD, NUMBA, PLAIN, platform_name
from tests.aot.libraries import ROOT, libraries, run, transcript
from tests.sampling import few_or_many

HERE = Path(__file__).parent
FIRST = "mantis"  # `make test` compares this one, `make test-slow` the others
GAMES = [name if name == FIRST else pytest.param(name, marks=pytest.mark.slow) for name in tavolino.games()]
COUNT = few_or_many(12, 60)
FEW = 3  # ordinary Python takes a hundred times as long
SYSROOT = Path("/usr/aarch64-linux-gnu")
NATIVE = platform_name()
WEBASSEMBLY = ("wasm", "pyodide")  # a module with a memory of its own, and a side module for Pyodide


def plant(folder: Path, target: str, game: str, into: Path) -> Path:
    """The libraries of a folder, but with one bit of a constant changed, and a manifest that says it is right."""
    shutil.copytree(folder, into, ignore=shutil.ignore_patterns(".*"))
    library, manifest = into / TARGETS[target].file(game), into / TARGETS[target].manifest(game)
    content = library.read_bytes()
    copies = 0
    for constant in (LN2_HIGH, -LN2_HIGH):  # WebAssembly has a copy in every function
        right = struct.pack("<d", constant)
        copies += content.count(right)
        content = content.replace(right, right[:4] + bytes([right[4] ^ 1]) + right[5:])
    assert copies
    library.write_bytes(content)
    described = json.loads(manifest.read_text())
    described["sha256"] = hashlib.sha256(content).hexdigest()
    manifest.write_text(json.dumps(described))
    return into


@pytest.mark.parametrize("game", GAMES)
def test_the_library_computes_what_numba_computes(game: str, tmp_path: Path) -> None:
    folder = libraries(game, NATIVE)
    assert transcript(AHEAD, game, COUNT, tmp_path / "a", folder) == transcript(NUMBA, game, COUNT, tmp_path / "n")


@pytest.mark.slow
@pytest.mark.parametrize("game", tavolino.games())
def test_ordinary_python_computes_it_too(game: str, tmp_path: Path) -> None:
    folder = libraries(game, NATIVE)
    assert transcript(AHEAD, game, FEW, tmp_path / "a", folder) == transcript(PLAIN, game, FEW, tmp_path / "p")


def test_a_changed_bit_in_the_library_is_found(tmp_path: Path) -> None:
    folder = libraries(FIRST, NATIVE)
    planted = plant(folder, NATIVE, FIRST, tmp_path / "planted")
    right = transcript(AHEAD, FIRST, COUNT, tmp_path / "a", folder)
    assert transcript(AHEAD, FIRST, COUNT, tmp_path / "b", planted) != right


def repeat_in_node(module: Path, file: Path) -> subprocess.CompletedProcess[str]:
    command = [str(each) for each in (ROOT / "scripts/with-node", "node", HERE / "repeat.mjs", module, file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("game", tavolino.games())
def test_webassembly_computes_what_numba_computes(game: str, tmp_path: Path) -> None:
    folder = libraries(game, *WEBASSEMBLY)
    file = tmp_path / "transcript"
    transcript(NUMBA, game, COUNT, file)
    for target in WEBASSEMBLY:
        done = repeat_in_node(folder / TARGETS[target].file(game), file)
        assert done.returncode == 0, f"{target}: {done.stdout}{done.stderr}"
        assert int(done.stdout) > COUNT


@pytest.mark.slow
@pytest.mark.parametrize("game", tavolino.games())
def test_webassembly_computes_recorded_games_searches_and_reviews(game: str, tmp_path: Path) -> None:
    """And what bots and notebooks ask for: all calls of the library, of which other tests hold the outcomes."""
    folder, file = libraries(game, NATIVE), tmp_path / "recorded"
    done = run(AHEAD, "-m", "tests.aot.recorded", game, str(file), folder=folder)
    assert done.returncode == 0, done.stderr
    count, *names = done.stdout.split()
    assert {"advance", "decide", "draw_world", "grow", "play_out"} <= set(names)
    folder = libraries(game, *WEBASSEMBLY)
    for target in WEBASSEMBLY:
        done = repeat_in_node(folder / TARGETS[target].file(game), file)
        assert (done.returncode, done.stdout) == (0, f"{count}\n"), f"{target}: {done.stdout}{done.stderr}"
    file.unlink()  # hundreds of megabytes


@pytest.mark.slow
@pytest.mark.parametrize("target", WEBASSEMBLY)
def test_a_changed_bit_in_webassembly_is_found(target: str, tmp_path: Path) -> None:
    planted = plant(libraries(FIRST, *WEBASSEMBLY), target, FIRST, tmp_path / "planted")
    file = tmp_path / "transcript"
    transcript(NUMBA, FIRST, COUNT, file)
    done = repeat_in_node(planted / TARGETS[target].file(FIRST), file)
    assert done.returncode == 1
    assert "differs" in done.stdout or "instead of" in done.stdout


def repeat_on_aarch64(library: Path, file: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    program = folder / "repeat"
    build = [sys.executable, "-m", "ziglang", "cc", "-target", TARGETS["linux-aarch64"].zig, "-O1"]
    subprocess.run([*build, HERE / "repeat.c", "-ldl", "-o", program], check=True, capture_output=True)
    command = [str(each) for each in ("qemu-aarch64", "-L", SYSROOT, program, library, file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("qemu-aarch64") and SYSROOT.exists()), reason="needs Debian's qemu-user and libc6-arm64-cross"
)
@pytest.mark.parametrize("game", tavolino.games())
def test_aarch64_computes_what_numba_computes(game: str, tmp_path: Path) -> None:
    folder = libraries(game, "linux-aarch64")
    file = tmp_path / "transcript"
    transcript(NUMBA, game, COUNT, file)
    done = repeat_on_aarch64(folder / TARGETS["linux-aarch64"].file(game), file, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    if game == FIRST:
        planted = plant(folder, "linux-aarch64", game, tmp_path / "planted")
        assert repeat_on_aarch64(planted / TARGETS["linux-aarch64"].file(game), file, tmp_path).returncode == 1
