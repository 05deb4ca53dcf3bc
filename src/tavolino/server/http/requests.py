"""HTTP as our routes need it: identity, bodies and answers by msgspec, refusals as problems."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from tavolino.server.errors import Refused
from tavolino.server.people.identities import Person
from tavolino.server.storage import StorageError, StorageFull
from tavolino.server.tables.registry import Hall

COOKIE = "tavolino"
COOKIE_SECONDS = 400 * 86_400  # the longest that browsers keep one
BODY_SECONDS = 15
Body = TypeVar("Body")
Handler = Callable[[Request], Awaitable[Response]]
_encode = msgspec.json.Encoder().encode


def answer(content: Any, status: int = 200) -> Response:
    return Response(_encode(content), status, media_type="application/json")


def problem(refused: Refused) -> Response:
    response = answer(refused.problem, refused.status)
    if refused.status in (429, 503):
        response.headers["Retry-After"] = "5"
    return response


def hall_of(connection: HTTPConnection) -> Hall:
    hall: Hall = connection.app.state.hall
    return hall


def token_of(connection: HTTPConnection) -> str | None:
    """The bearer token of a program, or the cookie of a browser."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    return connection.cookies.get(COOKIE)


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "unknown"


async def who(connection: HTTPConnection) -> Person | None:
    return await hall_of(connection).house.people.recognise(token_of(connection))


async def somebody(connection: HTTPConnection) -> Person:
    person = await who(connection)
    if person is None:
        raise Refused("no-identity")
    return person


async def body(request: Request, kind: type[Body] | Any) -> Any:
    """The body as one of our messages. What does not fit is refused, and not repeated in the answer."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            content = await request.body()
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, TimeoutError):
        raise Refused("bad-message") from None


def number(request: Request, name: str, default: int, most: int) -> int:
    """A whole number of the query."""
    text = request.query_params.get(name, str(default))
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise Refused("bad-message")
    return min(int(text), most)


def refusing(handler: Handler) -> Handler:
    """A handler whose refusals become problems, and whose faults become one without detail."""

    async def handle(request: Request) -> Response:
        hall = hall_of(request)
        try:
            hall.house.request_limits.take(address_of(request))
            return await handler(request)
        except Refused as refused:
            caught = refused
        except StorageFull:
            caught = Refused("storage-full")
        except StorageError as error:
            hall.house.log.error("storage failed", path=request.url.path, error=str(error))
            caught = Refused("storage-failed")
        except Exception:
            hall.house.metrics.crashes.inc()
            hall.house.log.exception("request failed", path=request.url.path)
            caught = Refused("internal")
        hall.house.metrics.refusals.labels(caught.problem.code).inc()
        return problem(caught)

    handle.__name__ = handler.__name__
    handle.__doc__ = handler.__doc__
    return handle


def set_cookie(response: Response, token: str, secure: bool) -> None:
    response.set_cookie(COOKIE, token, max_age=COOKIE_SECONDS, path="/", secure=secure, httponly=True, samesite="lax")


def drop_cookie(response: Response, secure: bool) -> None:
    response.delete_cookie(COOKIE, path="/", secure=secure, httponly=True, samesite="lax")
