"""A terminal for tests: the real command in a pseudo-terminal, driven as a person would."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tavolino.cli import commands
from tests.cli.forked import Forked

PROMPT = "❯ "
CLEARED = "\x1b[2J"
TIMEOUT = 240.0  # seconds; the first start on a cold cache compiles
_ERASED = re.compile(r"[^\n]*(\n[^\n]*\x1b\[1A)?\x1b\[2K")  # lines that were erased, such as a progress bar
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SIZES = ("COLUMNS", "LINES")  # a test runner may set them; the terminal has a size of its own


def _handle_ctrl_c() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a process started in the background of a script ignores it


class Terminal:
    """The command `tavolino` with some arguments, in a terminal of some size."""

    def __init__(
        self, arguments: list[str], environment: dict[str, str], columns: int, rows: int, is_program: bool
    ) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._descriptor = ours
        self._pending = b""
        self.all = ""  # everything that was ever written
        variables = {name: os.environ[name] for name in os.environ if name not in SIZES} | environment
        self.process: Forked | subprocess.Popen[bytes]
        if is_program:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tavolino", *arguments],
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                env=variables,
                start_new_session=True,
                preexec_fn=_handle_ctrl_c,
            )
        else:
            self.process = Forked(arguments, variables, theirs)
        os.close(theirs)

    @property
    def screen(self) -> str:
        """What has been written since the screen was last cleared, without colours."""
        written = _ERASED.sub("", self.all.rpartition(CLEARED)[2])
        return _CODES.sub("", written).replace("\r", "")

    def expect(self, text: str) -> str:
        """Wait until the text is on the screen; returns the screen."""
        deadline = time.monotonic() + TIMEOUT
        while text not in self.screen:
            assert self._read(deadline), f"{text!r} never came; the screen is:\n{self.screen}"
        return self.screen

    def expect_match(self, pattern: str) -> None:
        """Wait until the screen matches a regular expression somewhere."""
        deadline = time.monotonic() + TIMEOUT
        while not re.search(pattern, self.screen):
            assert self._read(deadline), f"{pattern!r} never came; the screen is:\n{self.screen}"

    def ask(self) -> str | None:
        """Wait until a choice can be typed; returns the screen, or None when the command has ended."""
        deadline = time.monotonic() + TIMEOUT
        while not self.screen.endswith(PROMPT):
            if not self._read(deadline):
                return None
        return self.screen

    def type(self, line: str) -> None:
        self.all += CLEARED  # older output is no answer to this
        os.write(self._descriptor, f"{line}\n".encode())

    def press(self, keys: bytes) -> None:
        self.all += CLEARED
        os.write(self._descriptor, keys)

    def end(self) -> int:
        """Wait for the command to end; its exit code."""
        deadline = time.monotonic() + TIMEOUT
        while self._read(deadline):
            pass
        return self.process.wait(timeout=10)

    def _read(self, deadline: float) -> bool:
        """Read what was written; False when nothing more will come."""
        # The deadline also applies while there is output, because a progress bar writes all the time.
        left = deadline - time.monotonic()
        if left < 0 or not select.select([self._descriptor], [], [], left)[0]:
            raise TimeoutError(f"nothing happens; the screen is:\n{self.screen}")
        try:
            chunk = os.read(self._descriptor, 65536)
        except OSError:  # Linux raises it when the other side is closed
            return False
        self._pending += chunk
        whole = self._pending.decode("utf-8", "ignore")
        self._pending = b"" if self._pending.decode("utf-8", "replace") == whole else self._pending
        self.all += whole if not self._pending else ""
        return bool(chunk)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._descriptor)


Sit = Callable[..., Terminal]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Start the command in a terminal; game files go to the test's folder.

    `play` and `replay` are forked, unless the test asks for a new process or sets environment variables that matter at
    its start.
    """
    opened: list[Terminal] = []

    def start(
        *arguments: str, columns: int = 80, rows: int = 60, is_program: bool = False, **environment: str
    ) -> Terminal:
        settings = {"XDG_STATE_HOME": str(tmp_path), "LC_ALL": "en_US.UTF-8", "TERM": "xterm-256color"}
        is_program |= arguments[0] not in ("play", "replay") or not environment.keys() <= settings.keys()
        opened.append(Terminal(list(arguments), settings | environment, columns, rows, is_program))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


@pytest.fixture
def run() -> Run:
    """Run the command without a terminal."""

    def call(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tavolino", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            stdin=subprocess.DEVNULL,
            env=os.environ | more,
        )

    return call


@pytest.fixture
def run_here(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command without a terminal, in this process: starting one takes a second, most of it for imports."""

    def call(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        with monkeypatch.context() as patched:
            for name, value in more.items():
                patched.setenv(name, value)
            capfd.readouterr()
            code = commands.run(list(arguments))
        return subprocess.CompletedProcess(arguments, code, *capfd.readouterr())

    return call


@pytest.fixture
def typed_input(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Within this context the standard input of this process is a terminal."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield
    os.close(ours)
