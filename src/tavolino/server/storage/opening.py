"""Opens the SQLite file: lock of the folder, settings of the connection, and messages if it cannot be opened."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

import apsw

from tavolino.server.storage import CannotOpen, StorageInUse
from tavolino.server.storage.schema import MIGRATIONS, migrate
from tavolino.server.storage.writer import empty_log, rewrite_version

FILE = "tavolino.sqlite"
LOCK = "tavolino.lock"
OF_0_1 = 1  # the schema


def connect(path: Path, vfs: str | None = None) -> apsw.Connection:
    connection = apsw.Connection(str(path), vfs=vfs)
    try:
        _set_up(connection, has_shared_memory=vfs is None)
    except BaseException:
        with contextlib.suppress(apsw.Error, MemoryError):
            connection.close()
        raise
    return connection


def _set_up(connection: apsw.Connection, has_shared_memory: bool) -> None:
    if not has_shared_memory:
        # A VFS written in Python has no shared memory; an exclusive connection keeps the WAL index in its own memory.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    # FULL syncs the WAL at every commit: NORMAL would lose acknowledged moves in a power cut.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA busy_timeout = 5000")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    connection.execute("PRAGMA secure_delete = ON")  # a deleted name must leave the file
    connection.execute("PRAGMA temp_store = MEMORY")  # writes must not need a temporary file and its descriptor
    if int(connection.pragma("user_version")) == OF_0_1:
        connection.execute("VACUUM")  # version 0.1 left deleted data in free pages
    migrate(connection)
    # Checkpoint and sync the log of the last run before anything is read from it, because the last sync of that run
    # may have failed. This also finds a disk that cannot be written now rather than at the first move.
    rewrite_version(connection)
    empty_log(connection)


def connect_beside(path: Path) -> apsw.Connection:
    """A connection for an operator's command while a server may use the file. The file must exist."""
    if not path.exists():
        raise CannotOpen("there is no data; if it is in another folder, name it with --data")
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.execute("PRAGMA busy_timeout = 5000")
    connection.execute("PRAGMA synchronous = FULL")
    if (version := int(connection.pragma("user_version"))) != len(MIGRATIONS):
        connection.close()
        raise CannotOpen(
            f"it has schema {version} and this Tavolino works with {len(MIGRATIONS)}: "
            + ("start the server with this version first" if version < len(MIGRATIONS) else "install the newer version")
        )
    return connection


def is_in_use(folder: Path) -> bool:
    """Whether a server uses this folder now."""
    try:
        handle = os.open(folder / LOCK, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def why_not(error: BaseException) -> str | None:
    """Why the file cannot be opened, for the operator; None if the error is a bug of ours."""
    match error:
        case CannotOpen():
            return str(error)
        case apsw.NotADBError():
            return f"{FILE} is not a database; restore a backup"
        case apsw.CorruptError():
            return f"{FILE} is damaged ({error}); restore a backup"
        case apsw.FullError():
            return "the disk is full; make room and start again"
        case apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.CantOpenError() | PermissionError():
            return f"{FILE} cannot be opened for writing; check who owns it and the folder"
        case apsw.BusyError() | apsw.LockedError():
            return f"another program holds {FILE}; close it and start again"
        case apsw.NoMemError() | MemoryError():
            return "this machine has not enough memory left"
        case apsw.Error():
            return f"{type(error).__name__}: {error}"
        case OSError():
            return error.strerror or str(error)
    return None


def lock(path: Path) -> int:
    """Lock this data folder (flock) until the process ends."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        owner = os.read(handle, 100).decode(errors="replace").strip()
        os.close(handle)
        raise StorageInUse(
            f"another server (process {owner or 'unknown'}) is using the data in {path.parent}: "
            "stop it first, or give this one a folder of its own with --data"
        ) from None
    try:
        os.truncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
    except OSError:
        os.close(handle)
        raise
    return handle
