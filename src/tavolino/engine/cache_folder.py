"""The folder for machine code: where it is, whether it can be written, and when old code is removed from it."""

import atexit
import errno
import os
import re
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

FINGERPRINT_LENGTH = 20
SUFFIX = ".code"
OUT_OF_DESCRIPTORS = (errno.EMFILE, errno.ENFILE)
TEMPORARY = "TAVOLINO_TEMPORARY_CACHE"  # this environment variable passes the folder to child processes

_writable: set[Path] = set()  # folders that were found writable; others are tried again


def cache_root() -> Path:
    """The folder that contains all our machine code; `TAVOLINO_CACHE` sets another one."""
    chosen = os.environ.get("TAVOLINO_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    if not base:
        try:
            base = str(Path.home() / ".cache")
        except RuntimeError:  # no HOME, and no entry for this user in the system's list
            return Path(tempfile.gettempdir()) / f"tavolino-{os.getuid()}"
    return Path(base) / "tavolino"


def roots() -> list[Path]:
    """Every folder that may contain code. The temporary one exists only if the usual one is not writable."""
    temporary = os.environ.get(TEMPORARY)
    return [cache_root(), *([Path(temporary)] if temporary else [])]


def writable_root() -> Path:
    """Where new code is written: the usual folder or, with a warning, a temporary one if that is not writable."""
    root = cache_root()
    if root in _writable:
        return root
    problem = _why_not_writable(root)
    if problem is None:
        _writable.add(root)
        return root
    temporary = os.environ.get(TEMPORARY)
    if temporary is None or not Path(temporary).is_dir():
        temporary = os.environ[TEMPORARY] = tempfile.mkdtemp(prefix="tavolino-")
        atexit.register(_remove_temporary, temporary, os.getpid())
        print(
            f"tavolino: the cache folder {root} cannot be written ({problem}). The rules are compiled for this run"
            " only; set TAVOLINO_CACHE to a folder that can be written.",
            file=sys.stderr,
        )
    return Path(temporary)


def _why_not_writable(root: Path) -> str | None:
    try:
        root.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=root).close()
    except OSError as problem:
        if problem.errno in OUT_OF_DESCRIPTORS:  # this is not about the folder
            raise
        return problem.strerror or str(problem)
    return None


def _remove_temporary(folder: str, process: int) -> None:
    if os.getpid() == process:  # not in a fork
        shutil.rmtree(folder, ignore_errors=True)


def write(path: Path, content: bytes) -> None:
    """Write a file atomically: no other process ever reads a partial file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)  # an image's cache is read by another user
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def prune_cache(keep_days: float = 30.0) -> int:
    """Remove machine code of other versions that was not used for `keep_days`. Returns how many folders it removed."""
    root, removed = cache_root(), 0
    if not root.is_dir():
        return 0
    for folder in root.iterdir():
        is_ours = re.fullmatch(f"[0-9a-f]{{{FINGERPRINT_LENGTH}}}", folder.name)  # the root may contain other files
        if is_ours and folder.is_dir() and time.time() - folder.stat().st_mtime > keep_days * 86400:
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
    return removed
