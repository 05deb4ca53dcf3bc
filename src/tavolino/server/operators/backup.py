"""Backups: copies of the data, made while the server runs, checked and restored."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

import apsw

from tavolino.server.operators.check import Report, check_tables
from tavolino.server.operators.transfer import CannotMove, SqliteSide, move_data, side_of
from tavolino.server.storage import CannotOpen, StorageInUse
from tavolino.server.storage.opening import FILE, LOCK, connect_beside, lock, why_not
from tavolino.server.storage.private_files import create_private
from tavolino.server.storage.schema import check_schema
from tavolino.server.storage.sqlite import SqliteStorage


class CannotCopy(Exception):
    """The copy failed; the message is one sentence for the operator."""


def back_up(folder: Path, into: Path) -> int:
    """Copy the data into a separate file, while a server may run; returns its size in bytes.

    The copy is read within one transaction, so it is consistent. Moves go on meanwhile.
    """
    _check_target(into)
    try:
        source = connect_beside(folder / FILE)
    except (apsw.Error, CannotOpen, OSError) as error:
        raise CannotCopy(f"no backup of {folder}: {why_not(error)}") from None
    unfinished = into.with_name(f".{into.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        create_private(unfinished)  # it contains the cards of running games
        _copy(source, unfinished)
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.rename(into)
        _sync_folder(into.parent)
    except (apsw.Error, CannotOpen, OSError) as error:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
        reason = error.strerror if isinstance(error, OSError) else why_not(error)
        raise CannotCopy(f"no backup of {folder}: {into} cannot be written: {reason}") from None
    finally:
        source.close()
    return into.stat().st_size


def _check_target(into: Path) -> None:
    if into.exists():
        raise CannotCopy(f"{into} already exists; choose another file name")
    if not into.parent.is_dir():
        raise CannotCopy(f"no backup: there is no folder {into.parent}")


async def back_up_database(url: str, into: Path) -> int:
    """Back up a PostgreSQL database, also into one SQLite file, which any Tavolino can check and restore."""
    from tavolino.server.operators.transfer_postgres import PostgresSide

    _check_target(into)
    try:
        with tempfile.TemporaryDirectory(prefix=".tavolino-backup-", dir=into.parent) as name:
            await move_data(PostgresSide(url, is_beside=True), SqliteSide(Path(name)))
            return back_up(Path(name), into)
    except CannotMove as error:
        raise CannotCopy(f"no backup: {error}") from None
    except OSError as error:
        raise CannotCopy(f"no backup: {error.strerror}") from None


async def put_into_database(file: Path, url: str) -> None:
    """Fill an empty database from a backup."""
    with tempfile.TemporaryDirectory(prefix=".tavolino-restore-", dir=file.parent) as name:
        shutil.copyfile(file, Path(name) / FILE)
        try:
            await move_data(SqliteSide(Path(name)), side_of(url))
        except CannotMove as error:
            raise CannotCopy(f"{file} cannot be restored: {error}") from None


def _copy(source: apsw.Connection, path: Path) -> None:
    target = apsw.Connection(str(path))
    try:
        with target.backup("main", source, "main") as copying:
            while not copying.done:
                copying.step(-1)  # all pages in one transaction
        target.execute("PRAGMA journal_mode = DELETE")  # one file, without -wal and -shm beside it
        if (found := target.pragma("quick_check")) != "ok":
            raise CannotOpen(f"the copy is damaged ({found})")
    finally:
        target.close()


async def check_backup(file: Path) -> Report:
    """Open a copy of a backup as a server would, and replay its running tables. The backup itself is not changed."""
    with tempfile.TemporaryDirectory(prefix="tavolino-check-", dir=file.parent) as name:
        folder = Path(name)
        create_private(folder / FILE)
        try:
            shutil.copyfile(file, folder / FILE)
            check_schema(folder / FILE)  # before anything is written: a trigger would run
            storage = SqliteStorage(folder)
            await storage.open()
        except (OSError, CannotOpen) as error:
            raise CannotCopy(f"{file} cannot be restored: {str(error).replace(name, str(file))}") from None
        try:
            found = await storage.pragma("integrity_check")
            report = await check_tables(storage)
        finally:
            await storage.close()
        if found != "ok":
            report.wrong.append(f"SQLite finds it damaged: {found}")
        return report


def put_back(file: Path, folder: Path) -> Path | None:
    """Make a backup the data of a folder. The old data is kept beside it; returns where."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = lock(folder / LOCK)
    except StorageInUse:
        raise CannotCopy(f"a server is using the data in {folder}: stop it first") from None
    except OSError as error:
        raise CannotCopy(f"{file} cannot be restored into {folder}: {error.strerror}") from None
    try:
        arriving = folder / "tavolino.restored"
        create_private(arriving)
        shutil.copyfile(file, arriving)
        with arriving.open("rb") as written:
            os.fsync(written.fileno())
        kept = _set_aside(folder)
        arriving.rename(folder / FILE)
        _sync_folder(folder)
    except OSError as error:
        raise CannotCopy(f"{file} cannot be restored into {folder}: {error.strerror}") from None
    finally:
        os.close(handle)
    return kept


def _set_aside(folder: Path) -> Path | None:
    """Move the old file and its log: only together they hold all acknowledged writes."""
    if not (folder / FILE).exists():
        return None
    number = 1
    while (kept := folder / f"tavolino.before-restore-{number}").exists():
        number += 1
    kept.mkdir(mode=0o700)
    for path in (folder / f"{FILE}-wal", folder / f"{FILE}-shm", folder / FILE):
        if path.exists():
            path.rename(kept / path.name)
    return kept


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
