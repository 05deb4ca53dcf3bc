"""Accepts TCP connections, as many as `ConnectionLimits` has places for.

The event loop's own server would accept whatever comes, thousands at a time, and build a transport and a protocol for
each before anybody could count them. Here a refused connection costs a system call or two, and the reserved descriptors
stay free.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any

from tavolino.server.connection_limits import ConnectionLimits
from tavolino.server.transport.plain_answers import plain_answer

AT_ONCE = 8  # accepted in one iteration of the event loop: about 40 µs each if they are refused
MOST_ADMITTED = 2  # of these: one costs up to 0.3 ms before it has sent a byte
REFUSING_SECONDS = 0.002  # until the next ones, after some were refused: a flood of them must not keep the loop busy
BACKLOG = 2048
PAUSE_SECONDS = 0.1  # where the system has no descriptor or memory left
REFUSED_SECONDS = 1.0  # in which somebody can read why; closing at once would discard the answer
MOST_REFUSED = 16  # refused connections that are kept open for that time
REFUSAL = plain_answer(503, "There are too many connections to this server. Try again in a moment.", retry=True)


class Acceptor:
    """One listening socket, with the methods of `asyncio.Server` that uvicorn uses."""

    def __init__(self, listener: socket.socket, make_protocol: Callable[[], Any], limits: ConnectionLimits) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener, self._make_protocol, self._limits = listener, make_protocol, limits
        self._starting: set[asyncio.Task[None]] = set()
        self._refused: set[socket.socket] = set()
        self._is_closed = False
        listener.setblocking(False)
        listener.listen(BACKLOG)
        self._listen()

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        return () if self._is_closed else (self._listener,)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._loop.remove_reader(self._listener)
            self._listener.close()
            for refused in tuple(self._refused):
                self._drop(refused)

    async def wait_closed(self) -> None:
        """Nothing is left to wait for: uvicorn has waited for the connections."""

    def _listen(self) -> None:
        if not self._is_closed:
            self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        looked_at = admitted = 0
        while looked_at < AT_ONCE and admitted < MOST_ADMITTED:
            try:
                accepted, address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except OSError:  # no descriptor or no memory is left; the listener would be ready again at once
                self._limits.note("no-descriptor")
                self._pause(PAUSE_SECONDS)
                return
            looked_at += 1
            admitted += self._take(accepted, str(address[0]))
        if admitted < looked_at:
            self._pause(REFUSING_SECONDS)

    def _pause(self, seconds: float) -> None:
        self._loop.remove_reader(self._listener)
        self._loop.call_later(seconds, self._listen)

    def _take(self, accepted: socket.socket, address: str) -> bool:
        """Whether there is a place for it."""
        accepted.setblocking(False)
        admission = self._limits.admit(address)
        if admission is None:
            self._refuse(accepted)
            return False
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        protocol = self._make_protocol()
        protocol.admission = admission
        task = self._loop.create_task(self._start(accepted, protocol))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)
        return True

    async def _start(self, accepted: socket.socket, protocol: Any) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: protocol, accepted)
        except OSError:  # it was reset in the meantime
            protocol.admission.release()
            accepted.close()

    def _refuse(self, accepted: socket.socket) -> None:
        if len(self._refused) >= MOST_REFUSED:
            accepted.close()
            return
        with contextlib.suppress(OSError):
            accepted.send(REFUSAL)
            accepted.shutdown(socket.SHUT_WR)
        self._refused.add(accepted)
        self._loop.call_later(REFUSED_SECONDS, self._drop, accepted)

    def _drop(self, refused: socket.socket) -> None:
        self._refused.discard(refused)
        refused.close()
