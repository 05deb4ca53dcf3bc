"""The errors of a command, each with one sentence for stderr, and the exit code after Ctrl-C."""

import typer

INTERRUPTED = 130  # 128 + SIGINT, as shells expect after Ctrl-C


class WrongUse(Exception):
    """The command line is wrong: exit code 2."""


class Failure(Exception):
    """The command line is right, but the command failed: exit code 1."""


def sentence_of(error: typer.TyperException) -> str:
    """Typer's error as a sentence. A value that Pydantic refused is named with what it must be."""
    details = getattr(error.__cause__, "errors", None)
    param = getattr(error, "param", None)
    if details is None or param is None:
        return str(error.format_message())
    problem = details()[0]
    name = max(param.opts, key=len)
    limits = problem.get("ctx", {})
    wanted = {
        "greater_than_equal": f"must be at least {limits.get('ge')}",
        "less_than_equal": f"must be at most {limits.get('le')}",
        "int_parsing": "must be a whole number",
        "float_parsing": "must be a number",
    }.get(problem["type"])
    if wanted:
        return f"{name} {wanted}, not {problem['input']}."
    reason = str(limits.get("error", problem["msg"])).rstrip(".")
    return f"{name}: {reason}."
