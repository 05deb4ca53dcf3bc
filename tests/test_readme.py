"""The README's commands, examples and links work."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_python_example_runs_and_prints_what_it_says() -> None:
    (example,) = blocks("python")
    answer = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, check=True)
    (promised,) = re.findall(r"# (Outcome\(.*\))", example)
    assert answer.stdout.strip() == promised


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_commands_exist_and_take_these_options() -> None:
    for line in re.findall(r"^\.venv/bin/tavolino (.*)$", README, re.MULTILINE):
        command = line.partition("#")[0]
        words = command.split()
        if words[0] == "play":
            continue  # needs a terminal: tests/cli plays it through one
        answer = subprocess.run([sys.executable, "-m", "tavolino", *words], capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout
    usage = subprocess.run(
        [sys.executable, "-m", "tavolino", "play", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for option in re.findall(r"--[a-z-]+", README):
        if option not in ("--games", "--help"):
            assert option in usage, option


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "CONTRIBUTING.md"])
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
