"""A wheel of the project holds the client and serves it outside the checkout."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import sysconfig
import time
import urllib.request
import venv
import zipfile
from pathlib import Path

from tests.browser.conftest import READY_WITHIN, ROOT, free_port


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=5) as answer:
        return bytes(answer.read())


def test_a_wheel_serves_the_page_outside_the_checkout(built_page: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "tavolino/server/page/index.html" in names
    assert any(re.fullmatch(r"tavolino/server/page/assets/.*\.woff2", name) for name in names)

    # A clean environment: nothing of the checkout, only the wheel and the packages it depends on.
    home = tmp_path / "clean"
    venv.create(home, symlinks=True)
    site = Path(
        subprocess.check_output(
            [home / "bin" / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
        ).strip()
    )
    zipfile.ZipFile(wheel).extractall(site)
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")

    port = free_port()
    start = "import sys, tavolino; assert 'clean' in tavolino.__file__; from tavolino.cli import main; sys.exit(main())"
    server = subprocess.Popen(
        [home / "bin" / "python", "-I", "-c", start, "serve", "--port", str(port), "--data", str(tmp_path / "data")],
        cwd=tmp_path,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + READY_WITHIN
        while True:
            try:
                page = fetch(f"http://127.0.0.1:{port}/").decode()
                break
            except OSError:
                assert time.monotonic() < deadline, "the server did not come up"
                time.sleep(0.2)
        script = re.search(r'src="(/assets/[^"]+\.js)"', page)
        assert script is not None
        assert len(fetch(f"http://127.0.0.1:{port}{script[1]}")) > 1_000
        assert json.loads(fetch(f"http://127.0.0.1:{port}/manifest.webmanifest"))["name"] == "Tavolino"
        assert "mantis.name" in json.loads(fetch(f"http://127.0.0.1:{port}/api/texts/pl"))
    finally:
        server.terminate()
        server.wait(timeout=15)
