"""A disk that fails, as SQLite sees it: it can be full, fail at a call that a test chooses, or lose power.

It is a VFS of SQLite around the real one, so the real SQLite writes to real files through it. It needs no privileges,
no compiler and no mounted file system, and can fail at one call in the middle of a commit, which none of those can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

ERRORS: dict[str, Callable[[], BaseException]] = {
    "fsync": lambda: apsw.IOError("fsync: input/output error"),
    "fsync-done": lambda: apsw.IOError("fsync: input/output error, and all of it is on the disk"),
    "write": lambda: apsw.IOError("write: input/output error"),
    "full": lambda: apsw.FullError("no space left on device"),
    "memory": MemoryError,
    "descriptors": lambda: apsw.CantOpenError("too many open files"),
}
# The calls at which a real system can return each error.
CALLS = {
    "fsync": ("sync",),
    "fsync-done": ("synced",),
    "write": ("write", "truncate", "read"),
    "full": ("write",),
    "memory": ("write", "sync", "truncate", "read", "open"),
    "descriptors": ("open",),
}


class FailingDisk(apsw.VFS):
    """Passes all calls on to the real disk, and remembers which part of each file is synced."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_full = False
        self.cannot_sync = False
        self.ignores_sync = False  # a disk, or a pragma, that does not sync at all
        self.safe: dict[str, bytes] = {}
        self.calls: Counter[str] = Counter()
        self._kind, self._nth, self._lasts = "", 0, False
        self.failed = 0
        super().__init__(name, "")

    def fail_at(self, kind: str, nth: int, lasts: bool = False) -> None:
        """Fail with this error at the nth call from now on where it can come, and if it lasts, at all later ones."""
        self._kind, self._nth, self._lasts = kind, nth, lasts
        self.calls.clear()
        self.failed = 0

    def heal(self) -> None:
        self._kind = ""

    def count(self, call: str) -> None:
        """Count a call, and raise if it is the one that fails."""
        if (call == "write" and self.is_full) or (call == "sync" and self.cannot_sync):
            raise ERRORS["full" if call == "write" else "fsync"]()
        for kind in ERRORS:
            self.calls[kind] += call in CALLS[kind]
        if self._kind and call in CALLS[self._kind]:
            now = self.calls[self._kind]
            if now == self._nth or (self._lasts and now > self._nth):
                self.failed += 1
                raise ERRORS[self._kind]()

    def xOpen(self, name: Any, flags: list[int]) -> FailingFile:  # noqa: N802
        self.count("open")
        return FailingFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self.safe.pop(filename, None)

    def cut_power(self, folder: Path) -> None:
        """Write into a folder what is left of every file after a power failure: its content at the last sync."""
        folder.mkdir(parents=True)
        for path, content in self.safe.items():
            (folder / Path(path).name).write_bytes(content)


class FailingFile(apsw.VFSFile):
    def __init__(self, disk: FailingDisk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else name
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self._disk.count("read")
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.count("write")
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._disk.count("truncate")
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.count("sync")
        super().xSync(flags)
        if self._path and not self._disk.ignores_sync:
            self._disk.safe[self._path] = Path(self._path).read_bytes()
        self._disk.count("synced")
