"""The views that the component tests use are those of the engine."""

import pytest

from tests.browser import record_views


@pytest.mark.parametrize("game", list(record_views.PLAYERS))
def test_recorded_views_are_those_of_the_engine_today(game: str) -> None:
    recorded = (record_views.FOLDER / f"{game}.json").read_text("utf-8")
    is_alike = recorded == record_views.text(game)  # pytest would take hours to show the difference of such long texts
    assert is_alike, "run tests/browser/record_views.py and look at the page"
