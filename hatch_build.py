"""Hatch build hooks: the page and the machine code of the rules become part of the package.

An sdist and a wheel contain the page; a build without it fails. A wheel also contains the rules compiled for one
platform, so that an installed package plays at once, without a compiler: `TAVOLINO_WHEEL` names another platform than
this one (`tavolino.aot.targets`), and `any` builds a wheel without machine code, for the extra `compile`.
`TAVOLINO_AHEAD` names a folder of machine code: what is there and up to date is not compiled again.
`TAVOLINO_VERSION` is the version of a build without git's data (`hatch_version.py`).
"""

from __future__ import annotations

import os
import platform
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
LINKER = "ziglang==0.17.0"
ANY = "any"
# The stable ABI of Python 3.11, which later versions have too; glibc 2.17 is manylinux2014.
TAGS = {
    "linux-x86_64": "cp311-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64",
    "linux-aarch64": "cp311-abi3-manylinux_2_17_aarch64.manylinux2014_aarch64",
    "macos-aarch64": "cp311-abi3-macosx_11_0_arm64",
}


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def dependencies(self) -> list[str]:
        """What compiling the rules needs, in the versions that the package requires."""
        if self.target_name != "wheel" or _target() == ANY:
            return []
        core = self.metadata.core
        wanted = [*core.dependencies, *core.optional_dependencies["compile"]]
        return [LINKER, *(one for one in wanted if re.split(r"[^A-Za-z0-9-]", one)[0] in COMPILED_WITH)]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        if not (Path(self.root) / PAGE).is_file():
            raise SystemExit("The page is not built. Run `make setup` first, then build again.")
        self._add_version(build_data)
        if self.target_name == "wheel" and _target() != ANY:
            self._compiled = Path(tempfile.mkdtemp(prefix="tavolino-build-"))
            _compile(Path(self.root) / "src", _target(), self._compiled)
            build_data["force_include"][str(self._compiled)] = CODE
            build_data["pure_python"] = False
            build_data["tag"] = TAGS[_target()]

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


def _target() -> str:
    """The platform of the wheel, as `tavolino.engine.modes.platform_name` names this one; or ANY."""
    system = {"linux": "linux", "darwin": "macos"}.get(sys.platform, sys.platform)
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    target = os.environ.get("TAVOLINO_WHEEL") or f"{system}-{machine}"
    if target not in (*TAGS, ANY):
        raise SystemExit(f"There is no wheel for {target}. TAVOLINO_WHEEL can be: {', '.join((*TAGS, ANY))}.")
    return target


def _compile(sources: Path, target: str, into: Path) -> None:
    folder = Path(os.environ.get("TAVOLINO_AHEAD") or into)
    settings = {**os.environ, "PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "tavolino.aot", str(folder), "--target", target]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"The rules could not be compiled for the wheel:\n{done.stderr}")
    if folder != into:
        for path in folder.glob(f"*.{target}.*"):
            shutil.copy(path, into)


class MetadataHook(MetadataHookInterface):
    """The README of the package, with relative links turned into absolute ones."""

    def update(self, metadata: dict[str, Any]) -> None:
        source = self.config["source"]
        text = (Path(self.root) / "README.md").read_text("utf-8")
        text = re.sub(r"\]\((?!https?://|#)([^)]+)\)", rf"]({source}/\1)", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
