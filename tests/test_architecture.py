"""docs/architecture.md follows the code: every `path::name` in it exists. And no module imports too many others."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAX_IMPORTS = 15
NAMED = sorted(set(re.findall(r"`([\w./-]+)::([\w.]+)`", (ROOT / "docs" / "architecture.md").read_text("utf-8"))))


def names_in(tree: ast.AST, prefix: str = "") -> set[str]:
    """Functions and classes of a module, methods as `Class.method`."""
    found: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(prefix + node.name)
            if isinstance(node, ast.ClassDef):
                found |= names_in(node, f"{prefix}{node.name}.")
    return found


def test_the_path_of_a_move_begins_and_ends_at_the_page() -> None:
    paths = [path for path, _ in NAMED]
    assert len(NAMED) > 25
    assert any(path.startswith("web/src/") for path in paths)
    for package in ("transport", "kernel", "storage", "games", "http"):
        assert any(path.startswith(f"src/tavolino/server/{package}/") for path in paths), package


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_every_name_exists(path: str, name: str) -> None:
    source = (ROOT / path).read_text("utf-8")
    if path.endswith(".py"):
        assert name in names_in(ast.parse(source))
    else:
        assert re.search(rf"\b{re.escape(name)}\b", source)


def test_every_package_and_module_of_the_server_is_in_the_document() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    server = ROOT / "src" / "tavolino" / "server"
    packages = [path.parent.name for path in server.glob("*/__init__.py")]
    modules = [path.name for path in server.glob("*.py") if path.name != "__init__.py"]
    assert packages
    assert modules
    assert [name for name in packages + modules if f"`server/{name}`" not in page] == []


def test_every_package_is_on_the_map_of_contributing() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    packages = [path.parent.name for path in (ROOT / "src" / "tavolino").glob("*/__init__.py")]
    assert packages
    assert [name for name in packages if not re.search(rf"^  {name}/", page, re.MULTILINE)] == []


def test_no_module_imports_too_many_others() -> None:
    """A module that knows too much has more than one subject. These wire things together, or are still too large: their
    numbers may only fall."""
    allowed = {
        "server/app.py": 19,
        "server/tables/registry.py": 20,
        "server/kernel/actor.py": 19,
    }
    source = ROOT / "src" / "tavolino"
    imports = {
        path.relative_to(source).as_posix(): len(
            re.findall(r"^(?:from|import) tavolino", path.read_text("utf-8"), re.M)
        )
        for path in source.rglob("*.py")
    }
    assert len(imports) > 200
    assert {path: n for path, n in imports.items() if n > allowed.get(path, MAX_IMPORTS)} == {}
    assert {path: n for path, n in allowed.items() if imports[path] < n} == {}, "lower the number"
