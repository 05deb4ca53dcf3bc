"""Frames of a socket after its handshake: whole, fragmented, wrong, and the close handshake."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from tavolino.server.transport.frames import BINARY, CLOSE, CONTINUATION, MOST_BYTES, PING, PONG, TEXT, encode_frame
from tavolino.server.transport.websocket import WebSocketProtocol


class Transport:
    """The part of the event loop's transport that a socket uses."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.is_reading = True
        self.closed = ""

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def pause_reading(self) -> None:
        self.is_reading = False

    def resume_reading(self) -> None:
        self.is_reading = True

    def is_closing(self) -> bool:
        return bool(self.closed)

    def close(self) -> None:
        self.closed = self.closed or "closed"

    def abort(self) -> None:
        self.closed = "aborted"


class Listener:
    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.overhead = 0
        self.is_gone = False

    def on_message(self, content: bytes) -> None:
        self.heard.append(content)

    def on_overhead(self) -> None:
        self.overhead += 1

    def on_writable(self) -> None:
        pass

    def on_closed(self) -> None:
        self.is_gone = True


def sent(content: bytes, kind: int = TEXT, last: bool = True) -> bytes:
    """A frame as a client sends it, made by the websockets library."""
    return Frame(Opcode(kind), content, last).serialize(mask=True)


def with_socket(work: Callable[[WebSocketProtocol, Transport, Listener], None], received: bytes = b"") -> None:
    async def run() -> None:
        transport, listener = Transport(), Listener()
        socket = WebSocketProtocol(transport, set(), received)
        assert not transport.is_reading, "nobody listens yet"
        socket.listener = listener
        socket.listen()
        assert transport.is_reading
        work(socket, transport, listener)
        if socket._close_timer is not None:
            socket._close_timer.cancel()

    asyncio.run(run())


def test_messages_from_before_the_listener_are_delivered_first() -> None:
    def work(socket: WebSocketProtocol, transport: Transport, listener: Listener) -> None:
        socket.data_received(b"o")
        socket.data_received(sent(b"after"))
        assert listener.heard == [b"hello", b"after"]

    early = sent(b"hello")
    unmasked = early[:2] + bytes(4) + b"hello"
    with_socket(work, unmasked[:-1])


@given(
    st.lists(
        st.tuples(st.text(max_size=150).map(str.encode), st.just(TEXT))
        | st.tuples(st.binary(max_size=300), st.sampled_from([BINARY, PING, PONG]))
    ),
    st.lists(st.integers(1, 40), min_size=1),
)
def test_messages_are_the_same_however_the_bytes_come(messages: list[tuple[bytes, int]], steps: list[int]) -> None:
    messages = [(content[:125] if kind in (PING, PONG) else content, kind) for content, kind in messages]

    def work(socket: WebSocketProtocol, transport: Transport, listener: Listener) -> None:
        stream, at = b"".join(sent(content, kind) for content, kind in messages), 0
        while at < len(stream):
            for step in steps:
                socket.data_received(stream[at : at + step])
                at += step
        assert listener.heard == [content for content, kind in messages if kind in (TEXT, BINARY)]
        assert transport.written == [encode_frame(content, PONG) for content, kind in messages if kind == PING]

    with_socket(work)


@given(st.binary(max_size=400), st.integers(0, 0xF))
def test_a_frame_of_any_bytes_is_delivered_or_closes_the_connection(content: bytes, kind: int) -> None:
    def work(socket: WebSocketProtocol, transport: Transport, listener: Listener) -> None:
        socket.data_received(content)
        socket.data_received(bytes((0x80 | kind, 0x80 | len(content[:125]))) + bytes(4) + content[:125])
        assert not transport.closed or socket.has_closed

    with_socket(work)


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_messages_of_every_length_are_framed(size: int) -> None:
    assert encode_frame(b"x" * size) == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)


