"""A missing optional dependency gives an error that names the extra, instead of a bare ModuleNotFoundError."""

import subprocess
import sys

import pytest

WITHOUT = "import sys; sys.modules[{module!r}] = None; "


def run(module: str, program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT.format(module=module) + program]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("module", "imported", "extra"),
    [
        ("pyspiel", "tavolino.research.openspiel", "openspiel"),
        ("pettingzoo", "tavolino.research.pettingzoo", "pettingzoo"),
        ("gymnasium", "tavolino.research.pettingzoo", "pettingzoo"),
        ("gymnasium", "tavolino.research.gymnasium", "gymnasium"),
        ("gymnasium", "tavolino.research.batch", "gymnasium"),
        ("mcp", "tavolino.agents.mcp_server", "mcp"),
    ],
)
def test_research_interfaces_name_their_extra(module: str, imported: str, extra: str) -> None:
    done = run(module, f"import {imported}")
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    assert f"{module} is not installed; the extra `{extra}` brings it" in last


@pytest.mark.parametrize(
    ("module", "words", "extra"),
    [
        ("uvicorn", ["serve", "--port", "1"], "server"),
        ("pyarrow", ["export", "mantis", "/nowhere/at/all"], "parquet"),
        ("ray", ["arena", "mantis", "--games", "4", "--bots", "random,random", "--ray", "local"], "ray"),
    ],
)
def test_commands_name_the_extra_in_one_sentence(module: str, words: list[str], extra: str) -> None:
    done = run(module, f"from tavolino.cli import main; sys.exit(main({words!r}))")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert f"the extra `{extra}` brings it" in done.stderr
