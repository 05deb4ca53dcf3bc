"""Runs the command in a process forked from one that has imported everything (tests/cli/imports.py), because importing
Numba and a game takes a second of CPU time for every terminal that a test opens."""

import fcntl
import multiprocessing
import os
import signal
import sys
import termios
from multiprocessing.reduction import DupFd
from typing import Any

from tavolino.cli import main


class Forked:
    """The command with some arguments, in a terminal; to be used like `subprocess.Popen`."""

    def __init__(self, arguments: list[str], environment: dict[str, str], terminal: int) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.cli.imports"])
        self._process = context.Process(target=_run, args=(arguments, environment, DupFd(terminal)))
        self._process.start()

    def send_signal(self, number: int) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self._process.exitcode
        assert code is not None, "the command does not end"
        return code

    def kill(self) -> None:
        self._process.kill()


def _run(arguments: list[str], environment: dict[str, str], terminal: Any) -> None:
    descriptor = terminal.detach()
    os.setsid()
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)
    for stream in range(3):
        os.dup2(descriptor, stream)
    os.close(descriptor)
    sys.stdin = os.fdopen(0, "r", encoding="utf-8")
    sys.stdout, sys.stderr = (os.fdopen(stream, "w", encoding="utf-8") for stream in (1, 2))
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main(arguments))
