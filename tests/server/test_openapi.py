"""The OpenAPI description against the server: schemathesis sends valid and invalid requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tavolino.server import features
from tavolino.server.http import openapi
from tavolino.server.http.routes import ROUTES
from tests.sampling import few_or_many
from tests.server.clients import Guest
from tests.server.conftest import Server

schema = schemathesis.openapi.from_dict(openapi.describe((*ROUTES, *features.routes())))


@pytest.fixture(scope="module")
def caller(shared: Server) -> Callable[[], tuple[str, Guest, str]]:
    shared.ready("mantis")
    guest = Guest(shared.address, "Fuzz")
    table = guest.open("mantis", 2)
    return lambda: (shared.address, guest, table)


@schema.parametrize()
@settings(max_examples=few_or_many(6, 40), deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_asked_the_answer_is_as_described(
    case: schemathesis.Case[Any], caller: Callable[[], tuple[str, Guest, str]]
) -> None:
    address, guest, table = caller()
    if "table" in case.path_parameters:
        case.path_parameters["table"] = table
    if case.method == "DELETE":
        return  # it would take the identity away from the cases that follow
    if case.path == "/api/me/events":
        return  # an answer that does not end (tests/server/test_events.py)
    if case.query.get("wait"):
        case.query["wait"] = 0
    case.call_and_validate(
        base_url=address,
        headers=guest.headers,
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
        ],
    )
