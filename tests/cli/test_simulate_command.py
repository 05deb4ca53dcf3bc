"""`tavolino simulate` and `tavolino warmup` on the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Sit


def test_the_figures_as_json_on_stdout(run_here: Run) -> None:
    done = run_here("simulate", "mantis", "--players", "3", "--games", "500", "--seed", "s", "--json", "-")
    assert done.returncode == 0
    assert done.stderr == "", "no bar where there is no terminal"
    figures = json.loads(done.stdout)
    assert figures["games"] == 500
    assert figures["decisions"] > 500 * 5
    assert figures["seconds"] > 0
    assert figures["players"] == 3
    assert figures["options"] == {"first": 0, "icons": True}
    assert sum(row["games"] for row in figures["reasons"].values()) == 500


def test_the_figures_as_a_table_and_in_a_file(run_here: Run, tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    done = run_here(
        "simulate", "mantis", "--games", "200", "--option", "icons=false", "--json", str(path), COLUMNS="100"
    )
    assert done.returncode == 0
    assert "200 games" in done.stdout
    assert "seat 3 wins" in done.stdout
    assert "ends by MA-30" in done.stdout
    assert json.loads(path.read_text())["options"]["icons"] is False


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("chess",), "There is no game 'chess'"),
        (("mantis", "--players", "7"), "mantis is for 2 to 6 players, not 7."),
        (("mantis", "--bots", "hard"), "tavolino arena"),
        (("mantis", "--option", "size=3"), "There is no option 'size'. Options: first, icons."),
        (("mantis", "--games", "0"), "--games"),
        (("mantis", "--workers", "0"), "--workers"),
        (("mantis", "--games", "many"), "--games"),
    ],
)
def test_wrong_use(run_here: Run, arguments: tuple[str, ...], sentence: str) -> None:
    done = run_here("simulate", *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_cannot_be_written_is_a_failure(run_here: Run) -> None:
    done = run_here("simulate", "mantis", "--games", "5", "--json", "/nowhere/figures.json")
    assert done.returncode == 1
    assert "could not be written" in done.stderr


@pytest.mark.slow
def test_thousands_of_workers_are_no_thousands_of_processes(run: Run) -> None:
    done = run("simulate", "mantis", "--games", "1000", "--workers", "5000", "--json", "-")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 1000


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_bar_shows_progress_and_ctrl_c_keeps_what_was_played(sit: Sit, tmp_path: Path, workers: str) -> None:
    path = tmp_path / "figures.json"
    terminal = sit("simulate", "mantis", "--games", "2000000000", "--workers", workers, "--json", str(path))
    terminal.expect_match(r"[1-9]\d*/2000000000")
    terminal.press(b"\x03")
    assert terminal.end() == 130
    assert "seat 3 wins" in terminal.screen
    assert "Stopped early" in terminal.screen
    assert "Traceback" not in terminal.all
    figures = json.loads(path.read_text())
    assert figures["stopped"] is True
    assert 0 < figures["games"] < 2_000_000_000


def test_warmup_says_how_far_it_is(run: Run) -> None:
    done = run("warmup", "mantis")
    assert done.returncode == 0
    assert "mantis: compiling ..." in done.stderr
    assert "[1/1]" in done.stderr
    assert run("warmup", "chess").returncode == 2
