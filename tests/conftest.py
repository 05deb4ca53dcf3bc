"""What all tests share."""

import pytest

import tavolino


@pytest.fixture(params=tavolino.games())
def game(request: pytest.FixtureRequest) -> "tavolino.Game":
    """Each game in turn."""
    return tavolino.load(request.param)
