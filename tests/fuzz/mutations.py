"""Makes new inputs from known ones: bytes flipped, removed, doubled or joined; special bytes inserted."""

from __future__ import annotations

import ast
import random
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
INTERESTING = (
    b"\x00", b"\xff", b"\x7f", b"\x80", b"\r\n", b"\r\n\r\n", b"\n", b" ", b"\t", b"{", b"}", b"[" * 50, b'"', b"\\",
    b"\\ud800", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"null", b"true", b"-1", b"1e999", b"9" * 30, b"NaN",
    b"%00", b"%2e%2e%2f", b"../", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n",
    b"Host: x\r\n", b"\x81\x80\x00\x00\x00\x00", b"\x81\xfe\xff\xff", b"\x81\xff" + b"\xff" * 8, b"A" * 300,
)  # fmt: skip


def read_corpus(name: str) -> list[bytes]:
    lines = (CORPUS / f"{name}.txt").read_text("utf-8").splitlines()
    return [ast.literal_eval(line) for line in lines if line.strip()]


def mutated(known: list[bytes], chance: random.Random) -> bytes:
    data = bytearray(chance.choice(known))
    for _ in range(chance.choice((0, 1, 1, 2, 3, 8))):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(7):
            case 0 if data:
                data[at % len(data)] ^= 1 << chance.randrange(8)
            case 1 if data:
                data[at % len(data)] = chance.randrange(256)
            case 2:
                data[at:at] = chance.choice(INTERESTING)
            case 3:
                del data[at : at + chance.randrange(1, 16)]
            case 4:
                end = min(len(data), at + chance.randrange(1, 64))
                data[at:at] = data[at:end] * chance.randrange(1, 4)
            case 5:
                data[at:] = chance.choice(known)[chance.randrange(10) :]
            case _:
                data[at : at + 4] = chance.randbytes(4)
    return bytes(data[:20_000])


def pieces(data: bytes, chance: random.Random) -> list[bytes]:
    """The data split into pieces, as a network may deliver it."""
    cuts = sorted(chance.randrange(len(data) + 1) for _ in range(chance.choice((0, 0, 1, 2, 5))))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
