"""scripts/setup on machines that lack something, and on environments that are broken."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripts.conftest import Checkout


def made(checkout: Checkout) -> list[str]:
    """The Pythons that have made an environment since the last call."""
    return [call.split()[0] for call in checkout.calls() if "-m venv" in call and "--without-pip" not in call]


def downloads(calls: list[str]) -> list[str]:
    return [call for call in calls if " install " in call and "--offline" not in call]


def test_a_second_run_has_nothing_to_do(checkout: Checkout) -> None:
    checkout.python("python3", "3.12")
    assert checkout.run("setup").returncode == 0
    calls = checkout.calls()
    assert len(downloads(calls)) == 2  # what installs, and what playing needs
    assert any("--no-build-isolation --editable ." in call for call in calls)
    assert checkout.run("setup").returncode == 0
    assert not [call for call in checkout.calls() if " -m " in call]


@pytest.mark.parametrize("version", ["3.9", "3.10", "3.15", "2.7"])
def test_a_python_that_does_not_fit_is_refused_before_anything_is_made(checkout: Checkout, version: str) -> None:
    checkout.python("python3", version)
    answer = checkout.run("setup")
    assert answer.returncode == 1
    assert answer.stderr.startswith(f"Python 3.11 to 3.14 is needed, and python3 is {version}. ")
    assert "apt-get install python3 python3-venv" in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert not checkout.venv.exists()


def test_no_python_at_all(checkout: Checkout) -> None:
    answer = checkout.run("setup")
    assert answer.returncode == 1
    assert "python3 is not here" in answer.stderr


def test_where_python3_is_too_old_a_newer_one_by_its_full_name_is_taken(checkout: Checkout) -> None:
    checkout.python("python3", "3.9")
    checkout.python("python3.12", "3.12")
    assert checkout.run("setup").returncode == 0
    assert made(checkout) == ["python3.12"]


@pytest.mark.parametrize(("name", "package"), [("python3", "python3-venv"), ("python3.13", "python3.13-venv")])
def test_a_python_without_ensurepip_names_the_package(checkout: Checkout, name: str, package: str) -> None:
    checkout.python(name, "3.13", can_make=False)
    answer = checkout.run("setup")
    assert answer.returncode == 1
    assert answer.stderr.endswith(f"apt-get install {package}\n")
    assert not checkout.venv.exists()
    checkout.python(name, "3.13")
    assert checkout.run("setup").returncode == 0


def test_a_chosen_python_stays_until_another_one_is_chosen(checkout: Checkout) -> None:
    checkout.python("python3", "3.11")
    checkout.python("python3.13", "3.13")
    assert checkout.run("setup", PYTHON="python3.13").returncode == 0
    assert made(checkout) == ["python3.13"]
    assert checkout.run("setup").returncode == 0
    assert checkout.run("setup", PYTHON=str(checkout.bin / "python3.13")).returncode == 0
    assert made(checkout) == []
    assert checkout.run("setup", PYTHON="python3").returncode == 0
    assert made(checkout) == ["python3"]


def test_a_chosen_python_that_does_not_fit_leaves_the_environment_alone(checkout: Checkout) -> None:
    checkout.python("python3", "3.12")
    checkout.python("python3.9", "3.9")
    checkout.run("setup")
    checkout.calls()
    answer = checkout.run("setup", PYTHON="python3.9")
    assert answer.returncode == 1
    assert "python3.9 is 3.9" in answer.stderr
    assert checkout.run("setup").returncode == 0
    assert made(checkout) == []


def half_made(venv: Path) -> None:
    """As `python3 -m venv` leaves it without python3-venv."""
    shutil.rmtree(venv / ".done")


def without_interpreter(venv: Path) -> None:
    (venv / "bin" / "python").unlink()
    (venv / "bin" / "python").symlink_to("/nowhere/python3")


def without_pip(venv: Path) -> None:
    python = venv / "bin" / "python"
    python.write_text(python.read_text().replace('"-c import pip") ;;', '"-c import pip") exit 1 ;;'))


def of_an_old_python(venv: Path) -> None:
    python = venv / "bin" / "python"
    python.write_text(python.read_text().replace('echo "3.12 ', 'echo "3.9 '))


@pytest.mark.parametrize("broken", [half_made, without_interpreter, without_pip, of_an_old_python])
def test_a_broken_environment_is_made_again(checkout: Checkout, broken: object) -> None:
    checkout.python("python3", "3.12")
    checkout.run("setup")
    checkout.calls()
    assert callable(broken)
    broken(checkout.venv)
    assert checkout.run("setup").returncode == 0
    calls = checkout.calls()
    assert sum("-m venv" in call for call in calls) == 1
    assert len(downloads(calls)) == 2


def test_a_moved_checkout_is_adjusted_without_downloads(checkout: Checkout) -> None:
    checkout.python("python3", "3.12")
    checkout.run("setup")
    checkout.calls()
    checkout.root = checkout.root.rename(checkout.root.with_name("moved away"))
    assert checkout.run("setup").returncode == 0
    calls = checkout.calls()
    assert downloads(calls) == []
    assert any("--editable ." in call for call in calls)
    assert "relocatable = true" in (checkout.venv / "pyvenv.cfg").read_text()


def test_without_network_one_sentence_after_one_try(checkout: Checkout) -> None:
    unreachable = "echo 'Failed to establish a new connection: [Errno -3] Temporary failure in name resolution'; exit 1"
    checkout.python("python3", "3.12", pip=unreachable)
    answer = checkout.run("setup")
    assert answer.returncode == 1
    assert "There seems to be no network" in answer.stderr.splitlines()[-1]
    assert "Errno" not in answer.stderr
    assert len(downloads(checkout.calls())) == 1


def test_another_failure_is_shown_as_it_is(checkout: Checkout) -> None:
    checkout.python("python3", "3.12", pip="echo 'THESE PACKAGES DO NOT MATCH THE HASHES'; exit 1")
    answer = checkout.run("setup")
    assert answer.returncode == 1
    assert "DO NOT MATCH" in answer.stderr
    assert "network" not in answer.stderr


def test_two_set_ups_wait_for_each_other(checkout: Checkout) -> None:
    checkout.python("python3", "3.12")
    with (checkout.root / ".setup.lock").open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        waiting = subprocess.Popen(
            [checkout.root / "scripts" / "setup"], env=checkout.environment(), stderr=subprocess.PIPE, text=True
        )
        assert waiting.stderr is not None
        assert "waiting for another set-up" in waiting.stderr.readline()
        assert made(checkout) == []
    waiting.communicate(timeout=60)
    assert waiting.returncode == 0
    assert made(checkout) == ["python3"]
