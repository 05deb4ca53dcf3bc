"""Reading requests with msgspec, and answering refusals and faults."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tavolino.server import access
from tavolino.server.errors import Refused
from tavolino.server.storage import OutcomeUnknown, StorageBroken, StorageError, StorageFull

BODY_SECONDS = 15
Body = TypeVar("Body")
Handler = Callable[[Request], Awaitable[Response]]


async def body(request: Request, kind: type[Body] | Any) -> Any:
    return await body_by(request, partial(msgspec.json.decode, type=kind))


async def body_by(request: Request, decode: Callable[[bytes], Any]) -> Any:
    """The body, decoded. What cannot be decoded is refused, and not repeated in the answer."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            content = await request.body()
        return decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, TimeoutError, ClientDisconnect):
        raise Refused("bad-message") from None


def number(request: Request, name: str, default: int, most: int) -> int:
    """A whole number from the query."""
    text = request.query_params.get(name, str(default))
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise Refused("bad-message")
    return min(int(text), most)


def answering(handler: Handler) -> Handler:
    """A handler whose refusals become problems, and whose faults become one without details."""

    async def handle(request: Request) -> Response:
        context = access.registry_of(request).context
        try:
            context.limits.requests.take(access.subscriber_of(request))
            return await handler(request)
        except Refused as refused:
            access.note_refusal(request, refused)
            caught = refused
        except StorageFull:
            caught = Refused("storage-full")
        except OutcomeUnknown:
            caught = Refused("storage-unknown")
        except StorageBroken:
            caught = Refused("storage-broken")
        except StorageError as error:
            context.log.error("storage failed", path=request.url.path, error=str(error))
            caught = Refused("storage-failed")
        except Exception:
            context.metrics.crashes.inc()
            context.log.exception("request failed", path=request.url.path)
            caught = Refused("internal")
        context.metrics.refusals.labels(caught.problem.code).inc()
        return access.problem(caught)

    handle.__name__ = handler.__name__
    handle.__doc__ = handler.__doc__
    return handle
