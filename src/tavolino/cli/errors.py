"""The errors of a command, each with one sentence for stderr, and the exit code after Ctrl-C."""

INTERRUPTED = 130  # 128 + SIGINT, as shells expect after Ctrl-C


class WrongUse(Exception):
    """The command was called in a way that makes no sense: exit code 2."""


class Failure(Exception):
    """The call was right, but it failed: exit code 1."""
