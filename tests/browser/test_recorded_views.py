"""The component tests of the page stand on views that the engine really gives."""

import pytest

from tests.browser import record_views


@pytest.mark.parametrize("game", list(record_views.PLAYERS))
def test_recorded_views_are_those_of_the_engine_today(game: str) -> None:
    recorded = (record_views.FOLDER / f"{game}.json").read_text("utf-8")
    is_alike = recorded == record_views.text(game)  # the runner would draw the difference of so long a text for hours
    assert is_alike, "run tests/browser/record_views.py and look at the page"
