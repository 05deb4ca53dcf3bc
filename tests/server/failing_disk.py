"""A disk that fails, as SQLite sees it: it can be full, and a power cut forgets what was not synced."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw


class FailingDisk(apsw.VFS):
    """Passes everything on to the real disk, and remembers what of each file is safe."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_full = False
        self.ignores_sync = False  # a disk, or a pragma, that does not sync at all
        self.safe: dict[str, bytes] = {}
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> FailingFile:  # noqa: N802
        return FailingFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self.safe.pop(filename, None)

    def cut_power(self, folder: Path) -> None:
        """Lay out in a folder what is left of every file: its content at its last sync, torn writes gone."""
        folder.mkdir(parents=True)
        for path, content in self.safe.items():
            (folder / Path(path).name).write_bytes(content)


class FailingFile(apsw.VFSFile):
    def __init__(self, disk: FailingDisk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else name
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if self._disk.is_full:
            raise apsw.FullError("the disk is full")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        if self._path and not self._disk.ignores_sync:
            self._disk.safe[self._path] = Path(self._path).read_bytes()
