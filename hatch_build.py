"""Hatch build hooks: the page and the machine code of the rules become part of the package.

An sdist and a wheel contain the page; a build without it fails. A wheel also contains machine code of the rules, so
that an installed package plays at once. Such a wheel is for one version of Python and one platform, as its name says.
`TAVOLINO_WHEEL=any` builds a wheel for all platforms without machine code, which compiles at its first start.
`TAVOLINO_VERSION` is the version of a build without git's data (`hatch_version.py`).
`TAVOLINO_WHEEL=cached` takes the machine code from this machine's cache instead of compiling it for the build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGE = Path("src/tavolino/server/page/index.html")
CODE = "tavolino/machine_code"
BUILT, UNKNOWN = "src/tavolino/built.py", "+unknown"  # see hatch_version.py
COMPILED_WITH = ("numba", "numpy")
COMPILE = (
    "from tavolino.engine.portable import prefer_portable_code; prefer_portable_code(); "
    "from tavolino.bots.warmup import warm_all; warm_all(lambda progress: None)"
)
# Compiles what is missing in the cache, loads all of it in this process, and prints the paths of the files.
LOAD = """
from tavolino.engine.portable import prefer_portable_code
prefer_portable_code()
from tavolino.bots.warmup import PARTS, Part, compile_part, warm_all
from tavolino.engine.code_cache import used_files
from tavolino.games import games
warm_all(lambda progress: None)
for game in games():
    for part in PARTS:
        compile_part(Part(game, part))
print(*used_files(), sep="\\n")
"""


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def dependencies(self) -> list[str]:
        """The packages that compiling the rules needs, in the versions that the package requires."""
        if self.target_name != "wheel" or not _has_code():
            return []
        wanted = self.metadata.core.dependencies
        return [one for one in wanted if re.split(r"[^A-Za-z0-9-]", one)[0] in COMPILED_WITH]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        if not (Path(self.root) / PAGE).is_file():
            raise SystemExit("The page is not built. Run `make setup` first, then build again.")
        self._add_version(build_data)
        if self.target_name == "wheel" and _has_code():
            self._compiled = Path(tempfile.mkdtemp(prefix="tavolino-build-"))
            _compile(Path(self.root) / "src", self._compiled)
            build_data["force_include"][str(self._compiled)] = CODE
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def _add_version(self, build_data: dict[str, Any]) -> None:
        """The package's version as a module, so that nothing asks git for it later."""
        if self.metadata.version.endswith(UNKNOWN):
            raise SystemExit(
                "The version of this build is unknown: there is no git, or not the whole history of the project "
                "(a shallow clone, a copy without .git). Set TAVOLINO_VERSION, for example to 0.3.0.dev1."
            )
        self._described = Path(tempfile.mkdtemp(prefix="tavolino-version-"))
        content = self._described / "built.py"
        content.write_text(f'VERSION = "{self.metadata.version}"\n', "utf-8")
        build_data["force_include"][str(content)] = BUILT if self.target_name == "sdist" else "tavolino/built.py"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_described"):
            shutil.rmtree(self._described)
        if hasattr(self, "_compiled"):
            shutil.rmtree(self._compiled)


def _has_code() -> bool:
    return os.environ.get("TAVOLINO_WHEEL") != "any"


def _compile(sources: Path, into: Path) -> None:
    if os.environ.get("TAVOLINO_WHEEL") != "cached":
        _run(COMPILE, sources, TAVOLINO_CACHE=str(into))
        return
    for name in _run(LOAD, sources).splitlines():
        folder = into / Path(name).parent.name
        folder.mkdir(exist_ok=True)
        shutil.copy(name, folder)


def _run(program: str, sources: Path, **settings: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1", **settings}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"The rules could not be compiled for the wheel:\n{done.stderr}")
    return done.stdout


class MetadataHook(MetadataHookInterface):
    """The README of the package, with relative links turned into absolute ones."""

    def update(self, metadata: dict[str, Any]) -> None:
        source = self.config["source"]
        text = (Path(self.root) / "README.md").read_text("utf-8")
        text = re.sub(r"\]\((?!https?://|#)([^)]+)\)", rf"]({source}/\1)", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
