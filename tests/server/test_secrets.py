"""Secrets (threats 1 to 9 of docs/threats.md)."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.engine.match import Match
from tavolino.server import protocol as p
from tavolino.server.games.bot_runner import _choose
from tavolino.server.kernel import messages
from tavolino.server.kernel.commands import Commands
from tavolino.server.transport.frames import encode_message
from tests.server.clients import Guest, dealt_table, watch
from tests.server.conftest import GAMES, Clock, Server
from tests.server.worlds import Scene, channels_that_differ, set_scene

SOURCES = Path(__file__).parents[2] / "src" / "tavolino" / "server"

FIELDS_OF_PLAY = {"type", "turn", "view", "from_line", "lines", "clock", "remarks", "take_back", "since"}


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose clock is stopped, so that only the worlds can make a difference."""
    clock = Clock()
    clock.hold()
    server = Server(tmp_path_factory.mktemp("still"), clock)
    yield server
    server.stop()


@pytest.mark.parametrize("game", GAMES)
def test_threat_01_raw_frames_hold_views_and_nothing_else(still: Server, game: str) -> None:
    """Every frame of a whole game is compared with what the rules say that viewer may know at that moment."""
    scene = set_scene(still, game)
    sockets = [person.socket(scene.table) for person in scene.people]
    spectator = watch(still.address, scene.table)
    chance = random.Random(1)
    for turn in range(40):
        match = scene.live.match
        assert match is not None
        for seat, socket in [*enumerate(sockets), (None, spectator)]:
            frame = socket.until_turn(turn)
            expected = match.view(seat)
            assert [*socket.log] == expected.pop("log")
            assert frame["view"] == json.loads(json.dumps(expected))
            assert set(frame) == FIELDS_OF_PLAY
        if match.over:
            break
        scene.play(1, chance.choice)
    for socket in (*sockets, spectator):
        socket.close()


@pytest.mark.parametrize("game", GAMES)
def test_threat_02_a_card_that_a_viewer_has_not_seen_is_in_no_byte_of_any_channel(still: Server, game: str) -> None:
    scene = set_scene(still, game)
    scene.play(5, random.Random(2).choice)
    match = scene.live.match
    assert match is not None
    cards = {card for deck in match.game.decks.values() for card in deck.cards}
    for seat, viewer in scene.viewers():
        seen = json.dumps(match.view(seat))
        canaries = {card for card in cards if f'"{card}"' not in seen}
        assert canaries
        sent = everything_but_notebook(scene, viewer)
        found = {card for card in canaries if f'"{card}"' in sent or f" {card}" in sent}
        assert not found, f"seat {seat} was told of {sorted(found)}"


def everything_but_notebook(scene: Scene, viewer: Guest) -> str:
    """All channels but the notebook, which lists what may still be where, for its owner."""
    from tests.server.worlds import everything_sent

    sent = everything_sent(scene, viewer)
    frames = [text for texts in sent.values() for text in texts]
    return "\n".join(text for text in frames if '"notebook"' not in text)


def test_threat_03_a_new_field_of_the_state_is_in_no_message(still: Server, monkeypatch: Any) -> None:
    """Messages are built field by field: a new field of a state or a table is not sent."""
    scene = set_scene(still, "mantis")
    scene.live.state.settings = scene.live.state.settings.settings
    object.__setattr__(scene.live.match, "canary_field", "canary-value")
    sent = everything_but_notebook(scene, scene.people[0])
    assert "canary" not in sent
    assert scene.live.state.secret not in sent


@pytest.mark.parametrize("game", [game for game in GAMES if game != "mantis"])  # its tanks are open
def test_threat_04_hidden_cards_are_sizes_and_levels_without_any_handle(still: Server, game: str) -> None:
    """Of another seat's hidden cards a frame says how many, or of which level, and nothing to know one by."""
    scene = set_scene(still, game)
    scene.play(6, random.Random(6).choice)
    for seat, viewer in scene.viewers():
        shown = viewer.http.get(f"/api/tables/{scene.table}/play").json()["view"]["seats"]
        for other, place in enumerate(shown):
            if other == seat:
                continue
            if game == "infinity-gauntlet":
                assert place["hand"] is None
                assert isinstance(place["hand_size"], int)
            for reserved in place.get("reserved", []):
                assert set(reserved) == {"level", "card"}


