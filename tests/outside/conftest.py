"""The games that tests/test_outside_games.py has put on the path. Without them there is nothing to collect here."""

import pytest

import tavolino

if "kuhn-poker" not in tavolino.games():
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def kuhn() -> tavolino.Game:
    return tavolino.load("kuhn-poker")


@pytest.fixture(scope="session")
def bare() -> tavolino.Game:
    """A game without policy, drawing, encoding, rules page, tutorial, and texts in other languages."""
    return tavolino.load("bare-poker")
