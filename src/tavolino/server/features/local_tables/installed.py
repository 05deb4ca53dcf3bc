"""The offline pack that is installed: the package `tavolino-offline`, which has files and no code."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from tavolino.server.features.local_tables.serving import BadPack
from tavolino.version import VERSION

PACKAGE = "tavolino-offline"


def installed_pack() -> Path | None:
    """The folder of the installed pack, if there is one. BadPack: it was made for another version."""
    try:
        found = distribution(PACKAGE)
    except PackageNotFoundError:
        return None
    if found.version != VERSION:
        raise BadPack(
            f"The installed {PACKAGE} is of version {found.version}, and Tavolino of version {VERSION}: install both "
            "of the same version, or remove it."
        )
    return Path(str(found.locate_file(PACKAGE.replace("-", "_"))))
