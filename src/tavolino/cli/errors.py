"""The ways in which a command ends badly: two carry one sentence for stderr, the third is Ctrl-C."""

INTERRUPTED = 130  # what a shell expects of a program that Ctrl-C has ended


class WrongUse(Exception):
    """The command was called in a way that makes no sense: exit code 2."""


class Failure(Exception):
    """The call was right and yet it did not work: exit code 1."""
