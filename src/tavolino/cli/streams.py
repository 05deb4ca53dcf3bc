"""The standard streams of the command: their encodings, and output that cannot be written."""

import codecs
import errno
import io
import os
import sys
import unicodedata

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def set_encodings() -> None:
    """Write UTF-8 where the system's encoding is ASCII; elsewhere replace the characters that it lacks."""
    for stream, stand_in in ((sys.stdin, "replace"), (sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            is_plain = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding="utf-8" if is_plain else None, errors=stand_in)


def drop_output() -> None:
    """Discard what stdout still buffers: Python would try to write it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def printable(text: str) -> str:
    """Text from a file or a server. What a terminal would obey (control characters, directions) is escaped."""
    return "".join(
        char if unicodedata.category(char) not in ("Cc", "Cf", "Zl", "Zp") else ascii(char)[1:-1] for char in text
    )
