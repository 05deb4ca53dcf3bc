"""One POST to an address that was resolved and checked. Follows no redirects, and reads only the status."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from functools import cache

from tavolino.server.features.notifications.addresses import Target, resolve

SECONDS = 10.0
LONGEST_LINE = 1_000


@cache
def _tls() -> ssl.SSLContext:
    """Cached: reading the system's certificates takes about 20 ms, which would block the event loop."""
    return ssl.create_default_context()


async def post(target: Target, headers: Mapping[str, str], body: bytes) -> int:
    """The status of the answer. Raises `OSError`, `TimeoutError`, or `Forbidden` for a private address."""
    async with asyncio.timeout(SECONDS):
        address = await resolve(target)
        secure = await asyncio.to_thread(_tls) if target.scheme == "https" else None
        name = target.host if secure else None
        reader, writer = await asyncio.open_connection(
            address, target.port, ssl=secure, server_hostname=name, limit=LONGEST_LINE
        )
        try:
            usual = 443 if secure else 80
            host = target.host if target.port == usual else f"{target.host}:{target.port}"
            lines = {"Host": host, "Content-Length": str(len(body)), "Connection": "close", **headers}
            head = "".join(f"{key}: {value}\r\n" for key, value in lines.items())
            writer.write(f"POST {target.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body)
            await writer.drain()
            answer = await reader.readline()
        except ValueError:  # a line without an end
            raise OSError("the answer is not HTTP") from None
        finally:
            writer.close()
    parts = answer.split()
    if len(parts) < 2 or not parts[0].startswith(b"HTTP/1.") or not parts[1].isdigit():
        raise OSError("the answer is not HTTP")
    return int(parts[1])
