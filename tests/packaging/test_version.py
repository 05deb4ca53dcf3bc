"""The version of a build follows from git, or is given."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_version", ROOT / "hatch_version.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def git(root: Path, *words: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    done = subprocess.run(["git", "-C", str(root), *who, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("TAVOLINO_VERSION", raising=False)
    root = tmp_path / "project"
    (root / "src/tavolino").mkdir(parents=True)
    git(root, "init", "-q")
    write(root, "1.1.0", "before")
    write(root, "1.2.0", "the release")
    return root


def write(root: Path, release: str, remark: str) -> None:
    (root / "src/tavolino/version.py").write_text(f'"""{remark}"""\nRELEASE = "{release}"\n')
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", remark)


def test_the_commit_of_a_release_has_its_number_and_later_ones_are_on_the_way_to_the_next(project: Path) -> None:
    version = load().version
    assert version(project) == "1.2.0"
    write(project, "1.2.0", "another line of that file")
    (project / "other").write_text("x")
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "more")
    assert version(project) == f"1.3.0.dev2+g{git(project, 'rev-parse', '--short=9', 'HEAD')}"


def test_without_gits_data_a_build_needs_to_be_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = load().version
    shallow = project.parent / "shallow"
    git(project.parent, "clone", "-q", "--depth", "1", f"file://{project}", str(shallow))
    assert version(shallow) == "1.2.0+unknown"
    (project / ".git").rename(project.parent / "gone")
    assert version(project) == "1.2.0+unknown"
    git(project.parent, "init", "-q")  # unpacked within another repository
    assert version(project) == "1.2.0+unknown"
    (project / "src/tavolino/built.py").write_text('VERSION = "1.3.0.dev4+gabc"\n')
    assert version(project) == "1.3.0.dev4+gabc", "an sdist brings it along"
    monkeypatch.setenv("TAVOLINO_VERSION", "1.3.0.dev5")
    assert version(project) == "1.3.0.dev5"


def test_what_to_cite_is_the_release() -> None:
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    release, date = re.findall(r'^RELEASE = "(.+)"  # (.+)$', (ROOT / "src/tavolino/version.py").read_text(), re.M)[0]
    assert f"\nversion: {release}\n" in cited
    assert f"\ndate-released: {date}\n" in cited


PYTHON = """#!/bin/sh
# Stands for the one of the checkout: it writes a wheel of the version that it is told, and nothing else.
case "$*" in
  *endswith*) exit 1 ;;
  *hatchling*) for into; do :; done; : > "$into/tavolino-$TAVOLINO_VERSION-$TAVOLINO_WHEEL.whl" ;;
esac
"""


def test_a_folder_to_install_from_holds_the_last_build_alone(tmp_path: Path) -> None:
    """pip takes the highest version there, and of two builds of one version the one whose commit is last in the
    alphabet."""
    for name in ("deploy/build-wheel", "deploy/install", "requirements/cluster.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "Makefile").write_text("setup:\n")
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON)
    python.chmod(0o755)
    into = tmp_path / "wheel"
    into.mkdir()
    (into / "tavolino_offline-9.whl").touch()
    for version in ("0.3.0.dev7+gfff", "0.3.0.dev7+gaaa", "0.3.0.dev2+gbbb"):
        command = [str(tmp_path / "deploy/build-wheel"), str(into)]
        subprocess.run(command, env={**os.environ, "TAVOLINO_VERSION": version}, check=True)
        wheels = sorted(path.name for path in into.glob("*.whl"))
        assert wheels == [f"tavolino-{version}-linux-{machine}.whl" for machine in ("aarch64", "x86_64")]
