"""A game from outside in the terminal: with no drawing of its own, and with no texts but English ones."""

import pytest

from tests.cli.conftest import Run, Sit
from tests.outside.packages import KUHN, environment, install, install_bare_copy


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a command that finds two more games."""
    folder = tmp_path_factory.mktemp("outside")
    install(KUHN, folder / "site")
    install_bare_copy(folder / "site", "bare_poker")
    return environment(folder / "site", tmp_path_factory)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "pl"])
def test_a_game_in_a_package_of_its_own_is_played_to_its_end(sit: Sit, outside: dict[str, str], language: str) -> None:
    words = ("play", "kuhn-poker", "--seed", "kuhn", "--bots", "medium", "--pace", "0", "--language", language)
    terminal = sit(*words, **outside)
    screen = terminal.ask()
    assert screen is not None
    assert {"en": "Check or bet?", "pl": "Czekasz czy stawiasz?"}[language] in screen
    assert "pot 2" in screen
    while screen is not None:
        terminal.type("1")
        screen = terminal.ask()
    assert terminal.end() == 0
    assert "KP-2" in terminal.screen


@pytest.mark.slow
def test_without_a_policy_the_level_says_how_it_plays(sit: Sit, outside: dict[str, str]) -> None:
    terminal = sit("play", "bare-poker", "--bots", "easy", "--pace", "0", **outside)
    assert terminal.ask() is not None
    assert "bare-poker has no heuristic: easy plays at random." in terminal.all
    terminal.type("q")
    assert terminal.end() == 0


def test_help_and_errors_list_it(run: Run, outside: dict[str, str]) -> None:
    wide = outside | {"COLUMNS": "200"}
    assert "kuhn-poker" in run("--help", **wide).stdout
    assert "kuhn-poker" in run("play", "--help", **wide).stdout
    refused = run("simulate", "chess", **outside)
    assert refused.returncode == 2
    assert "kuhn-poker" in refused.stderr
