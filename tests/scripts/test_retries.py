"""`scripts/run-tests`: tests that fail are run once more, counted and shown."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scripts.conftest import ROOT

# Fails the first time it is run; `{name}` is a file that tells so.
UNLUCKY = """
def test_{name}(pytestconfig):
    seen = pytestconfig.rootpath / "{name}"
    was_there = seen.exists()
    seen.touch()
    assert was_there
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "run-tests", tmp_path / "scripts")
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "test_right.py").write_text("def test_right():\n    pass\n")
    return tmp_path


def run(project: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [project / "scripts" / "run-tests", "-q"],
        env={
            "PATH": "/usr/bin:/bin",
            "TAVOLINO_TEST_RETRIES": str(project / "retries"),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # loading them all takes longer than these tests
            "PYTEST_ADDOPTS": "-p xdist.plugin",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_what_fails_once_is_run_again_counted_and_shown(project: Path) -> None:
    (project / "test_unlucky.py").write_text(UNLUCKY.format(name="first"))
    answer = run(project)
    assert answer.returncode == 0, answer.stdout
    assert "Retried: 1 so far" in answer.stderr
    assert "test_unlucky.py::test_first" in answer.stderr
    assert answer.stdout.splitlines()[-1].startswith("1 passed"), "only what has failed is run again"

    (project / "test_unlucky.py").write_text("".join(UNLUCKY.format(name=name) for name in ("b", "c", "d")))
    answer = run(project)
    assert "Retried: 4 so far" in answer.stderr
    assert answer.returncode == 1, "four in one run of make are too many"


def test_what_fails_twice_has_failed(project: Path) -> None:
    (project / "test_wrong.py").write_text("def test_wrong():\n    assert False\n")
    assert run(project).returncode == 1


def test_without_a_failure_nothing_is_retried(project: Path) -> None:
    answer = run(project)
    assert answer.returncode == 0
    assert "Retried" not in answer.stderr
    (project / "test_right.py").unlink()
    assert run(project).returncode == pytest.ExitCode.NO_TESTS_COLLECTED
