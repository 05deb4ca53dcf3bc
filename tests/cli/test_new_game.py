"""`tavolino new-game`: what it writes passes the conformance suite as it is, and can be played."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tavolino.cli.commands import run
from tests.outside.packages import declare, environment

PROGRAM = """
import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.engine.testing import check_game
game = tavolino.load("gin-rummy")
check_game(game, games=2)
match = game.start(3, 1)
while not match.over:
    match.play(make_bot("hard", "gin-rummy", 1, iterations=50).choose(SeatMatch(match, match.to_act)))
print(match.outcome.reason)
"""


@pytest.mark.slow
def test_the_skeleton_conforms_and_hard_plays_it(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new-game", "gin-rummy", "--into", str(tmp_path)]) == 0
    assert "pip install --no-build-isolation --editable" in capsys.readouterr().out
    folder = tmp_path / "gin-rummy"
    for path in folder.rglob("*"):
        assert path.is_dir() or "{{" not in path.read_text("utf-8"), path
    declare(folder, "gin-rummy", "gin_rummy")
    settings = os.environ | environment(folder, tmp_path_factory)
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("GR-2")


def test_the_skeleton_is_formatted_and_lints(tmp_path: Path) -> None:
    assert run(["new-game", "gin-rummy", "--into", str(tmp_path)]) == 0
    for check in (["format", "--check"], ["check", "--select", "E,F,W,B"]):
        command = [sys.executable, "-m", "ruff", *check, "--isolated", "--line-length", "120", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["Gin", "gin rummy", "-gin", "gin_rummy", "", "../gin", "1st"])
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new-game", "--into", str(tmp_path), "--", name]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gin-rummy").mkdir()
    assert run(["new-game", "gin-rummy", "--into", str(tmp_path)]) == 1
    assert "nothing was written" in capsys.readouterr().err
    assert list((tmp_path / "gin-rummy").iterdir()) == []
    assert run(["new-game", "mantis", "--into", str(tmp_path)]) == 2
