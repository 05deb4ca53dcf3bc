"""The offline pack at a server: its files, their policy, and what is said where there is none."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tavolino.server.features.local_tables.installed import installed_pack
from tavolino.server.features.local_tables.serving import BadPack
from tavolino.version import VERSION as VERSION_OF_TAVOLINO
from tests.server.clients import Guest
from tests.server.conftest import Server

StartServer = Callable[..., Server]
VERSION = "0123456789abcdef"
WORKERS = ("worker.mjs", "checker.mjs")
FILES = {
    "worker.mjs": b"export {}",
    "checker.mjs": b"export {}",
    "tables.mjs": b"export const one = 1",
    "app.zip": b"PK" * 900,
}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "packs"
    (folder / VERSION).mkdir(parents=True)
    for name, content in FILES.items():
        (folder / VERSION / name).write_bytes(content)
    (folder / VERSION / "app.zip.gz").write_bytes(gzip.compress(FILES["app.zip"]))
    files = {name: {"bytes": len(content), "sha256": ""} for name, content in FILES.items()}
    about = {"version": VERSION, "files": files, "games": {"mantis": ["1"]}}
    (folder / "pack.json").write_text(json.dumps(about), "utf-8")
    return folder


def test_the_files_are_served_for_ever_and_compressed(start_server: StartServer, pack: Path) -> None:
    http = Guest(start_server(offline_pack=pack).address).http
    described = http.get("/api/offline").json()
    assert (described["version"], described["games"]) == (VERSION, ["mantis"])
    assert described["bytes"] < sum(map(len, FILES.values()))
    for name, content in FILES.items():
        served = http.get(f"/offline/{VERSION}/{name}")
        assert served.status_code == 200
        assert served.content == content
        assert "immutable" in served.headers["cache-control"]
    assert http.get(f"/offline/{VERSION}/app.zip").headers["content-encoding"] == "gzip"
    plain = http.get(f"/offline/{VERSION}/app.zip", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert http.get(f"/offline/{VERSION}/worker.mjs").headers["content-type"].startswith("text/javascript")


def test_only_the_workers_may_compile_webassembly(start_server: StartServer, pack: Path) -> None:
    http = Guest(start_server(offline_pack=pack).address).http
    policy = {
        path: http.get(path).headers["content-security-policy"]
        for path in (
            "/",
            "/offline",
            "/api/offline",
            *(f"/offline/{VERSION}/{worker}" for worker in WORKERS),
            f"/offline/{VERSION}/tables.mjs",
        )
    }
    allowed = {path: rules for path, rules in policy.items() if "wasm" in rules}
    assert list(allowed) == [f"/offline/{VERSION}/{worker}" for worker in WORKERS]
    for rules in allowed.values():
        assert "script-src 'self' 'wasm-unsafe-eval';" in rules
        assert " 'unsafe-eval'" not in rules


@pytest.fixture
def install(tmp_path: Path, pack: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Installs the pack as the package `tavolino-offline` of a version; its folder."""
    site = tmp_path / "site"
    monkeypatch.syspath_prepend(site)

    def install(version: str) -> Path:
        about = site / f"tavolino_offline-{version}.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.4\nName: tavolino-offline\nVersion: {version}\n")
        return Path(shutil.copytree(pack, site / "tavolino_offline"))

    return install


def test_an_installed_pack_is_found(install: Callable[[str], Path]) -> None:
    assert installed_pack() is None
    folder = install(VERSION_OF_TAVOLINO)
    assert installed_pack() == folder


def test_an_installed_pack_of_another_version_is_refused_in_a_sentence(install: Callable[[str], Path]) -> None:
    install("0.0.9")
    with pytest.raises(BadPack, match=r"is of version 0\.0\.9, and Tavolino of version .*: install both"):
        installed_pack()


def test_older_packs_are_served_as_long_as_they_are_there(start_server: StartServer, pack: Path) -> None:
    newer = "f" * 16
    shutil.copytree(pack / VERSION, pack / newer)
    shutil.copy(pack / "pack.json", pack / VERSION)
    (pack / "broken").mkdir()
    (pack / "broken" / "pack.json").write_text("{")
    (pack / "pack.json").write_text((pack / "pack.json").read_text("utf-8").replace(VERSION, newer), "utf-8")
    http = Guest(start_server(offline_pack=pack).address).http
    assert http.get("/api/offline").json()["version"] == newer
    for version in (newer, VERSION):
        worker = http.get(f"/offline/{version}/worker.mjs")
        assert worker.content == FILES["worker.mjs"]
        assert "wasm-unsafe-eval" in worker.headers["content-security-policy"]
    assert http.get("/offline/broken/worker.mjs").status_code == 404


@pytest.mark.parametrize("path", ["other/worker.mjs", f"{VERSION}/pack.json", f"{VERSION}/..%2Fpack.json"])
def test_nothing_else_of_the_folder_is_served(start_server: StartServer, pack: Path, path: str) -> None:
    assert Guest(start_server(offline_pack=pack).address).http.get(f"/offline/{path}").status_code == 404


def test_without_a_pack_the_server_says_so(start_server: StartServer) -> None:
    http = Guest(start_server().address).http
    assert http.get("/api/offline").json() == {"version": None, "bytes": 0, "games": []}
    assert http.get(f"/offline/{VERSION}/worker.mjs").status_code == 404


@pytest.mark.parametrize("damage", ["no list", "no JSON", "a file is missing"])
def test_a_damaged_pack_is_as_none(start_server: StartServer, pack: Path, damage: str) -> None:
    if damage == "no list":
        (pack / "pack.json").unlink()
    elif damage == "no JSON":
        (pack / "pack.json").write_text("{")
    else:
        (pack / VERSION / "app.zip").unlink()
    http = Guest(start_server(offline_pack=pack).address).http
    assert http.get("/api/offline").json()["version"] is None
