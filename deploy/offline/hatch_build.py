"""Hatch's hooks: the newest pack of a folder becomes the content of a package that requires Tavolino of its version.

`TAVOLINO_OFFLINE_PACK` names the folder; otherwise it is the one of `make offline`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CHECKOUT = Path(__file__).parents[2]
PACKAGE, MANIFEST = "tavolino_offline", "pack.json"


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = Path(os.environ.get("TAVOLINO_OFFLINE_PACK") or CHECKOUT / "build" / "offline")
        if not (folder / MANIFEST).is_file():
            raise SystemExit(f"There is no offline pack in {folder}. Run `make offline` first, then build again.")
        newest = json.loads((folder / MANIFEST).read_text("utf-8"))["version"]
        for name in (MANIFEST, newest):
            build_data["force_include"][str(folder / name)] = f"{PACKAGE}/{name}"


class MetadataHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        metadata["dependencies"] = [f"tavolino=={metadata['version']}"]
