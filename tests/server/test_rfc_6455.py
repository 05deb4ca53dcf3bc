"""RFC 6455 over real sockets, in the order of the sections of Autobahn's test suite, with cases of our own.

Where Autobahn's echo server would answer with the same text, ours answers `{"type":"ping"}` with a pong.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.server.clients import Guest
from tests.server.conftest import Server
from tests.server.raw import dial, upgrade

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
FIN, MASKED = 0x80, 0x80
ASK = b'{"type":"ping","ref":"%b"}'
TOLD = b'{"type":"pong","ref":"%b"}'


def frame(opcode: int, content: bytes = b"", fin: bool = True, rsv: int = 0, mask: bytes = b"\1\2\3\4") -> bytes:
    """A client's frame; without a mask if that is empty."""
    size = len(content)
    bit = MASKED if mask else 0
    if size < 126:
        head = bytes([size | bit])
    elif size < 1 << 16:
        head = bytes([126 | bit]) + size.to_bytes(2)
    else:
        head = bytes([127 | bit]) + size.to_bytes(8)
    first = bytes([(FIN if fin else 0) | rsv << 4 | opcode])
    masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(content)) if mask else content
    return first + head + mask + masked


def ask(ref: bytes) -> bytes:
    return frame(TEXT, ASK % ref)


class Peer:
    """A client that writes bytes and reads frames."""

    def __init__(self, server: Server, table: str, token: str) -> None:
        self._raw: socket.socket = dial(server)
        self._raw.sendall(upgrade(server, f"/api/tables/{table}/socket", f"Authorization: Bearer {token}"))
        self._heard = b""
        while b"\r\n\r\n" not in self._heard:
            self._heard += self._raw.recv(65_536)
        assert self._heard.startswith(b"HTTP/1.1 101")
        self._heard = self._heard.partition(b"\r\n\r\n")[2]
        self.send(frame(TEXT, b'{"type":"hello"}'))
        self.until_told(b"hello there")

    def send(self, data: bytes) -> None:
        self._raw.sendall(data)

    def until_told(self, ref: bytes) -> list[tuple[int, bytes]]:
        """All frames before the answer to a last question."""
        self.send(ask(ref))
        found = []
        while (got := self.next()) != (TEXT, TOLD % ref):
            assert got is not None, "closed"
            assert got[0] != CLOSE, got
            found.append(got)
        return found

    def until_closed(self) -> list[tuple[int, bytes]]:
        found = []
        while (got := self.next()) is not None:
            found.append(got)
        return found

    def next(self) -> tuple[int, bytes] | None:
        try:
            first, size = self._take(2)
            assert first & FIN, "ours are never fragmented"
            assert not size & MASKED, "a server does not mask"
            if size == 126:
                size = int.from_bytes(self._take(2))
            elif size == 127:
                size = int.from_bytes(self._take(8))
            return first & 0xF, self._take(size)
        except (EOFError, ConnectionResetError):
            return None

    def _take(self, count: int) -> bytes:
        while len(self._heard) < count:
            more = self._raw.recv(65_536)
            if not more:
                raise EOFError
            self._heard += more
        taken, self._heard = self._heard[:count], self._heard[count:]
        return taken

    def close(self) -> None:
        self._raw.close()


@pytest.fixture
def peer(server: Server) -> Iterator[Peer]:
    ada = Guest(server.address)
    peer = Peer(server, ada.open("mantis", 2), ada.token)
    yield peer
    peer.close()


def code_of(frames: list[tuple[int, bytes]]) -> int:
    """The code of the close frame, which comes last."""
    kind, content = frames[-1]
    assert kind == CLOSE
    return int.from_bytes(content[:2])


def refused_with(peer: Peer, data: bytes) -> int:
    """The close code for these bytes; nothing that comes after them is answered."""
    peer.send(data + ask(b"too late"))
    frames = peer.until_closed()
    assert (TEXT, TOLD % b"too late") not in frames
    return code_of(frames)


# -- 1 framing