UNMASKED = encode_frame(b"hello")
WRONG = {
    "unmasked": (UNMASKED, 1002),
    "reserved": (bytes((0xC1, 0x80, 0, 0, 0, 0)), 1002),
    "unknown kind": (bytes((0x83, 0x80, 0, 0, 0, 0)), 1002),
    "continued from nothing": (sent(b"x", CONTINUATION), 1002),
    "a message within a message": (sent(b"x", last=False) + sent(b"y"), 1002),
    "a long ping": (bytes((0x89, 0xFE, 0, 126)), 1002),
    "a ping in pieces": (bytes((0x09, 0x80, 0, 0, 0, 0)), 1002),
    "a goodbye of one byte": (bytes((0x88, 0x81, 0, 0, 0, 0, 1)), 1002),
    "a goodbye with a code that nobody may send": (bytes((0x88, 0x82, 0, 0, 0, 0, 3, 0xED)), 1002),
    "too big": (bytes((0x81, 0xFF)) + (MOST_BYTES + 1).to_bytes(8), 1009),
    "too big in pieces": (sent(b"x" * MOST_BYTES, last=False) + sent(b"x", CONTINUATION), 1009),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_frames_close_the_connection_with_a_code(name: str) -> None:
    frames, code = WRONG[name]

    def work(socket: WebSocketProtocol, transport: Transport, listener: Listener) -> None:
        socket.data_received(frames)
        socket.data_received(sent(b"too late"))
        assert transport.written == [encode_frame(code.to_bytes(2), CLOSE)]
        assert transport.closed == "closed"
        assert listener.heard == []

    with_socket(work)


def test_of_several_pings_of_a_slow_reader_only_the_newest_is_answered() -> None:
    def work(socket: WebSocketProtocol, transport: Transport, listener: Listener) -> None:
        socket.pause_writing()
        for n in range(1_000):
            socket.data_received(sent(str(n).encode(), PING))
        assert transport.written == []
        socket.resume_writing()
        assert transport.written == [encode_frame(b"999", PONG)]
        socket.pause_writing()
        socket.resume_writing()
        assert len(transport.written) == 1

    with_socket(work)


def test_pings_pongs_and_fragments_are_counted_apart_from_messages() -> None:
    def work(socket: WebSocketProtocol, transport: Transport, listener: Listener) -> None:
        socket.data_received(sent(b"", PING) + sent(b"", PONG))
        socket.data_received(sent(b"", last=False) + sent(b"", CONTINUATION, last=False) + sent(b"x", CONTINUATION))
        assert (listener.overhead, listener.heard) == (4, [b"x"])
        socket.data_received(sent(b"whole"))
        assert (listener.overhead, listener.heard) == (4, [b"x", b"whole"])

    with_socket(work)


def test_a_close_frame_is_answered_with_the_same_code() -> None:
    def work(socket: WebSocketProtocol, transport: Transport, listener: Listener) -> None:
        goodbye = (1001).to_bytes(2) + b"going away"
        socket.data_received(sent(goodbye, CLOSE))
        assert transport.written == [encode_frame(goodbye, CLOSE)]
        assert transport.closed == "closed"

    with_socket(work)


def test_after_our_close_frame_nothing_is_delivered_and_the_peer_has_time_to_answer() -> None:
    def work(socket: WebSocketProtocol, transport: Transport, listener: Listener) -> None:
        socket.close(4408)
        socket.write(encode_frame(b"too late"))
        socket.data_received(sent(b"too late"))
        assert transport.written == [encode_frame((4408).to_bytes(2), CLOSE)]
        assert listener.heard == []
        assert not transport.closed
        socket.data_received(sent((4408).to_bytes(2), CLOSE))
        assert len(transport.written) == 1
        assert transport.closed == "closed"

    with_socket(work)


def test_a_peer_that_does_not_answer_pings_is_disconnected() -> None:
    def work(socket: WebSocketProtocol, transport: Transport, listener: Listener) -> None:
        for _ in range(3):
            socket.ping()
            socket.data_received(sent(b"", PONG))
        assert transport.written == [encode_frame(b"", PING)] * 3
        socket.ping()
        socket.ping()
        assert transport.written[-1] == encode_frame((1011).to_bytes(2), CLOSE)
        assert transport.closed == "closed"
        socket.connection_lost(None)
        assert listener.is_gone

    with_socket(work)
