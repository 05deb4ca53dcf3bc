"""WebSocket frames (RFC 6455): writing those of a server, reading those of a client."""

from __future__ import annotations

import msgspec
from websockets.utils import apply_mask

from tavolino.server import protocol as p

MOST_BYTES = 64 * 1024  # of one message; commands have a lower limit, and are refused with a message
MOST_CONTROL_BYTES = 125  # of a close, ping or pong
FIN, RESERVED, OPCODE, CONTROL = 0x80, 0x70, 0x0F, 0x08  # bits of a frame's first byte
MASKED = 0x80  # bit of its second
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
PROTOCOL_ERROR, NOT_UTF8, TOO_BIG, NO_PONG, RESTART = 1002, 1007, 1009, 1011, 1012  # close codes

_encode = msgspec.json.Encoder().encode


def encode_message(message: p.News) -> bytes:
    """A message as it is written to sockets: JSON in one text frame. For several sockets it is encoded once."""
    return encode_frame(_encode(message))


def encode_frame(content: bytes, opcode: int = TEXT) -> bytes:
    size, first = len(content), FIN | opcode
    if size < 126:
        return bytes((first, size)) + content
    if size < 1 << 16:
        return bytes((first, 126)) + size.to_bytes(2) + content
    return bytes((first, 127)) + size.to_bytes(8) + content


def is_utf8(content: bytes) -> bool:
    if content.isascii():
        return True
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


class BadFrame(Exception):
    """A frame that the connection must be closed for, with a close code."""

    def __init__(self, code: int) -> None:
        self.code = code


def read_frame(data: bytes, at: int) -> tuple[int, bytes, int] | None:
    """The frame that begins at `at`: its first byte, its content, and where it ends; None if it is incomplete."""
    start = at + 2
    if len(data) < start:
        return None
    first, size = data[at], data[at + 1]
    if first & RESERVED or not size & MASKED:  # no extension was negotiated, and clients must mask
        raise BadFrame(PROTOCOL_ERROR)
    size &= ~MASKED
    if first & CONTROL and (size > MOST_CONTROL_BYTES or not first & FIN):
        raise BadFrame(PROTOCOL_ERROR)
    if size > MOST_CONTROL_BYTES:
        length = 2 if size == 126 else 8
        start += length
        if len(data) < start:
            return None
        size = int.from_bytes(data[start - length : start])
        if size < (126 if length == 2 else 1 << 16):  # it would have fitted into fewer bytes
            raise BadFrame(PROTOCOL_ERROR)
        if size > MOST_BYTES:
            raise BadFrame(TOO_BIG)
    end = start + 4 + size
    if len(data) < end:
        return None
    return first, apply_mask(data[start + 4 : end], data[start : start + 4]), end
