"""`tavolino site`: which files there are, and what they say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from PIL import Image

import tavolino
from tavolino.cli.commands import run
from tavolino.games import load
from tavolino.server.http.static import FOLDER
from tavolino.site.answers import answers
from tavolino.site.writing import CannotWrite, write
from tests.server.clients import Guest
from tests.server.conftest import Server, start_server  # noqa: F401

VERSION = "0123456789abcdef"
PACK_FILES = ("worker.mjs", "app.zip")
MEMBER = b"pass\n" * 1_000
SHELL_BYTES = 3_000_000
ASSETS = re.compile(r'(?:href|src)="([^"]*)"')


def fill(folder: Path) -> None:
    """The files of a pack, with an archive whose member is not compressed."""
    (folder / "worker.mjs").write_bytes(b"pack")
    with ZipFile(folder / "app.zip", "w") as archive:
        archive.writestr("module.py", MEMBER)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    (folder / VERSION).mkdir(parents=True)
    about = {
        "version": VERSION,
        "files": {name: {"bytes": 4, "sha256": ""} for name in PACK_FILES},
        "games": {name: ["1"] for name in tavolino.games()},
    }
    fill(folder / VERSION)
    for place in (folder, folder / VERSION):
        (place / "pack.json").write_text(json.dumps(about), "utf-8")
    return folder


@pytest.fixture
def written(tmp_path: Path, pack: Path) -> Path:
    folder = tmp_path / "public"
    write(folder, pack, [load("mantis")], "/cards/")
    return folder


def shell_of(folder: Path) -> dict[str, Any]:
    first = (folder / "service-worker.js").read_text("utf-8").partition("\n")[0]
    shell: dict[str, Any] = json.loads(first.removeprefix("self.SHELL = "))
    return shell


def test_everything_that_the_page_names_is_there(written: Path) -> None:
    index = (written / "index.html").read_text("utf-8")
    named = ASSETS.findall(index)
    assert len(named) > 5
    for address in named:
        assert address.startswith("./"), address
        assert (written / address).is_file(), address
    for address in re.search(r'data-answers="([^"]*)"', index).group(1).split():  # type: ignore[union-attr]
        assert json.loads((written / f"{address.removeprefix('/')}.json").read_text("utf-8"))
    assert "/cards/assets/" in (written / "404.html").read_text("utf-8")


def test_archives_are_compressed_for_hosts_that_compress_none(written: Path) -> None:
    place = written / "offline" / VERSION
    with ZipFile(place / "app.zip") as archive:
        assert archive.read("module.py") == MEMBER
    loaded = json.loads((written / "api" / "offline.json").read_text("utf-8"))["bytes"]
    assert loaded == sum(file.stat().st_size for file in place.iterdir())
    assert loaded < len(MEMBER)


def test_the_policy_is_in_the_page(written: Path) -> None:
    index = (written / "index.html").read_text("utf-8")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', index)
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "frame-ancestors" not in policy, "browsers refuse it there"
    assert index.index("Content-Security-Policy") < index.index("<script")


def test_only_what_works_without_a_server_is_on(written: Path) -> None:
    on = json.loads((written / "api" / "features.json").read_text("utf-8"))["features"]
    assert {"advice", "local_tables", "practice", "take_back", "tutorials", "verify"} <= set(on)
    assert not {"chat", "circles", "daily_deals", "notifications", "ratings", "rooms"} & set(on)
    (game,) = json.loads((written / "api" / "games.json").read_text("utf-8"))
    assert (game["game"], game["readiness"]["ready"]) == ("mantis", True)


def test_the_answers_are_those_of_a_server(start_server: Callable[..., Server]) -> None:  # noqa: F811
    http = Guest(start_server().address).http
    told = answers([load(name) for name in tavolino.games()])
    assert len(told) > 15
    for address, answer in told.items():
        if address not in ("/api/features", "/api/games"):  # which say what is on, and what is compiled
            assert http.get(address).json() == json.loads(answer), address
    served = http.get("/api/games").json()
    for mine, theirs in zip(json.loads(told["/api/games"]), served, strict=True):
        assert {**mine, "readiness": None} == {**theirs, "readiness": None}


def test_the_service_worker_keeps_what_is_there_and_no_more_than_it_may(written: Path) -> None:
    shell = shell_of(written)
    kept = [*shell["page"][1:], *shell["answers"]]
    assert shell["page"][0] == "./"
    assert sorted(shell["pack"]) == [f"offline/{VERSION}/{name}" for name in sorted(PACK_FILES)]
    assert sum((written / name).stat().st_size for name in kept) < SHELL_BYTES
    unlisted = {path.relative_to(written).as_posix() for path in (written / "assets").iterdir()} - set(kept)
    assert unlisted == set()


def test_a_server_has_the_same_service_worker_with_its_own_list(
    start_server: Callable[..., Server],  # noqa: F811
    pack: Path,
    tmp_path: Path,
) -> None:
    http = Guest(start_server(offline_pack=pack).address).http
    script = http.get("/service-worker.js")
    assert script.headers["content-type"].startswith("text/javascript")
    first, _, rest = script.text.partition("\n")
    assert rest == (FOLDER / "service-worker.js").read_text("utf-8")
    shell = json.loads(first.removeprefix("self.SHELL = "))
    size = 0
    for address in (*shell["page"][1:], *shell["answers"]):
        answered = http.get(f"/{address}")
        assert answered.status_code == 200, address
        size += len(answered.content)
    assert size < SHELL_BYTES
    for address in shell["pack"]:
        assert http.get(f"/{address}").status_code == 200
    bare = Guest(start_server(folder=tmp_path / "bare").address).http.get("/service-worker.js").text.partition("\n")[0]
    assert json.loads(bare.removeprefix("self.SHELL = "))["pack"] == []


def test_a_server_is_made_before_a_game_is_loaded(tmp_path: Path) -> None:
    """So one that cannot be loaded does not keep it from starting."""
    program = """