@pytest.mark.parametrize("game", GAMES)
def test_threat_05_two_worlds_that_a_viewer_cannot_tell_apart_give_the_same_bytes(still: Server, game: str) -> None:
    scene = set_scene(still, game)
    chance = random.Random(game)
    for _ in range(3):
        for seat, viewer in scene.viewers():
            assert channels_that_differ(scene, seat, viewer) == []
        scene.play(4, chance.choice)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "mantis"])  # there every move turns a card
def test_threat_05_the_next_move_too_looks_the_same_in_both_worlds(still: Server, game: str) -> None:
    """Played on in both worlds: where the rules show a viewer the same, the frames are the same bytes."""
    scene = set_scene(still, game)
    chance = random.Random(game)
    compared = 0
    for _ in range(12):
        match = scene.live.match
        assert match is not None
        if match.over:
            break
        action = chance.choice(match.legal())
        for seat, _ in scene.viewers():
            other = match.resample(seat, chance.random().hex())
            if action not in other.legal():
                continue
            here, there = match.clone(), other
            here.play(action)
            there.play(action)
            if json.dumps(here.view(seat)) != json.dumps(there.view(seat)):
                continue  # a hidden card or chance decided
            compared += 1
            frames = [
                encode_message(p.Play(**messages.play(world, seat, 0, 1, False, None))) for world in (here, there)
            ]
            assert frames[0] == frames[1]
        scene.people[match.to_act].do(scene.table, "move", turn=scene.live.turn, action=action)  # type: ignore[index]
    assert compared > 0


Leak = Callable[[pytest.MonkeyPatch], None]


def leak_the_seed_in_play(patch: pytest.MonkeyPatch) -> None:
    build = messages.play

    def leaky(match: Match, *rest: Any) -> dict[str, Any]:
        play = build(match, *rest)
        play["view"]["hash"] = match.hash()
        return play

    patch.setattr(messages, "play", leaky)


def leak_the_legal_list(patch: pytest.MonkeyPatch) -> None:
    build = messages.play

    def leaky(match: Match, *rest: Any) -> dict[str, Any]:
        play = build(match, *rest)
        play["view"]["legal"] = [str(len(json.dumps(match.record() if match._seed else "")))]
        return play

    patch.setattr(messages, "play", leaky)


def leak_in_refusals(patch: pytest.MonkeyPatch) -> None:
    checked = Commands.checked

    def leaky(commands: Commands, table: Any, services: Any, asked: Any) -> Any:
        handler, request = checked(commands, table, services, asked)

        def handle(request: Any) -> Any:
            try:
                return handler.handle(request)
            except Exception as refused:
                refused.problem.params["why"] = request.match.hash()  # type: ignore[attr-defined]
                raise

        return handler._replace(handle=handle), request

    patch.setattr(Commands, "checked", leaky)


def leak_in_the_notebook(patch: pytest.MonkeyPatch) -> None:
    build = messages.notebook

    def leaky(match: Match, viewer: int) -> dict[str, Any]:
        return {**build(match, viewer), "truth": match.hash()}

    patch.setattr(messages, "notebook", leaky)


def leak_in_the_table(patch: pytest.MonkeyPatch) -> None:
    """A count of messages or a length is enough."""
    from tavolino.server.kernel.actor import TableActor

    table_for = TableActor.table_for

    def leaky(self: TableActor, person: str | None) -> p.Table:
        table = table_for(self, person)
        if self.match is not None:
            table.watching = ["x"] * (int(self.match.hash(), 16) % 97)
        return table

    patch.setattr(TableActor, "table_for", leaky)


@pytest.mark.parametrize(
    "leak",
    [leak_the_seed_in_play, leak_the_legal_list, leak_in_refusals, leak_in_the_notebook, leak_in_the_table],
)
def test_threat_05_planted_leaks_are_found(still: Server, monkeypatch: pytest.MonkeyPatch, leak: Leak) -> None:
    scene = set_scene(still, "mantis")
    scene.play(3, random.Random(3).choice)
    with monkeypatch.context() as patch:
        leak(patch)
        # Now and then a small number is the same in two worlds; hardly in four.
        assert any(channels_that_differ(scene, 0, scene.people[0]) for _ in range(3))
    assert channels_that_differ(scene, 0, scene.people[0]) == []


