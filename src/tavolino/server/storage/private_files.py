"""File permissions: only the owner may read the data, because it contains the cards of running games."""

from __future__ import annotations

import os
import stat
from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o700, 0o600
# The database with -wal, -shm and copies beside it, the lock.
OURS = ("tavolino.*", "crashes", "crashes/*.json")


def make_private(folder: Path) -> list[str]:
    """Remove the permissions of others from the folder and our files in it; returns what was wrong, in sentences."""
    changed: list[str] = []
    kept: list[str] = []
    for path in (folder, *(path for pattern in OURS for path in sorted(folder.glob(pattern)))):
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode) or not mode & 0o077:
            continue
        is_shared = path == folder and bool(mode & stat.S_ISVTX)  # a shared folder such as /tmp: leave its permissions
        try:
            if not is_shared:
                path.chmod(FOLDER_MODE if stat.S_ISDIR(mode) else FILE_MODE)
        except OSError:
            is_shared = True  # another user owns it
        (kept if is_shared else changed).append(path.name)
    said = []
    if changed:
        said.append(f"other users of this machine could read the data; now only its owner can: {', '.join(changed)}")
    if kept:
        said.append(
            f"other users of this machine can see the data, and this server may not change that: {', '.join(kept)}; "
            "give the server a folder of its own with --data"
        )
    return said


def create_private(path: Path) -> None:
    """Create the file with its final mode. SQLite gives -wal and -shm the mode of the database."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE))