@pytest.mark.parametrize("size", [0, 1, 124, 125, 126, 127, 128, 4_000, 8_000])
@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_1_messages_of_any_length_are_heard(peer: Peer, opcode: int, size: int) -> None:
    peer.send(frame(opcode, b" " * size))  # blanks alone are no JSON
    ((kind, content),) = peer.until_told(b"x")
    assert kind == TEXT
    assert b"bad-message" in content


@pytest.mark.parametrize("step", [1, 7, 97])
def test_1_messages_may_come_in_any_pieces_of_tcp(peer: Peer, step: int) -> None:
    data = ask(b"one") + frame(PING, b"p") + ask(b"two")
    for at in range(0, len(data), step):
        peer.send(data[at : at + step])
    heard = peer.until_told(b"x")  # pings are answered before the table answers
    assert sorted(heard) == [(TEXT, TOLD % b"one"), (TEXT, TOLD % b"two"), (PONG, b"p")]


def test_1_a_frame_that_is_not_masked_is_refused(peer: Peer) -> None:
    assert refused_with(peer, frame(TEXT, b"{}", mask=b"")) == 1002


@pytest.mark.parametrize("length", [(126, 2, 5), (127, 8, 5), (127, 8, 300)])
def test_1_a_length_that_takes_more_bytes_than_it_needs_is_refused(peer: Peer, length: tuple[int, int, int]) -> None:
    mark, count, size = length
    assert refused_with(peer, bytes([FIN | TEXT, MASKED | mark]) + size.to_bytes(count) + bytes(4 + size)) == 1002


def test_1_a_length_beyond_63_bits_is_refused(peer: Peer) -> None:
    assert refused_with(peer, bytes([FIN | TEXT, MASKED | 127]) + b"\xff" * 8 + bytes(4)) in (1002, 1009)


# -- 2 pings and pongs


