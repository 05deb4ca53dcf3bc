"""`tavolino puzzles`: errors of a call are one sentence."""

from tests.cli.conftest import Run


def test_the_command_says_what_is_wrong(run_here: Run) -> None:
    assert run_here("puzzles", "chess").returncode == 2
    many = run_here("puzzles", "mantis", "--players", "9")
    assert many.returncode == 2
    assert "2 to 6 players" in many.stderr
