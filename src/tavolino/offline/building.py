"""Puts the pack together: Pyodide, Python's library as far as it is loaded, the frozen Python, the games' modules.

Pyodide comes from npm and msgspec from the package index, both pinned with hashes (`npm/package-lock.json`,
`requirements/offline.txt`); both are kept in the cache folder. The version of a pack is a hash of its files, so a
running game can go on with the pack that it began with.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tavolino.aot.building import build as build_games
from tavolino.aot.targets import TARGETS
from tavolino.engine.ahead import FOLDER
from tavolino.engine.cache_folder import cache_root
from tavolino.engine.sources import FROZEN, PACKAGE, all_sources, digest_of_folder
from tavolino.games import GROUP, load, package_of
from tavolino.offline.freezing import freeze
from tavolino.offline.modules import CannotFreeze, modules

HERE = Path(__file__).parent
CHECKOUT = PACKAGE.parent.parent
WITH_NODE = CHECKOUT / "scripts" / "with-node"
WHEELS = CHECKOUT / "requirements" / "offline.txt"
# The platform that this Pyodide calls its own, and its Python.
PLATFORM, PYTHON = "pyemscripten_2026_0_wasm32", "3.14"
MACHINE = "emscripten-wasm32"  # as `engine.modes.platform_name` says it there
FROM_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LOCK = "pyodide-lock.json"
SCRIPTS = (
    "worker.mjs", "helper.mjs", "helpers.mjs", "tables.mjs", "journal.mjs", "checker.mjs", "checking.mjs", "python.mjs",
)  # fmt: skip
DATA = (".csv", ".json", ".bin", ".gz")  # beside the modules of games and of the engine
WITH_TEXTS = (PACKAGE / "engine", PACKAGE / "server" / "verify")
OMITTED_DATA = frozenset({"tutorial.json", "anchors.json"})
MANIFEST, LICENCES = "pack.json", "LICENCES.txt"
OF_OTHERS = ("pyodide-MPL-2.0.txt", "python-PSF-2.0.txt", "msgspec-BSD-3-Clause.txt")  # their licences
COMPRESSED = (".mjs", ".wasm", ".zip", ".json")
# With gzip, for a browser that loads it all: Pyodide and what games share, and each game. Brotli saves a quarter more.
MAX_BYTES, MAX_BYTES_OF_GAME = 5_350_000, 250_000


def build(folder: Path, chosen: Sequence[str], is_compressed: bool = True) -> Path:
    """Make the pack with these games in a folder of that folder, named by its version; CannotFreeze says what cannot be
    part of it."""
    pyodide, wheels = _pyodide(), _wheels()
    compiled = cache_root() / "ahead"
    build_games(chosen, [TARGETS["pyodide"]], compiled)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".building-") as made:
        app, pack = Path(made) / "app", Path(made) / "pack"
        app.mkdir()
        pack.mkdir()
        _freeze_all(app, chosen)
        _add_wheels(app, wheels)
        _add_games(app, compiled, chosen)
        for name in FROM_PYODIDE:
            shutil.copyfile(pyodide / name, pack / name)
        _write_lock(pyodide / LOCK, pack / LOCK)
        for name in SCRIPTS:
            shutil.copyfile(HERE / name, pack / name)
        (pack / LICENCES).write_text(_licences(), "utf-8")
        _run(str(WITH_NODE), "node", str(HERE / "compile.mjs"), str(pyodide), str(app), str(pack))
        version = _write_manifest(pack, chosen)
        check_size(pack, len(chosen))
        if is_compressed:
            _run(str(WITH_NODE), "node", str(HERE / "compress.mjs"), str(pack), *COMPRESSED)
        target = folder / version
        # The same pack may be there, and a server may read it, or another process may just make it.
        if not _is_there(target, is_compressed):
            shutil.rmtree(target, ignore_errors=True)
            try:
                pack.rename(target)
            except OSError:
                if not _is_there(target, is_compressed):
                    raise
    (folder / MANIFEST).write_bytes((target / MANIFEST).read_bytes())
    return target


def _is_there(pack: Path, is_compressed: bool) -> bool:
    return (pack / (f"{MANIFEST}.br" if is_compressed else MANIFEST)).is_file()


def _freeze_all(app: Path, chosen: Sequence[str]) -> None:
    for name, path in modules(chosen).items():
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            raise CannotFreeze(f"{name} cannot be imported: {error}") from None
        parts = name.split(".")
        place = (
            app.joinpath(*parts, "__init__.py")
            if path.name == "__init__.py"
            else app.joinpath(*parts).with_suffix(".py")
        )
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(freeze(name, path.read_text("utf-8"), module), "utf-8")
    for source in WITH_TEXTS:
        _copy_data(source, app / PACKAGE.name / source.relative_to(PACKAGE))
    for game in chosen:
        _copy_data(load(game).folder, _place_of(app, game))
    _declare(app, [game for game in chosen if _is_outside(game)])
    numpy = app / "numpy"
    numpy.mkdir()
    for ours, name in (("small_numpy.py", "__init__.py"), ("small_numpy_typing.py", "typing.py")):
        shutil.copyfile(HERE / ours, numpy / name)


def _place_of(app: Path, game: str) -> Path:
    return app.joinpath(*package_of(game).split("."))


def _is_outside(game: str) -> bool:
    return not package_of(game).startswith(f"{PACKAGE.name}.")


def _declare(app: Path, games: Sequence[str]) -> None:
    """The entry points of games from other packages."""
    points = app / "games-1.0.dist-info" / "entry_points.txt"
    if games:
        points.parent.mkdir()
        points.write_text(f"[{GROUP}]\n" + "".join(f"{game} = {package_of(game)}\n" for game in games), "utf-8")


def _copy_data(source: Path, target: Path) -> None:
    for path in sorted(source.rglob("*")):
        if path.suffix in DATA and path.name not in OMITTED_DATA and "__pycache__" not in path.parts:
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def _add_games(app: Path, compiled: Path, chosen: Sequence[str]) -> None:
    """The compiled modules, and the digests of the sources that they were made from."""
    target = TARGETS["pyodide"]
    for game in chosen:
        code = (_place_of(app, game) if _is_outside(game) else app / PACKAGE.name) / FOLDER
        code.mkdir(exist_ok=True)
        shutil.copyfile(compiled / target.file(game), code / f"{game}.{MACHINE}.so")
        shutil.copyfile(compiled / target.manifest(game), code / f"{game}.{MACHINE}.json")
        folder = load(game).folder
        for source in all_sources(folder):
            place = _place_of(app, game) if source == folder else app / PACKAGE.name / source.relative_to(PACKAGE)
            place.mkdir(parents=True, exist_ok=True)
            (place / FROZEN).write_text(digest_of_folder(source).hex(), "ascii")


def _pyodide() -> Path:
    """The package from npm."""
    lock = HERE / "npm" / "package-lock.json"
    place = cache_root() / "offline" / f"npm-{_sha256(lock)[:16]}"
    found = place / "node_modules" / "pyodide"
    if not (place / "complete").is_file():
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(HERE / "npm", place, ignore=shutil.ignore_patterns("node_modules"))
        _run(str(WITH_NODE), "npm", "ci", "--prefix", str(place), "--ignore-scripts", "--no-audit", "--no-fund")
        (place / "complete").touch()
    return found


def _wheels() -> list[Path]:
    """Packages with compiled code, for this Pyodide."""
    place = cache_root() / "offline" / f"wheels-{_sha256(WHEELS)[:16]}"
    if not (place / "complete").is_file():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        _run(
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--require-hashes",
            "--no-deps", "--only-binary", ":all:", "--platform", PLATFORM, "--python-version", PYTHON,
            "--implementation", "cp", "--dest", str(place), "-r", str(WHEELS),
        )  # fmt: skip
        (place / "complete").touch()
    return sorted(place.glob("*.whl"))


def _add_wheels(app: Path, wheels: list[Path]) -> None:
    """Without their metadata and type stubs: nothing reads them."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if ".dist-info/" not in name and name.endswith((".py", ".so")):
                    archive.extract(name, app)


