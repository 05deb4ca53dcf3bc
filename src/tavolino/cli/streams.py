"""The standard streams of the command: their encodings, and output that cannot be written."""

import codecs
import errno
import io
import os
import sys

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def set_encodings() -> None:
    """Where the system knows no letters but those of ASCII we write UTF-8; elsewhere what it lacks is a mark."""
    for stream, stand_in in ((sys.stdin, "replace"), (sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            is_plain = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding="utf-8" if is_plain else None, errors=stand_in)


def drop_output() -> None:
    """Let go of what stdout still holds: Python must not try to write it again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
