"""Fixtures and settings that all tests share."""

import re
from pathlib import Path

import pytest

import tavolino

# The longest first, so that no worker is left with one of them at the end.
LONGEST = (
    "tests/packaging/test_wheel.py",
    "tests/server/test_faults.py",
    "tests/nodes/",
    "tests/beliefs/",
    "tests/server/test_clocks.py",
    "tests/test_outside_games.py",
    "tests/cli/test_outside_game.py",
    "tests/browser/test_whole_games.py",
)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only tests of one mark are run, files that do not name the mark are not imported: every worker imports all
    the others, which takes seconds."""
    asked = re.match("(slow|plain)( and not |$)", config.option.markexpr)
    if asked and collection_path.suffix == ".py" and asked[1] not in collection_path.read_text("utf-8"):
        return True
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.fixture(params=tavolino.games())
def game(request: pytest.FixtureRequest) -> "tavolino.Game":
    """Each game in turn."""
    return tavolino.load(request.param)