def test_threat_06_no_weak_generator_in_the_servers_path() -> None:
    found = subprocess.run(
        ["grep", "-rnE", r"^\s*(import random|from random|import numpy\.random|from numpy import random)", SOURCES],
        capture_output=True,
        text=True,
    )
    assert found.stdout == ""


def test_threat_06_no_two_tables_share_a_secret_and_each_has_256_bits(still: Server) -> None:
    ada = Guest(still.address)
    tables = [ada.open("mantis", 2) for _ in range(20)]
    secrets_of = {still.registry.tables[table].state.secret for table in tables}
    assert len(secrets_of) == 20
    assert all(len(bytes.fromhex(secret)) == 32 for secret in secrets_of)


@pytest.mark.parametrize("game", GAMES)
def test_threat_07_no_seed_secret_token_or_hidden_card_is_in_the_log_at_debug(
    start_server: Callable[..., Server], game: str
) -> None:
    server = start_server()
    scene = set_scene(server, game)
    sockets = [person.socket(scene.table) for person in scene.people]
    scene.play(200, random.Random(4).choice)
    scene.people[0].command(scene.table, "resign")
    state = scene.live.state
    seed = messages.fair(state).seed
    cards = {card for deck in scene.live.game.decks.values() for card in deck.cards if "-" in card or ":" in card}
    metrics = scene.people[0].http.get("/metrics").text
    for socket in sockets:
        socket.close()
    server.stop()
    written = server.log.getvalue() + metrics
    assert "request" in written, "the log is at debug level"
    forbidden = {state.secret, *(person.token for person in scene.people), *cards} | ({seed} if seed else set())
    assert not {each for each in forbidden if each in written}


def test_threat_07_a_crash_says_where_and_not_what(
    start_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start_server()
    scene = set_scene(server, "mantis")

    def crash(self: Match, action: str) -> Any:
        secret_local = self.record()
        raise RuntimeError("a rule has a bug" if secret_local else "")

    with monkeypatch.context() as patch:
        patch.setattr(Match, "advance", crash)
        answer = scene.people[0].command(scene.table, "move", turn=0, action="score")
    assert answer.status_code == 500
    assert "bug" not in answer.text
    written = server.log.getvalue()
    assert "move crashed" in written
    assert scene.live.state.secret not in written
    seed = scene.live.match.record()["seed"]["bytes"]  # type: ignore[union-attr]
    assert seed not in written


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", ["random", "medium"])
def test_threat_08_a_bot_chooses_the_same_in_worlds_that_its_seat_cannot_tell_apart(
    still: Server, game: str, level: p.Level
) -> None:
    """The server gives a bot a `SeatMatch`, which shows no more than the seat may know."""
    still.ready(game)
    match = tavolino.load(game).start(players=3, seed="bots at tables")
    chance = random.Random(5)
    for _ in range(8):
        seat = match.to_act
        if seat is None:
            break
        choices = {_choose(match.resample(seat, n), seat, 7, level) for n in range(3)}
        choices.add(_choose(match.clone(), seat, 7, level))
        assert len(choices) == 1
        match.play(chance.choice(match.legal()))


def test_threat_09_nothing_of_a_running_game_is_revealed_to_anybody(still: Server) -> None:
    scene = set_scene(still, "mantis")
    for _, viewer in scene.viewers():
        for path in ("record", "frames?perspective=open", "frames?perspective=spectator", "frames?perspective=0"):
            answer = viewer.http.get(f"/api/tables/{scene.table}/{path}")
            assert answer.status_code == 409
            assert answer.json()["code"] == "still-playing"
        table = viewer.http.get(f"/api/tables/{scene.table}").json()
        assert table["fairness"]["secret"] is None
        assert table["fairness"]["seed"] is None
        assert table["fairness"]["salts"] is not None


def test_threat_09_an_ended_game_is_revealed(still: Server) -> None:
    people = [Guest(still.address, name) for name in ("Ada", "Bruno")]
    table = dealt_table(people, "mantis")
    people[0].do(table, "resign")
    for path in ("record", "frames?perspective=open", "frames?perspective=1"):
        assert people[1].http.get(f"/api/tables/{table}/{path}").status_code == 200
