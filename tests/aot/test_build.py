"""The build of code ahead of time: complete, reproducible, exact, and clear about what it cannot do."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.aot import __main__ as command_line
from tavolino.aot import emitting
from tavolino.aot.building import CannotBuild, build
from tavolino.aot.lowering import import_declaring
from tavolino.aot.targets import TARGETS
from tavolino.engine import entry_points
from tavolino.engine.ahead import dtypes_in
from tavolino.engine.sources import PACKAGE
from tests.aot.libraries import libraries

GAME = "mantis"
TARGET = "linux-x86_64"


def entries(path: Path) -> list[str]:
    """The functions of a file with the decorator `@entry`."""
    functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    return [each.name for each in functions if any(getattr(one, "id", "") == "entry" for one in each.decorator_list)]


def test_every_entry_point_is_in_the_list() -> None:
    games = [tavolino.load(name) for name in tavolino.games()]
    for game in games:
        import_declaring(game)
    declared = {point.name for game in games for point, _ in entry_points.entry_points(game)}
    defined = {name for path in PACKAGE.rglob("*.py") for name in entries(path)}
    assert declared == defined


def test_an_entry_point_without_a_record_takes_the_same_in_every_library() -> None:
    """It is called in the library of any game."""
    sizes: dict[str, set[Any]] = {}
    for game in map(tavolino.load, tavolino.games()):
        import_declaring(game)
        for point, arguments in entry_points.entry_points(game):
            if game.record not in dtypes_in(arguments):
                sizes.setdefault(point.symbol, set()).add(tuple(getattr(each, "shape", None) for each in arguments))
    assert set(sizes) == {"add_gradient", "choose_edge", "first_illegal", "sample"}
    assert {len(each) for each in sizes.values()} == {1}


@pytest.mark.slow
def test_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    first = libraries(GAME, TARGET)
    build([GAME], [TARGETS[TARGET]], tmp_path)
    for name in (TARGETS[TARGET].file(GAME), TARGETS[TARGET].manifest(GAME)):
        assert (tmp_path / name).read_bytes() == (first / name).read_bytes()


def test_the_extension_module_is_the_same_every_time(tmp_path: Path) -> None:
    made = [emitting.emit_caller(TARGETS[TARGET], tmp_path / name).read_bytes() for name in ("one", "two")]
    assert made[0] == made[1]
    assert str(tmp_path).encode() not in made[0]


@pytest.mark.parametrize(
    "instruction",
    [
        "fadd fast double",
        "fmul contract double",
        "call double @llvm.fma.f64(",
        "call reassoc double @llvm.vector.reduce.fadd(",
    ],
)
def test_inexact_arithmetic_is_recognised(instruction: str) -> None:
    assert emitting.INEXACT.search(f"  %x = {instruction} %a, %b\n")
    assert not emitting.INEXACT.search("  %x = fadd double %a, %b\n  tail call fastcc void @fast_f(double %x)\n")


def test_a_missing_linker_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(emitting, "find_spec", lambda name: None)
    with pytest.raises(CannotBuild, match="pip install ziglang"):
        emitting.emit_caller(TARGETS[TARGET], tmp_path)


def test_what_cannot_be_built_is_said_in_one_sentence(tmp_path: Path) -> None:
    command: list[Any] = [sys.executable, "-m", "tavolino", "compile", "chess"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("tavolino: No installed game has the package 'chess'. Packages: ")
    done = subprocess.run([*command[:-1], GAME, "--target", "toaster"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "There is no platform 'toaster'. Platforms: linux-x86_64, linux-aarch64, macos-aarch64." in done.stderr


def test_options_may_stand_between_the_folder_and_the_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(command_line, "build", lambda *arguments: asked.append(arguments))
    monkeypatch.setattr(sys, "argv", ["aot", str(tmp_path), "--target", "pyodide", "--target", "wasm", GAME])
    assert command_line.main() == 0
    assert asked == [([GAME], [TARGETS["pyodide"], TARGETS["wasm"]], tmp_path)]


def test_the_linker_is_pinned_in_one_version() -> None:
    root = PACKAGE.parents[1]
    pinned = (root / "requirements" / "build.txt").read_text()
    assert pinned.startswith("ziglang==")
    version = pinned.split()[0]
    for file in ("pyproject.toml", "hatch_build.py"):
        assert version in (root / file).read_text()
