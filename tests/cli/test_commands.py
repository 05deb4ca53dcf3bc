"""The command itself: version, help, wrong use, and how long it takes to answer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tavolino
from tavolino.cli.commands import COMMANDS, run
from tavolino.version import VERSION
from tests.cli.conftest import Run

HERE = ("warmup", "play", "simulate", "replay")


def test_the_version(run: Run) -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"tavolino {VERSION}\n", "")


def test_the_version_imports_nothing_but_itself() -> None:
    """Even `typing` would take longer than all the rest."""
    code = """
import sys
before = set(sys.modules)
from tavolino.cli import main
main(["--version"])
print(*sorted(set(sys.modules) - before))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, modules = done.stdout.splitlines()
    assert version == f"tavolino {VERSION}"
    assert set(modules.split()) <= {"__future__", "tavolino", "tavolino.built", "tavolino.cli", "tavolino.version"}


def test_help_lists_the_commands(run: Run) -> None:
    done = run("--help", COLUMNS="100")
    assert done.returncode == 0
    for name in HERE:
        assert f" {name} " in done.stdout
    assert run().stdout == run("--help").stdout


@pytest.mark.parametrize("name", HERE)
def test_every_command_has_help(run_here: Run, name: str) -> None:
    done = run_here(name, "--help")
    assert done.returncode == 0
    assert f"tavolino {name}" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [("dance",), ("--dance",), ("play", "--dance"), ("play", "a", "b"), ("simulate",), ("replay",)],
)
def test_wrong_use_is_one_sentence_on_stderr(run_here: Run, arguments: tuple[str, ...]) -> None:
    done = run_here(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("tavolino: ")
    assert done.stderr.count("\n") == 1


def test_every_command_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    listed = capsys.readouterr().out
    assert [name for name in COMMANDS if f" {name} " not in listed] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("--help",),
        ("play", "--help"),
        ("simulate", "mantis", "--games", "10", "--json", "-"),
        pytest.param(("simulate", "mantis", "--games", "10"), marks=pytest.mark.long),
        pytest.param(("arena", "mantis", "--bots", "random", "--games", "4"), marks=pytest.mark.long),
        ("replay", "RECORD"),
        pytest.param(("verify", "RECORD"), marks=pytest.mark.long),
    ],
)
def test_a_full_disk_is_one_sentence(arguments: tuple[str, ...], tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text(json.dumps(sealed_record()))
    words = [str(record) if word == "RECORD" else word for word in arguments]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tavolino", *words], stdout=full, stderr=-1, text=True, env=buffered
        )
    assert (done.returncode, done.stderr) == (
        1,
        "tavolino: The output could not be written: No space left on device.\n",
    )


def sealed_record() -> dict[str, object]:
    """A minimal seal, so that `verify` has something to print."""
    return tavolino.load("mantis").start(2, "full").record() | {"fairness": {}}


@pytest.mark.parametrize(
    "language", [pytest.param("en", marks=pytest.mark.long), pytest.param("it", marks=pytest.mark.long), "pl"]
)
def test_where_the_system_knows_only_ascii(run: Run, tmp_path: Path, language: str) -> None:
    match = tavolino.load("infinity-gauntlet").start(2, "ascii")
    match.play(match.legal()[0])
    record = tmp_path / "record.json"
    record.write_text(json.dumps(match.record()))
    plain = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    done = run("replay", str(record), "--language", language, **plain)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("serve", "--port", "99999"), "--port must be at most 65535, not 99999."),
        (("arena", "mantis", "--games", "0"), "--games must be at least 1, not 0."),
        (("play", "mantis", "--players", "nine"), "--players must be a whole number, not nine."),
        (("admin", "foo"), "action: 'foo' is not one of 'list', 'close', 'remove-name', 'ban', 'unban', 'bans'."),
    ],
)
def test_a_refused_value_is_named_with_what_it_must_be(
    run_here: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    assert run_here(*arguments).stderr == f"tavolino: {sentence}\n"


@pytest.mark.parametrize("command", ["serve", "doctor"])
@pytest.mark.parametrize(
    "url", ["https://cards.example/games", "https://cards.example/?a=b", "https://a:b@cards.example"]
)
def test_a_public_address_is_a_whole_site(run_here: Run, command: str, url: str) -> None:
    done = run_here(command, "--public-url", url)
    assert done.returncode == 2
    assert "must be a whole site, without a path: https://cards.example" in done.stderr