@pytest.mark.parametrize("content", [b"", b"hello", bytes(range(125)), b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff", b"x" * 125])
def test_2_a_ping_is_answered_with_its_content(peer: Peer, content: bytes) -> None:
    peer.send(frame(PING, content))
    assert peer.until_told(b"x") == [(PONG, content)]


def test_2_a_ping_of_more_than_125_bytes_is_refused(peer: Peer) -> None:
    assert refused_with(peer, frame(PING, b"x" * 126)) == 1002


def test_2_pongs_that_nobody_asked_for_are_ignored(peer: Peer) -> None:
    peer.send(frame(PONG) + frame(PONG, b"unasked") + frame(PING, b"p"))
    assert peer.until_told(b"x") == [(PONG, b"p")]


def test_2_ten_pings_are_answered_in_their_order(peer: Peer) -> None:
    peer.send(b"".join(frame(PING, b"%d" % n) for n in range(10)))
    assert peer.until_told(b"x") == [(PONG, b"%d" % n) for n in range(10)]


# -- 3 reserved bits


@pytest.mark.parametrize("rsv", range(1, 8))
@pytest.mark.parametrize("opcode", [TEXT, BINARY, PING, CLOSE])
def test_3_reserved_bits_are_refused(peer: Peer, opcode: int, rsv: int) -> None:
    peer.send(ask(b"before"))
    assert refused_with(peer, frame(opcode, rsv=rsv)) == 1002


# -- 4 reserved opcodes


@pytest.mark.parametrize("opcode", [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
def test_4_reserved_opcodes_are_refused(peer: Peer, opcode: int) -> None:
    peer.send(ask(b"before"))
    assert refused_with(peer, frame(opcode, b"x")) == 1002


# -- 5 fragments


@pytest.mark.parametrize("opcode", [PING, PONG, CLOSE])
def test_5_control_frames_are_never_fragmented(peer: Peer, opcode: int) -> None:
    assert refused_with(peer, frame(opcode, fin=False) + frame(CONTINUATION)) == 1002


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
@pytest.mark.parametrize("pieces", [2, 3, 20])
def test_5_a_message_in_fragments_is_heard_once(peer: Peer, pieces: int, opcode: int) -> None:
    content = ASK % b"whole"
    cuts = [len(content) * n // pieces for n in range(pieces + 1)]
    for n in range(pieces):
        peer.send(frame(CONTINUATION if n else opcode, content[cuts[n] : cuts[n + 1]], fin=n == pieces - 1))
    assert peer.until_told(b"x") == [(TEXT, TOLD % b"whole")]


def test_5_pings_between_fragments_are_answered_at_once(peer: Peer) -> None:
    content = ASK % b"whole"
    peer.send(frame(TEXT, content[:5], fin=False) + frame(PING, b"now"))
    assert peer.next() == (PONG, b"now")
    peer.send(frame(CONTINUATION, fin=False) + frame(PONG, b"-") + frame(CONTINUATION, content[5:]))
    assert peer.until_told(b"x") == [(TEXT, TOLD % b"whole")]


@pytest.mark.parametrize("fin", [True, False])
def test_5_a_continuation_of_nothing_is_refused(peer: Peer, fin: bool) -> None:
    assert refused_with(peer, frame(CONTINUATION, b"x", fin=fin)) == 1002


def test_5_a_continuation_after_a_whole_message_is_refused(peer: Peer) -> None:
    assert refused_with(peer, frame(TEXT, b"{", fin=False) + frame(CONTINUATION, b"}") + frame(CONTINUATION)) == 1002


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_5_a_message_within_a_message_is_refused(peer: Peer, opcode: int) -> None:
    assert refused_with(peer, frame(TEXT, b"{", fin=False) + frame(opcode, b"}")) == 1002


# -- 6 UTF-8

GOOD_TEXT = {
    "greek": "κόσμε",
    "first of two bytes": "\u0080",
    "first of three": "\u0800",
    "first of four": "\U00010000",
    "last of one": "\u007f",
    "last of two": "\u07ff",
    "last of three": "\uffff",
    "last of four": "\U0010ffff",
    "before the surrogates": "\ud7ff",
    "after the surrogates": "\ue000",
    "replacement": "\ufffd",
    "no character": "\ufdd0\ufffe\U0001fffe",
}
BAD_TEXT = {
    "lone ff": b"\xff",
    "lone fe": b"\xfe",
    "lone continuation": b"\x80",
    "two continuations": b"\x80\xbf",
    "cut off after one of two": b"\xce",
    "cut off after two of three": b"\xe1\xbd",
    "cut off after three of four": b"\xf0\x90\x80",
    "cut off before ascii": b"\xce ",
    "overlong slash of two": b"\xc0\xaf",
    "overlong slash of three": b"\xe0\x80\xaf",
    "overlong slash of four": b"\xf0\x80\x80\xaf",
    "overlong nul": b"\xc0\x80",
    "overlong, largest": b"\xe0\x9f\xbf",
    "first surrogate": b"\xed\xa0\x80",
    "last surrogate": b"\xed\xbf\xbf",
    "a pair of surrogates": b"\xed\xa0\x80\xed\xb0\x80",
    "beyond 10ffff": b"\xf4\x90\x80\x80",
    "five bytes": b"\xf8\x88\x80\x80\x80",
    "six bytes": b"\xfc\x84\x80\x80\x80\x80",
    "latin-1": "è".encode("latin-1"),
    "utf-16": "è".encode("utf-16"),
}


@pytest.mark.parametrize("name", GOOD_TEXT)
def test_6_text_of_any_characters_is_heard(peer: Peer, name: str) -> None:
    ref = GOOD_TEXT[name].encode()
    assert peer.until_told(ref) == []


@pytest.mark.parametrize("name", BAD_TEXT)
@pytest.mark.parametrize(
    "around", [b"%b", b'{"type":"ping","ref":"%b"}', b'{"type":"%b'], ids=["bare", "JSON", "cut JSON"]
)
def test_6_text_that_is_not_utf_8_is_refused(peer: Peer, name: str, around: bytes) -> None:
    assert refused_with(peer, frame(TEXT, around % BAD_TEXT[name])) == 1007


@pytest.mark.parametrize("name", BAD_TEXT)
def test_6_in_fragments_too_wherever_they_are_cut(peer: Peer, name: str) -> None:
    content = ASK % BAD_TEXT[name]
    pieces = [content[n : n + 1] for n in range(len(content))]
    frames = [frame(CONTINUATION if n else TEXT, piece, fin=False) for n, piece in enumerate(pieces)]
    assert refused_with(peer, b"".join(frames) + frame(PING) + frame(CONTINUATION)) == 1007


def test_6_characters_may_be_cut_by_fragments(peer: Peer) -> None:
    content = ASK % "κόσμε".encode()
    for n, byte in enumerate(content):
        peer.send(frame(CONTINUATION if n else TEXT, bytes([byte]), fin=n == len(content) - 1))
    assert peer.until_told(b"x") == [(TEXT, TOLD % "κόσμε".encode())]


def test_6_binary_messages_may_hold_anything_and_are_then_no_command(peer: Peer) -> None:
    peer.send(frame(BINARY, b"\xff\xfe"))
    ((kind, content),) = peer.until_told(b"x")
    assert (kind, b"bad-message" in content) == (TEXT, True)


# -- 7 closing


def test_7_a_close_is_answered_and_nothing_after_it_is_heard(peer: Peer) -> None:
    peer.send(frame(PING, b"before") + frame(CLOSE) + ask(b"after") + frame(PING, b"after"))
    assert peer.until_closed() == [(PONG, b"before"), (CLOSE, b"")]


def test_7_a_second_close_is_not_answered(peer: Peer) -> None:
    peer.send(frame(CLOSE, (1000).to_bytes(2)) * 2)
    assert peer.until_closed() == [(CLOSE, (1000).to_bytes(2))]


def test_7_a_close_between_fragments_is_answered(peer: Peer) -> None:
    peer.send(frame(TEXT, b"{", fin=False) + frame(CLOSE) + frame(CONTINUATION, b"}"))
    assert peer.until_closed() == [(CLOSE, b"")]


@pytest.mark.parametrize("reason", [b"", b"bye", "ciao, perché".encode(), b"x" * 123])
@pytest.mark.parametrize(
    "code", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]
)
def test_7_codes_that_may_be_sent_are_answered_with_the_same(peer: Peer, code: int, reason: bytes) -> None:
    peer.send(frame(CLOSE, code.to_bytes(2) + reason))
    assert code_of(peer.until_closed()) == code


@pytest.mark.parametrize("code", [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535])
def test_7_codes_that_nobody_may_send_are_refused(peer: Peer, code: int) -> None:
    assert refused_with(peer, frame(CLOSE, code.to_bytes(2))) == 1002


def test_7_a_close_of_one_byte_is_refused(peer: Peer) -> None:
    assert refused_with(peer, frame(CLOSE, b"\3")) == 1002


def test_7_a_close_of_more_than_125_bytes_is_refused(peer: Peer) -> None:
    assert refused_with(peer, frame(CLOSE, (1000).to_bytes(2) + b"x" * 124)) == 1002


@pytest.mark.parametrize("name", BAD_TEXT)
def test_7_a_reason_that_is_not_utf_8_is_refused(peer: Peer, name: str) -> None:
    assert refused_with(peer, frame(CLOSE, (1000).to_bytes(2) + BAD_TEXT[name])) == 1007


# -- 9 limits


def test_9_a_message_that_is_too_long_is_refused_before_it_has_come(peer: Peer) -> None:
    peer.send(bytes([FIN | TEXT, MASKED | 127]) + (1 << 40).to_bytes(8) + bytes(4))
    assert code_of(peer.until_closed()) == 1009


def test_9_so_is_one_that_grows_by_fragments(peer: Peer) -> None:
    piece = frame(CONTINUATION, b" " * 8_192, fin=False)
    assert refused_with(peer, frame(TEXT, b" ", fin=False) + piece * 9) == 1009
