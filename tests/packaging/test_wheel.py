"""The package as it is installed: a wheel from the sdist serves the page and plays, with nothing left to compile."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tavolino.engine.modes import platform_name
from tavolino.games import games
from tests.aot.libraries import libraries
from tests.browser.packs import pack
from tests.ports import free_port
from tests.sampling import IS_LONG_RUN

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GAME = "mantis"  # of the offline pack: the fastest to compile
UP_WITHIN = 60.0
PLAYED_WITHIN = 120.0
TOO_FAST = 429
WITHOUT_NUMBA = "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None"
# As MemoryDenyWriteExecute in deploy/tavolino.service; kernels before 6.3 ignore it. 65 is PR_SET_MDWE.
CONFINED = "import ctypes; ctypes.CDLL(None).prctl(65, 1, 0, 0, 0)"
# Everything that needs compiled code besides a table, in an environment without a compiler.
USES = """
from tavolino.engine.compiled import MODE
from tavolino.cli import main
from tavolino.coach.review import review
from tavolino.research.batch import BatchEnv
from tavolino.research.pettingzoo import env
from tests.coach.games import LITTLE, played, start_of
assert "clean" in tavolino.__file__
print(MODE)
for game in tavolino.games():
    assert main(["simulate", game, "--games", "20", "--json", "-"]) == 0
    assert main(["arena", game, "--games", "4", "--bots", "easy,medium"]) == 0
    match = played(game, tavolino.load(game).players[0], "wheel")
    assert review(start_of(match), match.record()["actions"], 0, LITTLE).steps
    many = BatchEnv(game, 4, players=tavolino.load(game).players[0], opponents="medium")
    many.reset(seed=1)
    many.step(many.sample_actions())
"""


def build(kind: str, source: Path, into: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", str(into), str(source)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=900, check=False, env={**os.environ, **settings}
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist of the checkout, what it unpacks to, and a wheel built from that."""
    folder = tmp_path_factory.mktemp("built")
    made = build("sdist", ROOT, folder)
    assert made.returncode == 0, made.stdout + made.stderr
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "sdist", filter="data")
    (unpacked,) = (folder / "sdist").iterdir()
    unpacked.rename(folder / "unpacked")
    # Compiling all rules again takes two minutes of a core; other tests have compiled these sources already.
    made = build("wheel", folder / "unpacked", folder, **({} if IS_LONG_RUN else {"TAVOLINO_AHEAD": str(ahead())}))
    assert made.returncode == 0, made.stdout + made.stderr
    return folder


def ahead() -> Path:
    """A folder with the libraries of all games for this platform."""
    for game in games():
        folder = libraries(game, platform_name())
    return folder


@pytest.fixture
def python(built: Path, tmp_path: Path) -> Path:
    """An environment with the wheel and the packages that it depends on, and nothing of the checkout."""
    home = tmp_path / "clean"
    venv.create(home, symlinks=True)
    interpreter = home / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(subprocess.check_output([interpreter, "-c", ask], text=True).strip())
    (wheel,) = built.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site)
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return interpreter


def metadata(wheel: Path) -> str:
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    return archive.read(name).decode()


@contextmanager
def served(python: Path, folder: Path) -> Iterator[str]:
    """The address of a server of that environment."""
    port = free_port()
    start = "import tavolino; assert 'clean' in tavolino.__file__; from tavolino.cli import main; sys.exit(main())"
    folders = {"TAVOLINO_CACHE": str(folder / "cache"), "TAVOLINO_DATA": str(folder / "data")}
    server = subprocess.Popen(
        [
            python,
            "-I",
            "-c",
            f"{CONFINED}; {WITHOUT_NUMBA}; {start}",
            "serve",
            "--port",
            str(port),
            "--bot-seconds",
            "0",
        ],
        cwd=folder,
        env={**os.environ, **folders},
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: ask(f"{address}/healthz"), UP_WITHIN)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=15)


def ask(address: str, body: Any = None, token: str = "") -> Any:
    request = urllib.request.Request(address, None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    while True:
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as refused:
            if refused.code != TOO_FAST:
                raise
            time.sleep(0.2)


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=5) as answer:
        return bytes(answer.read())


def wait_for(what: Any, seconds: float) -> Any:
    """Call until it returns something, and return that."""
    end = time.monotonic() + seconds
    while True:
        try:
            if found := what():
                return found
        except OSError:
            pass
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)


def play_to_the_end(address: str, game: str) -> dict[str, Any]:
    token = ask(f"{address}/api/me", {"name": "Ada", "program": True})["token"]
    table = f"{address}/api/tables/" + ask(f"{address}/api/play-now", {"game": game}, token)["id"]
    ask(f"{table}/commands", {"type": "salt", "salt": "0" * 64}, token)
    play = wait_for(lambda: ask(f"{table}/play", token=token), PLAYED_WITHIN)
    chance = random.Random(game)
    while not play["view"]["over"]:
        if play["view"]["legal"]:
            move = {"type": "move", "turn": play["turn"], "action": chance.choice(play["view"]["legal"])}
            ask(f"{table}/commands", move, token)
        play = ask(f"{table}/play?turn={play['turn']}&wait=20", token=token)
    return dict(play["view"]["outcome"])


