"""Frames of a socket's line: whole, in pieces, wrong, and the goodbye."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from tavolino.server.transport.websocket import BINARY, CLOSE, CONTINUED, MOST_BYTES, PING, PONG, TEXT, Line, framed


class Transport:
    """What a line asks of the event loop's transport."""

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

    def hear(self, content: bytes) -> None:
        self.heard.append(content)

    def hear_overhead(self) -> None:
        self.overhead += 1

    def go_on(self) -> None:
        pass

    def gone(self) -> None:
        self.is_gone = True


def sent(content: bytes, kind: int = TEXT, last: bool = True) -> bytes:
    """A frame as a client sends it, by another hand than ours."""
    return Frame(Opcode(kind), content, last).serialize(mask=True)


def with_line(work: Callable[[Line, Transport, Listener], None], received: bytes = b"") -> None:
    async def run() -> None:
        transport, listener = Transport(), Listener()
        line = Line(transport, set(), received)
        assert not transport.is_reading, "nobody listens yet"
        line.listener = listener
        line.listen()
        assert transport.is_reading
        work(line, transport, listener)
        if line._closing_timer is not None:
            line._closing_timer.cancel()

    asyncio.run(run())


def test_what_came_before_anybody_listened_is_heard_first() -> None:
    def work(line: Line, transport: Transport, listener: Listener) -> None:
        line.data_received(b"o")
        line.data_received(sent(b"after"))
        assert listener.heard == [b"hello", b"after"]

    early = sent(b"hello")
    unmasked = early[:2] + bytes(4) + b"hello"
    with_line(work, unmasked[:-1])


@given(
    st.lists(st.tuples(st.binary(max_size=300), st.sampled_from([TEXT, BINARY, PING, PONG]))),
    st.lists(st.integers(1, 40), min_size=1),
)
def test_messages_are_the_same_however_the_bytes_come(messages: list[tuple[bytes, int]], steps: list[int]) -> None:
    messages = [(content[:125] if kind in (PING, PONG) else content, kind) for content, kind in messages]

    def work(line: Line, transport: Transport, listener: Listener) -> None:
        stream, at = b"".join(sent(content, kind) for content, kind in messages), 0
        while at < len(stream):
            for step in steps:
                line.data_received(stream[at : at + step])
                at += step
        assert listener.heard == [content for content, kind in messages if kind in (TEXT, BINARY)]
        assert transport.written == [framed(content, PONG) for content, kind in messages if kind == PING]

    with_line(work)


@given(st.binary(max_size=400), st.integers(0, 0xF))
def test_a_frame_of_any_bytes_is_heard_or_ends_the_line(content: bytes, kind: int) -> None:
    def work(line: Line, transport: Transport, listener: Listener) -> None:
        line.data_received(content)
        line.data_received(bytes((0x80 | kind, 0x80 | len(content[:125]))) + bytes(4) + content[:125])
        assert not transport.closed or line.has_hung_up

    with_line(work)


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_messages_of_every_length_are_framed(size: int) -> None:
    assert framed(b"x" * size) == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)


UNMASKED = framed(b"hello")
WRONG = {
    "unmasked": (UNMASKED, 1002),
    "reserved": (bytes((0xC1, 0x80, 0, 0, 0, 0)), 1002),
    "unknown kind": (bytes((0x83, 0x80, 0, 0, 0, 0)), 1002),
    "continued from nothing": (sent(b"x", CONTINUED), 1002),
    "a message within a message": (sent(b"x", last=False) + sent(b"y"), 1002),
    "a long ping": (bytes((0x89, 0xFE, 0, 126)), 1002),
    "a ping in pieces": (bytes((0x09, 0x80, 0, 0, 0, 0)), 1002),
    "a goodbye of one byte": (bytes((0x88, 0x81, 0, 0, 0, 0, 1)), 1002),
    "a goodbye with a code that nobody may send": (bytes((0x88, 0x82, 0, 0, 0, 0, 3, 0xED)), 1002),
    "too big": (bytes((0x81, 0xFF)) + (MOST_BYTES + 1).to_bytes(8), 1009),
    "too big in pieces": (sent(b"x" * MOST_BYTES, last=False) + sent(b"x", CONTINUED), 1009),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_frames_end_the_line_with_a_code(name: str) -> None:
    frames, code = WRONG[name]

    def work(line: Line, transport: Transport, listener: Listener) -> None:
        line.data_received(frames)
        line.data_received(sent(b"too late"))
        assert transport.written == [framed(code.to_bytes(2), CLOSE)]
        assert transport.closed == "closed"
        assert listener.heard == []

    with_line(work)


def test_of_the_pings_of_somebody_who_does_not_read_only_the_newest_is_answered() -> None:
    def work(line: Line, transport: Transport, listener: Listener) -> None:
        line.pause_writing()
        for n in range(1_000):
            line.data_received(sent(str(n).encode(), PING))
        assert transport.written == []
        line.resume_writing()
        assert transport.written == [framed(b"999", PONG)]
        line.pause_writing()
        line.resume_writing()
        assert len(transport.written) == 1

    with_line(work)


def test_pings_pongs_and_pieces_are_counted_and_whole_messages_are_heard_instead() -> None:
    def work(line: Line, transport: Transport, listener: Listener) -> None:
        line.data_received(sent(b"", PING) + sent(b"", PONG))
        line.data_received(sent(b"", last=False) + sent(b"", CONTINUED, last=False) + sent(b"x", CONTINUED))
        assert (listener.overhead, listener.heard) == (4, [b"x"])
        line.data_received(sent(b"whole"))
        assert (listener.overhead, listener.heard) == (4, [b"x", b"whole"])

    with_line(work)


def test_a_goodbye_is_answered_with_the_same() -> None:
    def work(line: Line, transport: Transport, listener: Listener) -> None:
        goodbye = (1001).to_bytes(2) + b"going away"
        line.data_received(sent(goodbye, CLOSE))
        assert transport.written == [framed(goodbye, CLOSE)]
        assert transport.closed == "closed"

    with_line(work)


def test_who_is_hung_up_on_is_not_heard_any_more_and_has_a_moment_to_answer() -> None:
    def work(line: Line, transport: Transport, listener: Listener) -> None:
        line.hang_up(4408)
        line.write(framed(b"too late"))
        line.data_received(sent(b"too late"))
        assert transport.written == [framed((4408).to_bytes(2), CLOSE)]
        assert listener.heard == []
        assert not transport.closed
        line.data_received(sent((4408).to_bytes(2), CLOSE))
        assert len(transport.written) == 1
        assert transport.closed == "closed"

    with_line(work)


def test_somebody_who_does_not_answer_pings_is_taken_for_dead() -> None:
    def work(line: Line, transport: Transport, listener: Listener) -> None:
        for _ in range(3):
            line.ping()
            line.data_received(sent(b"", PONG))
        assert transport.written == [framed(b"", PING)] * 3
        line.ping()
        line.ping()
        assert transport.written[-1] == framed((1011).to_bytes(2), CLOSE)
        assert transport.closed == "closed"
        line.connection_lost(None)
        assert listener.is_gone

    with_line(work)
