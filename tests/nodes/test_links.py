"""The network of these tests: data arrives as sent, late, or not at all, or the connection is reset."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import pytest

from tests.nodes.links import HERE, Link


def with_echo(work: Callable[[Link, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1000):
                writer.write(data)
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(echo, HERE, 0)
        link = Link(lambda: (HERE, server.sockets[0].getsockname()[1]))
        await link.open()
        reader, writer = await asyncio.open_connection(HERE, link.port)
        try:
            async with asyncio.timeout(20):
                await work(link, reader, writer)
        finally:
            writer.close()
            link.close()
            server.close()
            await asyncio.sleep(0.05)  # for the ends to be closed

    asyncio.run(run())


def test_what_is_stalled_arrives_in_order_when_it_heals() -> None:
    async def work(link: Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"1")
        assert await reader.readexactly(1) == b"1"
        link.stall()
        writer.write(b"2")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.readexactly(1), 0.2)
        link.heal()
        writer.write(b"3")
        assert await reader.readexactly(2) == b"23"

    with_echo(work)


def test_what_is_delayed_arrives_late_and_in_order() -> None:
    async def work(link: Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link.delay = 0.1
        began = asyncio.get_running_loop().time()
        for digit in b"12345":
            writer.write(bytes([digit]))
            await asyncio.sleep(0.01)
        link.delay = 0.0
        writer.write(b"6")
        assert await reader.readexactly(6) == b"123456"
        assert asyncio.get_running_loop().time() - began > 0.13  # the first at 0.1, the last at 0.14

    with_echo(work)


def test_a_reset_ends_both_ends() -> None:
    async def work(link: Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"1")
        await reader.readexactly(1)
        link.reset()
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)

    with_echo(work)
