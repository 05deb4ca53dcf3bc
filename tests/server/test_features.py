"""A feature is one folder: the kernel names none, and none imports another that it does not declare."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tavolino.server import features
from tavolino.server.kernel import entries as e
from tavolino.server.kernel import snapshots
from tavolino.server.kernel.commands import command_kinds
from tavolino.server.kernel.feature import Feature, Features, about
from tavolino.server.protocol import commands
from tavolino.server.storage.opening import FILE
from tests.server.clients import Guest, again
from tests.server.conftest import GAMES, Server
from tests.server.test_data_of_0_1 import SEEN, STORED

StartServer = Callable[..., Server]

SERVER = Path(features.__file__).parents[1]
PREFIX = "tavolino.server.features."
FEATURES = features.packages()
OPTIONAL = sorted(name for name, package in FEATURES.items() if not package.FEATURE.is_required)


def imports_of(path: Path) -> set[str]:
    """The modules that a file imports, those that only the type checker reads included."""
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported |= {f"{node.module}.{each.name}" for each in node.names}
    return imported


def features_in(path: Path) -> set[str]:
    return {name.removeprefix(PREFIX).split(".")[0] for name in imports_of(path) if name.startswith(PREFIX)}


def test_no_feature_is_named_in_the_kernel() -> None:
    names = re.compile(rf"\b({'|'.join(FEATURES)})\b")
    named = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted((SERVER / "kernel").glob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if names.search(line)
    ]
    assert named == []


def test_only_the_application_and_the_operators_import_features() -> None:
    """And they import the package that finds them, never one of them."""
    for path in SERVER.rglob("*.py"):
        if not path.is_relative_to(SERVER / "features"):
            assert features_in(path) <= {"entry_kinds"}, path


def test_a_feature_imports_another_only_if_it_declares_that() -> None:
    for name, package in FEATURES.items():
        folder = Path(package.__file__ or "").parent
        imported = {other for path in folder.rglob("*.py") for other in features_in(path)} - {name}
        assert imported <= set(package.FEATURE.depends), name


def test_the_kernel_imports_no_sql_no_http_and_no_socket() -> None:
    forbidden = re.compile(r"^(apsw|asyncpg|redis|starlette|uvicorn|websockets|threading|socket|sqlite3)\b")
    outside = re.compile(r"^tavolino\.server\.(http|transport|tables|features|notifications|people|access|app|main)\b")
    for path in (SERVER / "kernel").glob("*.py"):
        assert not [name for name in imports_of(path) if forbidden.match(name) or outside.match(name)], path


def test_every_hook_can_be_overridden_and_is_collected() -> None:
    class Rolls(Feature):  # type: ignore[type-arg]
        name = "rolls"

    hooks = Features.__annotations__
    assert all(callable(getattr(Feature, hook)) for hook in hooks)
    assert all(getattr(Features([Rolls(None)]), hook) == () for hook in hooks)
    for hook in hooks:
        changed = type("Changed", (Rolls,), {hook: lambda self, *arguments: None})
        assert [each.__self__ for each in getattr(Features([changed(None)]), hook)], hook


def test_a_hook_about_entries_is_called_for_these_alone_and_once_for_a_change() -> None:
    class Deals(Feature):  # type: ignore[type-arg]
        name = "deals"

        @about(e.Dealt, e.Ended)
        async def committed(self, *arguments: object) -> None: ...

    class Everything(Feature):  # type: ignore[type-arg]
        name = "everything"

        async def committed(self, *arguments: object) -> None: ...

    hooks = Features([Deals(None), Everything(None)]).committed

    def called(*entries: e.Entry) -> list[str]:
        return [hook.__self__.name for hook in hooks.of(entries)]  # type: ignore[attr-defined]

    move, dealt, ended = e.Moved(0, "score", 0.0), e.Dealt(0.0), e.Ended("played", (), None, 0.0)
    assert called(move) == ["everything"]
    assert called(dealt) == called(dealt, ended) == ["deals", "everything"]
    assert called(move, ended) == ["everything", "deals"]


def test_the_protocol_has_the_commands_of_the_kernel_and_no_others() -> None:
    declared = {kind for kind in vars(commands).values() if getattr(kind, "__module__", "") == commands.__name__}
    assert declared == set(command_kinds(()))


# -- switched off


def test_a_feature_that_is_off_has_no_commands_and_no_routes(start_server: StartServer) -> None:
    server = start_server(without=("chat", "vacations"))
    ada = Guest(server.address)
    table = ada.open("mantis", 2)
    assert ada.command(table, "react", reaction="wow").json()["code"] == "bad-message"
    assert ada.command(table, "vacation", days=1).json()["code"] == "bad-message"
    assert ada.http.get("/api/me/vacation").status_code == 404
    shown = ada.http.get(f"/api/tables/{table}").json()
    assert shown["you"]["muted"] == []
    assert "/api/me/vacation" not in ada.http.get("/api/openapi.json").json()["paths"]
    with ada.socket(table) as socket:
        socket.until("table")
        socket.send(type="say", text="hello")
        assert socket.until("refused")["problem"]["code"] == "bad-message"


@pytest.mark.parametrize("name", OPTIONAL)
def test_nothing_of_a_feature_that_is_off_is_offered(name: str) -> None:
    on = features.switched_on([name])
    off = [package for package in FEATURES.values() if package not in on]
    assert FEATURES[name] in off
    parts = (features.routes([name]), features.commands([name]), features.pages([name]))
    offered = {*map(id, parts[0]), *parts[1], *parts[2]}
    for package in off:
        own = (*map(id, getattr(package, "ROUTES", ())), *package.FEATURE.commands(), *getattr(package, "PAGES", ()))
        assert not offered.intersection(own)
        assert package.FEATURE.name not in features.without_server((), [name])


def test_what_depends_on_a_feature_is_off_with_it() -> None:
    on = {package.FEATURE.name for package in features.switched_on(["chat"])}
    assert "chat" not in on
    assert "invitations" not in on
    assert "votes" in on


@pytest.mark.parametrize(("name", "why"), [("chess", "is not the name"), ("votes", "cannot be switched off")])
def test_a_name_that_cannot_be_switched_off_is_refused_with_the_list(name: str, why: str) -> None:
    with pytest.raises(features.CannotSwitchOff, match=rf"{name} {why}.*chat.*vacations"):
        features.switched_on([name])


def test_a_slice_survives_while_its_feature_is_off(start_server: StartServer) -> None:
    """Entries of a feature that is off are applied all the same, and its slice is in the snapshot."""
    ada = Guest((server := start_server()).address)
    table = ada.open("mantis", 2)
    ada.do(table, "avatar", avatar=13)
    server.stop()
    ada = again(ada, (server := start_server(without=("seat_pictures",))).address)
    for n in range(snapshots.EVERY):
        ada.do(table, "ready", ready=n % 2 == 0)
        server.run(lambda: server.context.limits.changes.renew(server.registry.tables[table].state.host or ""))
    assert server.run(lambda: server.context.storage.snapshot(table)) is not None
    assert ada.http.get(f"/api/tables/{table}").json()["seats"][0]["avatar"] is None
    server.stop()
    ada = again(ada, start_server().address)
    assert ada.http.get(f"/api/tables/{table}").json()["seats"][0]["avatar"] == 13


# -- old tables


def stored_tables(server: Server) -> list[object]:
    """The tables of version 0.1 as a server reads them: seats, phase, end, turn, and the hash of the cards."""

    async def load() -> list[object]:
        for game in GAMES:
            await server.registry.load_game(game)
        ids = sorted(SEEN["tables"].values())
        read = [await server.registry.get(table) for table in ids]
        return [
            (each.state.places, each.state.phase, each.state.ending, each.turn, each.match and each.match.hash())
            for each in read
        ]

    for game in GAMES:
        server.ready(game)
    found: list[object] = server.run(load)
    server.stop()
    return found


@pytest.mark.parametrize(
    "without",
    [tuple(OPTIONAL), *(pytest.param((name,), marks=pytest.mark.slow) for name in OPTIONAL)],
    ids=lambda names: "+".join(names) if len(names) == 1 else "all",
)
def test_old_tables_are_the_same_whatever_is_off(
    without: tuple[str, ...], tmp_path: Path, start_server: StartServer
) -> None:
    read = []
    for number, off in enumerate(((), without)):
        folder = tmp_path / str(number)
        folder.mkdir()
        shutil.copy(STORED / FILE, folder / FILE)
        read.append(stored_tables(start_server(folder, without=off)))
    assert len(read[0]) > 3
    assert read[0] == read[1]
