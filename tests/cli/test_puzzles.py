"""`tavolino puzzles`: errors of a call are one sentence."""

import json
from pathlib import Path

import tavolino
from tavolino.coach.puzzle_files import games_done
from tests.cli.conftest import Run


def test_the_command_says_what_is_wrong(run_here: Run) -> None:
    assert run_here("puzzles", "chess").returncode == 2
    many = run_here("puzzles", "mantis", "--players", "9")
    assert many.returncode == 2
    assert "2 to 6 players" in many.stderr


def test_a_file_with_something_else_is_refused_with_the_line(run_here: Run, tmp_path: Path) -> None:
    """A cut line, a line without a position, and a puzzle of another game: nothing is appended to such a file."""
    foreign = {"record": {"game": "splendor-marvel", "seed": "puzzles 0 3"}}
    for line, said in [("{", "line 2: this is no puzzle"), ("{}", "no puzzle"), (json.dumps(foreign), "not of mantis")]:
        file = tmp_path / "puzzles.jsonl"
        file.write_text(f"\n{line}\n", "utf-8")
        refused = run_here("puzzles", "mantis", "--into", str(file), "--games", "1")
        assert refused.returncode == 1
        assert said in refused.stderr
        assert "Traceback" not in refused.stderr
        assert file.read_text("utf-8") == f"\n{line}\n"


def test_a_search_continues_after_the_games_that_it_has_done(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    records = [{"record": {"game": "mantis", "seed": seed}} for seed in ("puzzles 0 3", "puzzles 7 9", "puzzles 0 1")]
    file.write_text("\n".join(json.dumps(record) for record in records), "utf-8")
    game = tavolino.load("mantis")
    assert [games_done(file, game, seed) for seed in (0, 7, 1)] == [4, 10, 0]
    assert games_done(tmp_path / "none", game, 0) == 0
