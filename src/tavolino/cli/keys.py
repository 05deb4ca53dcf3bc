"""Single keys from a terminal, without Enter."""

import os
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

# What terminals send for the keys that we use.
_NAMES = {
    b"\x1b[C": "forward",
    b"\x1bOC": "forward",
    b"\n": "forward",
    b"\r": "forward",
    b" ": "forward",
    b"\x1b[D": "back",
    b"\x1bOD": "back",
    b"b": "back",
    b"\x7f": "back",
    b"\x1b[H": "first",
    b"\x1b[1~": "first",
    b"g": "first",
    b"\x1b[F": "last",
    b"\x1b[4~": "last",
    b"G": "last",
    b"q": "leave",
    b"\x04": "leave",
    b"": "leave",
}
LONGEST = 8


@contextmanager
def single_keys() -> Iterator[None]:
    """Within this context the terminal passes on each key at once and does not echo it."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def read_key() -> str:
    """The name of the next key: forward, back, first, last, leave; or empty for any other."""
    return _NAMES.get(os.read(sys.stdin.fileno(), LONGEST), "")
