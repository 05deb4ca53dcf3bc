"""What compiles the rules in this process: nobody, because they were compiled ahead of time; Numba; or nothing at all.

`TAVOLINO_COMPILED` chooses. Otherwise code that was compiled ahead for this platform is used if there is any, else
Numba if it is installed, else the rules run as ordinary Python. This module imports neither NumPy nor Numba.
"""

import os
import platform
import sys
from importlib.util import find_spec
from pathlib import Path

AHEAD, NUMBA, PLAIN = "ahead", "numba", "plain"
MODES = (AHEAD, NUMBA, PLAIN)
CHOICE = "TAVOLINO_COMPILED"
# With these of Numba's own settings the code must be Numba's: checked indices, code that a debugger can read.
NEEDS_NUMBA = ("NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO", "NUMBA_OPT")

BUNDLED = Path(__file__).absolute().parent.parent / "machine_code"  # in a wheel for one platform
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
_SYSTEMS = {"linux": "linux", "darwin": "macos"}


class WrongChoice(ValueError):
    """`TAVOLINO_COMPILED` is none of the modes, or Numba where it is not installed."""


class NoCodeAhead(RuntimeError):
    """`TAVOLINO_COMPILED` chooses code compiled ahead, and that of a game cannot be used."""


def platform_name() -> str:
    """The platform as files of machine code are named: linux-x86_64."""
    machine = platform.machine().lower()
    return f"{_SYSTEMS.get(sys.platform, sys.platform)}-{_MACHINES.get(machine, machine)}"


def bundled_folder() -> Path:
    """Where code compiled ahead for the games of this package is; `TAVOLINO_AHEAD` sets another folder."""
    return Path(os.environ.get("TAVOLINO_AHEAD") or BUNDLED)


def caller_path() -> Path:
    """The extension module that calls code compiled ahead, for this platform."""
    return bundled_folder() / f"caller.{platform_name()}.so"


def has_numba() -> bool:
    return find_spec("numba") is not None


def chosen_mode() -> str | None:
    """The mode that `TAVOLINO_COMPILED` chooses, or None; or WrongChoice."""
    chosen = os.environ.get(CHOICE)
    if not chosen:
        return None
    if chosen not in MODES:
        raise WrongChoice(f"{CHOICE} is {chosen[:40]!r}; it can be {', '.join(MODES[:-1])} or {MODES[-1]}.")
    if chosen == NUMBA and not has_numba():
        raise WrongChoice(f"{CHOICE} is numba, which is not installed: the extra `compile` of the package brings it.")
    return chosen


def mode() -> str:
    chosen = chosen_mode()
    if chosen is not None:
        return chosen
    if _is_set("NUMBA_DISABLE_JIT"):
        return PLAIN
    if not any(map(_is_set, NEEDS_NUMBA)) and caller_path().is_file():
        return AHEAD
    return NUMBA if has_numba() else PLAIN


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "0") not in ("", "0")
