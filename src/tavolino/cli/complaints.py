"""The two ways in which a command ends badly. Each carries one sentence for stderr."""


class WrongUse(Exception):
    """The command was called in a way that makes no sense: exit code 2."""


class Failure(Exception):
    """The call was right and yet it did not work: exit code 1."""
