"""The browser of these tests reaches nothing but loopback, and a page that tries to is found out."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error

from tests.browser.conftest import House


@pytest.mark.parametrize("host", ["third-party.example", "192.0.2.1"])
def test_a_request_to_another_host_is_refused_and_recorded(house: House, host: str) -> None:
    page = house.visitor(speed=None).page  # nothing is stored: an error page has no storage
    page.goto("/")
    with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
        page.goto(f"http://{host}/picture.png")
    assert house.foreign == [f"http://{host}/picture.png"]
    with pytest.raises(AssertionError, match="third party"):
        house.check()
    house.foreign.clear()
