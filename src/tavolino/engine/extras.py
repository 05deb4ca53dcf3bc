"""Optional dependencies: an error that names the extra to install."""

from importlib.util import find_spec


class MissingExtra(ModuleNotFoundError):
    """A library that an optional part needs is not installed. The message names the extra that installs it."""

    def __init__(self, extra: str, module: str | None):
        sentence = (
            f"{module} is not installed; the extra `{extra}` brings it. In a checkout: "
            f".venv/bin/python -m pip install -e '.[{extra}]'; with a wheel: pip install 'FILE.whl[{extra}]'."
        )
        super().__init__(sentence, name=module)


def require(extra: str, module: str) -> None:
    """Raise MissingExtra unless a library of an extra is installed."""
    if find_spec(module) is None:
        raise MissingExtra(extra, module)
