"""The packages that tests/test_outside_*.py have put on the path. Without them there is nothing to collect here."""

import pytest

import tavolino
from tavolino.server import features
from tests.server.conftest import start_server

__all__ = ["start_server"]

collect_ignore = [] if "dice_rolls" in features.packages() else ["test_dice_rolls.py"]
if "kuhn-poker" not in tavolino.games():
    collect_ignore += ["test_kuhn_poker.py", "test_optional_parts.py"]


@pytest.fixture(scope="session")
def kuhn() -> tavolino.Game:
    return tavolino.load("kuhn-poker")


@pytest.fixture(scope="session")
def bare() -> tavolino.Game:
    """A game without policy, drawing, encoding, rules page, tutorial, and texts in other languages."""
    return tavolino.load("bare-poker")
