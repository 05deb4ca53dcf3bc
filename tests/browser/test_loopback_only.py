"""The browser of these tests reaches only loopback, and a request to another host is recorded."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error

from tests.browser.conftest import Browsers


@pytest.mark.parametrize("host", ["third-party.example", "192.0.2.1"])
def test_a_request_to_another_host_is_refused_and_recorded(browsers: Browsers, host: str) -> None:
    page = browsers.visitor(speed=None).page  # nothing is stored: an error page has no storage
    page.goto("/")
    with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
        page.goto(f"http://{host}/picture.png")
    assert browsers.foreign == [f"http://{host}/picture.png"]
    with pytest.raises(AssertionError, match="third party"):
        browsers.check()
    browsers.foreign.clear()
