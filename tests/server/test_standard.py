"""Promises of docs/security.md that no other test covers: the same headers on all answers, and no code made from
text."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import httpx
import pytest

from tavolino.server import main
from tavolino.server.http.middleware import HEADERS
from tavolino.server.main import CannotStart, run
from tavolino.server.settings import ServerSettings
from tests.ports import free_port
from tests.server.clients import Guest
from tests.server.conftest import Server
from tests.server.raw import answer_to

SOURCE = Path(__file__).parents[2] / "src" / "tavolino"
# Functions that turn text into code or into a command line.
BUILT_IN = {"eval", "exec", "compile", "__import__"}
OF_MODULES = {"system", "popen", "create_subprocess_shell", "getoutput"}
UNSAFE_MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
OWN_FILES = SOURCE / "engine" / "code_cache.py"  # machine code, in a folder that the server has looked at
OUTSIDE = (
    "/../../../../../../etc/passwd",
    "/assets/../../../../../../../etc/passwd",
    "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2f..%2f..%2f..%2fetc/passwd",
    "/..%5c..%5cetc/passwd",
    "//etc/passwd",
    "/etc/passwd%00.html",
    "file:///etc/passwd",
    "/tavolino.sqlite",
    "/app.py",
    "/.git/config",
)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", None),  # 503 where no page is built
        ("GET", "/api/games", 200),
        ("GET", "/healthz", 200),
        ("GET", "/readyz", None),  # 503 until all games are ready
        ("GET", "/livez", 200),
        ("GET", "/no-such-page", 404),
        ("GET", "/metrics", 200),
        ("GET", "/api/docs", 200),
        ("GET", "/api/me", 401),
        ("GET", "/api/tables/x", 404),
        ("GET", "/no-such-file.js", 404),
        ("PUT", "/api/me", 405),
        ("TRACE", "/api/me", 405),
        ("POST", "/api/me", 400),
    ],
)
def test_every_answer_is_protected_refusals_too(server: Server, method: str, path: str, status: int | None) -> None:
    answer = httpx.request(method, server.address + path, content=b"{" if method == "POST" else None)
    assert status is None or answer.status_code == status
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    policy = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
    assert {rule for rule, sources in policy.items() if sources == "'self'"} >= {"default-src", "script-src"}
    assert re.fullmatch(r"'self'( 'sha256-[A-Za-z0-9+/=]{44}')*", policy["style-src-elem"])
    assert policy["frame-ancestors"] == "'none'"
    assert answer.headers["content-type"]
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    assert "server" not in answer.headers
    if path.startswith("/api/"):
        assert answer.headers["cache-control"] == "no-store" or answer.status_code == 200


def test_what_differs_between_people_is_stored_nowhere(server: Server) -> None:
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    paths = (
        "/api/me",
        "/api/me/devices",
        "/api/me/tables",
        "/api/me/notifications",
        "/api/tables",
        f"/api/tables/{table}",
    )
    for path in paths:
        assert ada.http.get(path).headers["cache-control"] == "no-store", path


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_out_of_the_page(server: Server, path: str) -> None:
    """As bytes on a socket: a client would tidy these paths up."""
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = answer_to(server, request.encode())
    assert answer.split()[1] in (b"200", b"400", b"404", b"503")
    for content in (Path("/etc/passwd").read_bytes().splitlines()[0], b"SQLite format", b"from __future__", b"[core]"):
        assert content not in answer
    if answer.split()[1] == b"200":
        assert b"<!doctype html" in answer.lower(), "the page itself, which routes its own addresses"


def test_nothing_makes_code_or_commands_of_text() -> None:
    found = []
    for folder in ("server", "engine"):
        for path in sorted(set((SOURCE / folder).rglob("*.py")) - {OWN_FILES}):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                found += [f"{path.name}:{getattr(node, 'lineno', 0)} {name}" for name in _unsafe(node)]
    assert found == []


def _unsafe(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
        return [name for name in names if name.split(".")[0] in UNSAFE_MODULES]
    if not isinstance(node, ast.Call):
        return []
    is_unsafe = (isinstance(node.func, ast.Name) and node.func.id in BUILT_IN) or (
        isinstance(node.func, ast.Attribute) and node.func.attr in OF_MODULES
    )
    return [ast.unparse(node.func)] if is_unsafe or any(each.arg == "shell" for each in node.keywords) else []


@pytest.mark.parametrize("variable", ["TAVOLINO_CACHE", "TAVOLINO_AHEAD"])
def test_machine_code_that_others_could_have_written_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("TAVOLINO_CACHE", str(tmp_path / "another"))
    monkeypatch.setenv(variable, str(cache))
    settings = ServerSettings(data=tmp_path / "no" / "folder", port=free_port())
    (tmp_path / "no").write_text("a file")  # ends the start right after the look at the cache
    for mode, is_refused in ((None, False), (0o755, False), (0o775, False), (0o777, True), (0o1777, True)):
        if mode is not None:
            cache.mkdir(exist_ok=True)
            cache.chmod(mode)
        with pytest.raises(CannotStart) as refused:
            run(settings)
        assert (variable in str(refused.value)) == is_refused, mode
    cache.chmod(0o755)
    monkeypatch.setattr(os, "getuid", lambda: cache.stat().st_uid + 1)
    monkeypatch.setattr(main, "ROOT", -1)
    with pytest.raises(CannotStart, match=variable):
        run(settings)
