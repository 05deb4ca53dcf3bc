"""The errors of a command, each with one sentence for stderr, and the exit code after Ctrl-C."""

INTERRUPTED = 130  # 128 + SIGINT, as shells expect after Ctrl-C


class WrongUse(Exception):
    """The command line is wrong: exit code 2."""


class Failure(Exception):
    """The command line is right, but the command failed: exit code 1."""