def _licences() -> str:
    texts = [(CHECKOUT / "licences" / name).read_text("utf-8") for name in OF_OTHERS]
    return "\n".join(
        f"{name.partition('-')[0].capitalize()}\n\n{text}" for name, text in zip(OF_OTHERS, texts, strict=True)
    )


def _write_lock(source: Path, target: Path) -> None:
    """Pyodide's list of packages, without any: nothing is loaded from elsewhere."""
    target.write_text(json.dumps({**json.loads(source.read_text("utf-8")), "packages": {}}), "utf-8")


def _write_manifest(pack: Path, chosen: Sequence[str]) -> str:
    files = {path.name: path for path in sorted(pack.iterdir())}
    about: dict[str, Any] = {
        "files": {name: {"bytes": path.stat().st_size, "sha256": _sha256(path)} for name, path in files.items()},
        "games": {game: list(load(game).versions) for game in chosen},
    }
    version = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:16]
    (pack / MANIFEST).write_text(json.dumps({"version": version, **about}, indent=1) + "\n", "utf-8")
    return version


def check_size(pack: Path, games: int) -> None:
    """The pack must not grow unseen."""
    sizes = {path.name: len(zlib.compress(path.read_bytes(), 9)) for path in pack.iterdir()}
    limit = MAX_BYTES + games * MAX_BYTES_OF_GAME
    if (size := sum(sizes.values())) > limit:
        largest = ", ".join(f"{name} {sizes[name]}" for name in sorted(sizes, key=sizes.__getitem__)[:-6:-1])
        raise CannotFreeze(f"the pack has {size} bytes with gzip, {limit} are the limit; the largest files: {largest}")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip()
        raise CannotFreeze(f"{Path(command[0]).name} {Path(command[1]).name} failed: {said[-2000:]}")