def test_both_archives_hold_the_page_and_the_licences(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    (wheel,) = built.glob("*.whl")
    with tarfile.open(sdist) as archive:
        of_sdist = archive.getnames()
    of_wheel = zipfile.ZipFile(wheel).namelist()
    for names in (of_sdist, of_wheel):
        assert any(name.endswith("tavolino/server/page/index.html") for name in names)
        assert any(re.search(r"tavolino/server/page/assets/.*\.woff2$", name) for name in names)
        assert any(name.endswith("tavolino/py.typed") for name in names)
    licences = {Path(name).name for name in of_wheel if ".dist-info/licenses/" in name}
    assert {"LICENSE", *(path.name for path in (ROOT / "licences").iterdir())} == licences


def test_the_page_of_the_package_has_no_relative_links(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    links = re.findall(r"\]\(([^)]+)\)", metadata(wheel))
    assert links
    assert [link for link in links if not link.startswith("https://")] == []


def test_an_installed_wheel_serves_the_page_and_plays_without_compiling(python: Path, tmp_path: Path) -> None:
    with served(python, tmp_path) as address:
        page = fetch(f"{address}/").decode()
        script = re.search(r'src="(/assets/[^"]+\.js)"', page)
        assert script is not None
        assert len(fetch(f"{address}{script[1]}")) > 1_000
        assert json.loads(fetch(f"{address}/manifest.webmanifest"))["name"] == "Tavolino"
        games = [each["game"] for each in ask(f"{address}/api/games")]
        assert len(games) >= 3
        for game in games:
            assert f"{game}.name" in ask(f"{address}/api/texts/pl")
            assert play_to_the_end(address, game)["reason"]
    assert not list((tmp_path / "cache").rglob("*.code")), "the machine code of the wheel was used"


def test_an_installed_wheel_simulates_reviews_and_trains_without_numba(python: Path, tmp_path: Path) -> None:
    program = f"{WITHOUT_NUMBA}; sys.path.append({str(ROOT)!r}); import tavolino\n{USES}"
    settings = {"TAVOLINO_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [python, "-I", "-c", program], env={**os.environ, **settings}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "ahead"
    assert not (tmp_path / "cache").exists()


def test_one_wheel_is_for_every_python(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert "-cp311-abi3-manylinux_2_17_" in wheel.name
    assert wheel.stat().st_size < 6_000_000


def test_a_build_without_the_page_fails_and_says_what_to_do(built: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    ignore = shutil.ignore_patterns("page", "web", "tests", "docs")
    shutil.copytree(built / "unpacked", checkout, ignore=ignore)
    for kind in ("wheel", "sdist"):
        made = build(kind, checkout, tmp_path / "nothing")
        assert made.returncode != 0
        assert "The page is not built. Run `make setup` first" in made.stdout + made.stderr
    assert not (tmp_path / "nothing").exists() or not list((tmp_path / "nothing").iterdir())


def test_an_installed_pack_is_offered_and_becomes_a_site(built: Path, python: Path, tmp_path: Path) -> None:
    made = build("wheel", ROOT / "deploy" / "offline", tmp_path / "offline", TAVOLINO_OFFLINE_PACK=str(pack(GAME)))
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,), (ours,) = (tmp_path / "offline").glob("*.whl"), built.glob("*.whl")
    version = ours.name.split("-")[1]
    assert wheel.name == f"tavolino_offline-{version}-py3-none-any.whl"
    assert f"Requires-Dist: tavolino=={version}\n" in metadata(wheel)
    assert re.search(r"Requires-Dist: tavolino-offline;.*'offline'", metadata(ours))
    (site,) = (tmp_path / "clean").rglob("tavolino")
    zipfile.ZipFile(wheel).extractall(site.parent)
    with served(python, tmp_path) as address:
        offered = ask(f"{address}/api/offline")
        assert offered["games"] == [GAME]
        assert b"postMessage" in fetch(f"{address}/offline/{offered['version']}/worker.mjs")
    command = "import sys; from tavolino.cli import main; sys.exit(main())"
    subprocess.run([python, "-I", "-c", command, "site", tmp_path / "public"], check=True, capture_output=True)
    assert (tmp_path / "public" / "offline" / offered["version"] / "worker.mjs").is_file()


def test_an_offline_wheel_without_a_pack_says_what_to_do(tmp_path: Path) -> None:
    made = build("wheel", ROOT / "deploy" / "offline", tmp_path, TAVOLINO_OFFLINE_PACK=str(tmp_path))
    assert made.returncode != 0
    assert "Run `make offline` first" in made.stdout + made.stderr


def test_an_installed_package_without_a_page_says_what_to_do(python: Path, tmp_path: Path) -> None:
    (page,) = (tmp_path / "clean").rglob("tavolino/server/page")
    shutil.rmtree(page)
    with served(python, tmp_path) as address, pytest.raises(urllib.error.HTTPError) as refused:
        fetch(f"{address}/")
    assert refused.value.code == 503
    text = refused.value.read().decode()
    assert "has no page" in text
    assert "install a wheel" in text