import sys, logging
from pathlib import Path
from tavolino.server.app import make_app
from tavolino.server.settings import ServerSettings
make_app(ServerSettings(data=Path(sys.argv[1])), logging.getLogger())
print([name for name in sys.modules if name.startswith("tavolino.games.") and name.endswith(".game")])
"""
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_shortcuts_lead_to_pages(written: Path) -> None:
    about = json.loads((written / "manifest.webmanifest").read_text("utf-8"))
    assert {shortcut["url"] for shortcut in about["shortcuts"]} == {"./?/offline", "./?/puzzles", "./?/learn"}
    assert (about["start_url"], about["scope"]) == ("./", "./")


def test_the_pictures_of_an_installed_page_are_there(written: Path) -> None:
    about = json.loads((written / "manifest.webmanifest").read_text("utf-8"))
    assert {each["form_factor"] for each in about["screenshots"]} == {"narrow", "wide"}
    for each in about["icons"]:
        assert (written / each["src"]).is_file(), each
    for each in about["screenshots"]:
        with Image.open(written / each["src"]) as picture:
            assert each["sizes"] == "{}x{}".format(*picture.size)


def test_a_site_promises_no_friends(written: Path) -> None:
    about = json.loads((written / "manifest.webmanifest").read_text("utf-8"))
    (told,) = re.findall(r'name="description"\s+content="([^"]*)"', (written / "index.html").read_text("utf-8"))
    assert told == about["description"]
    assert "friends" not in told


def test_writing_again_replaces_the_site_and_nothing_else(written: Path, pack: Path) -> None:
    (written / "CNAME").write_text("cards.example")
    (written / "assets" / "mine.txt").write_text("mine")
    shutil.rmtree(pack / VERSION)
    other = VERSION[::-1]
    about = json.loads((pack / "pack.json").read_text("utf-8"))
    (pack / "pack.json").write_text(json.dumps({**about, "version": other}), "utf-8")
    (pack / other).mkdir()
    fill(pack / other)
    write(written, pack, [load("mantis")])
    assert (written / "offline" / other / "worker.mjs").is_file()
    assert not (written / "offline" / VERSION / "worker.mjs").exists()
    assert not (written / "404.html").exists()
    assert ((written / "CNAME").read_text(), (written / "assets" / "mine.txt").read_text()) == ("cards.example", "mine")


def test_a_file_of_somebody_else_stops_it(tmp_path: Path, pack: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "index.html").write_text("mine")
    with pytest.raises(CannotWrite, match=r"index.html is there already"):
        write(folder, pack, [load("mantis")])
    assert [path.name for path in folder.iterdir()] == ["index.html"]
    assert (folder / "index.html").read_text() == "mine"


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--games", "chess"], 2, "chess"),
        (["--base", "cards"], 2, "no path that begins and ends with /"),
        (["--offline-pack", "."], 1, "has no offline pack"),
        ([], 0, "python3 -m http.server"),
    ],
)
def test_the_command(
    tmp_path: Path, pack: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int, said: str
) -> None:
    given = options if "--offline-pack" in options else [*options, "--offline-pack", str(pack)]
    assert run(["site", str(tmp_path / "new"), *given]) == code
    told = capsys.readouterr()
    assert said in (told.err if code else told.out)
    assert (tmp_path / "new" / "index.html").is_file() == (code == 0)
