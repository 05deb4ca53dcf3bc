"""Watching a finished game together: who leads, who follows, variations, notes, and for whom the room is closed."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tavolino.server.features.rooms import RoomsFeature, room_notes
from tavolino.server.features.rooms.messages import Head, Note, RoomChanged, Variation
from tavolino.server.features.rooms.protocol import RoomPosition
from tavolino.server.features.rooms.rooms import MOST_NOTES, MOST_VARIATIONS, Room, Rooms
from tavolino.server.protocol import MAX_TEXT
from tests.server.clients import Guest, Socket, dealt_table, watch
from tests.server.conftest import Server
from tests.server.test_daily import begin, play, server  # noqa: F401
from tests.server.test_play_on import finished

Guests = Callable[[int], list[Guest]]


@pytest.fixture(scope="module")
def game(shared: Server) -> tuple[list[Guest], str, int]:
    """One finished game for the tests of this file; each of them leaves its room."""
    shared.ready("mantis")
    people = [Guest(shared.address, name) for name in ("Ada", "Bruno", "Celina")]
    return finished(shared, lambda _: people)


@pytest.fixture
def empty(shared: Server, game: tuple[list[Guest], str, int]) -> tuple[list[Guest], str, int]:
    """The same game, with a room in which nobody has been."""
    shared.run(lambda: shared.feature(RoomsFeature).rooms._rooms.pop(game[1], None))
    shared.run(lambda: shared.context.storage.remove_items_called(room_notes.name_of(game[1])))
    people = [Guest(shared.address, name) for name in ("Ada", "Bruno", "Celina")]
    return people, game[1], game[2]


def enter(guest: Guest, table: str) -> tuple[Socket, dict[str, Any]]:
    socket = guest.socket(table)
    socket.until("table")
    assert socket.ask(type="watch")["type"] == "accepted"
    return socket, socket.until("room")


def code(answer: dict[str, Any]) -> str:
    return str(answer["problem"]["code"])


def test_the_first_leads_and_the_others_follow(empty: tuple[list[Guest], str, int]) -> None:
    (ada, bruno, _), table, decisions = empty
    leading, room = enter(ada, table)
    assert room["leader"] == room["you"]
    assert room["at"] == {"variation": None, "move": 0, "perspective": "open", "playing": False}
    following, room = enter(bruno, table)
    assert room["leader"] != room["you"]
    assert [person["name"] for person in room["people"]] == ["Ada", "Bruno"]
    assert leading.until("room")["people"] == room["people"]
    at = {"variation": None, "move": 3, "perspective": 1, "playing": True}
    assert leading.ask(type="lead", at=at)["type"] == "accepted"
    assert following.until("led")["at"] == at
    assert not [each for each in leading.drain() if each["type"] == "led"], "who leads knows where"
    assert code(following.ask(type="lead", at=at)) == "not-leader"
    assert code(leading.ask(type="lead", at={"move": decisions + 1})) == "no-such-turn"
    assert code(leading.ask(type="lead", at={"move": 1, "perspective": 2})) == "no-such-seat"
    assert code(leading.ask(type="lead", at={"move": 1, "variation": "none"})) == "no-such-variation"


def test_whoever_has_no_name_follows_and_does_nothing_else(shared: Server, empty: tuple[list[Guest], str, int]) -> None:
    (ada, *_), table, _ = empty
    stranger = watch(shared.address, table)
    stranger.until("table")
    stranger.ask(type="watch")
    room = stranger.until("room")
    assert (room["leader"], room["you"], room["nameless"]) == (None, None, 1)
    leading, room = enter(ada, table)
    assert room["leader"] == room["you"], "the first with a name leads"
    leading.ask(type="lead", at={"move": 2})
    assert stranger.until("led")["at"]["move"] == 2
    for command in ({"type": "take-lead"}, {"type": "note", "variation": None, "move": 0, "text": "Hello"}):
        assert code(stranger.ask(**command)) == "no-identity"


def test_the_lead_is_handed_on_or_taken_when_the_leader_has_gone(empty: tuple[list[Guest], str, int]) -> None:
    (ada, bruno, _), table, _ = empty
    leading, _ = enter(ada, table)
    following, room = enter(bruno, table)
    assert code(following.ask(type="take-lead")) == "not-leader"
    assert code(following.ask(type="give-lead", to=room["you"])) == "not-leader"
    assert code(leading.ask(type="give-lead", to="nobody")) == "not-in-room"
    assert leading.ask(type="give-lead", to=room["you"])["type"] == "accepted"
    assert following.until("room", leader=room["you"])["leader_is_here"]
    assert code(leading.ask(type="lead", at={"move": 1})) == "not-leader"
    following.close()
    room = leading.until("room", leader_is_here=False)
    assert room["leader"] is not None, "who comes back leads again"
    assert leading.ask(type="take-lead")["type"] == "accepted"
    assert leading.until("room", leader_is_here=True)["leader"] == room["you"]


def test_who_comes_back_finds_the_room_as_it_was(shared: Server, empty: tuple[list[Guest], str, int]) -> None:
    (ada, *_), table, _ = empty
    leading, _ = enter(ada, table)
    leading.ask(type="lead", at={"move": 4, "perspective": "spectator"})
    leading.ask(type="note", variation=None, move=4, text="Here it turned.")
    leading.close()
    shared.run(lambda: shared.registry.discard(table))
    _, room = enter(ada, table)
    assert room["leader"] == room["you"]
    assert room["at"]["move"] == 4
    assert [note["text"] for note in room["notes"]] == ["Here it turned."]


def test_notes_are_stored_with_their_variations_and_go_with_their_authors(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = start_server(tmp_path / "data").ready("mantis")  # noqa: F811
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = dealt_table(people, "mantis", first_seat=0)
    people[0].do(table, "resign")
    (leading, _), (following, _) = (enter(person, table) for person in people)

    shown = {None}

    def variation_from(move: int, origin: str | None) -> str:
        leading.ask(type="play-out", variation=origin, move=move, decisions=3)
        while (found := leading.until("room")["at"]["variation"]) in shown:
            pass
        shown.add(found)
        return str(found)

    first = variation_from(0, None)
    nested, gone = variation_from(1, first), variation_from(0, None)
    for socket, variation, text in (
        (leading, None, "Ada 1"),
        (following, nested, "Bruno 1"),
        (leading, nested, "Ada 2"),
        (following, gone, "with the variation"),
        (leading, None, "dropped"),
    ):
        assert socket.ask(type="note", variation=variation, move=0, text=text)["type"] == "accepted"
    dropped = next(
        note.id for note in server.feature(RoomsFeature).rooms.open(table).notes.values() if note.text == "dropped"
    )
    leading.ask(type="drop-note", note=dropped)
    leading.ask(type="drop-variation", variation=gone)
    server.stop()

    again = start_server(tmp_path / "data").ready("mantis")
    for person in people:
        person.address = again.address
        person.http.base_url = httpx.URL(again.address)
    socket, room = enter(people[0], table)
    assert [(note["name"], note["text"]) for note in room["notes"]] == [
        ("Ada", "Ada 1"),
        ("Bruno", "Bruno 1"),
        ("Ada", "Ada 2"),
    ]
    assert {variation["id"] for variation in room["variations"]} == {first, nested}
    frames = people[0].http.get(f"/api/tables/{table}/frames?perspective=open&variation={nested}").json()["frames"]
    assert len(frames) > 1
    people[1].http.delete("/api/me")
    assert [note["text"] for note in socket.until("room")["notes"]] == ["Ada 1", "Ada 2"]
    again.run(lambda: again.feature(RoomsFeature).rooms._rooms.clear())
    assert [note["text"] for note in enter(people[0], table)[1]["notes"]] == ["Ada 1", "Ada 2"]


def test_another_action_begins_a_variation_and_bots_play_it_out(
    shared: Server, empty: tuple[list[Guest], str, int]
) -> None:
    (ada, bruno, _), table, decisions = empty
    leading, _ = enter(ada, table)
    following, _ = enter(bruno, table)
    record = ada.http.get(f"/api/tables/{table}/record").json()
    frames = {
        perspective: ada.http.get(f"/api/tables/{table}/frames?perspective={perspective}").json()["frames"]
        for perspective in (0, 1)
    }
    move = next(n for n in range(3, decisions) if len(frames[frames[0][n]["view"]["to_act"]][n]["view"]["legal"]) > 1)
    actor = frames[0][move]["view"]["to_act"]
    other = next(a for a in frames[actor][move]["view"]["legal"] if a != record["actions"][move])
    asked = {"type": "try", "variation": None, "move": move}
    assert code(following.ask(**asked, action=other)) == "not-leader"
    refused = leading.ask(**asked, action="steal 7")
    assert code(refused) == "illegal-move"
    assert refused["problem"]["key"].startswith(("mantis.", "common."))
    assert leading.ask(**asked, action=record["actions"][move])["type"] == "accepted"
    assert following.until("room", at={"variation": None, "move": move + 1, "perspective": "open", "playing": False})
    assert leading.ask(**asked, action=other)["type"] == "accepted"
    room = following.until("room")
    (variation,) = room["variations"]
    assert (variation["origin"], variation["turn"], variation["length"]) == (None, move, move + 1)
    assert room["at"] == {"variation": variation["id"], "move": move + 1, "perspective": "open", "playing": False}
    on = {"type": "play-out", "variation": variation["id"], "move": move + 1}
    if not variation["over"]:
        assert leading.ask(**on, decisions=1000)["type"] == "accepted"
        (variation,) = following.until("room")["variations"]
    assert variation["over"]
    whole = f"/api/tables/{table}/frames?perspective=open&variation={variation['id']}"
    shown = bruno.http.get(whole).json()["frames"]
    assert len(shown) == variation["length"] + 1
    assert (
        shown[: move + 1] == ada.http.get(f"/api/tables/{table}/frames?perspective=open").json()["frames"][: move + 1]
    )
    assert shown[move + 1]["action"] == other
    assert shown[-1]["view"]["over"]
    assert bruno.http.get(f"{whole}&first={move + 1}").json()["frames"] == shown[move + 1 :]
    assert code(leading.ask(type="play-out", variation=variation["id"], move=len(shown) - 1, decisions=1)) == (
        "no-such-turn"
    )
    leading.ask(type="note", variation=variation["id"], move=move + 1, text="Better?")
    assert leading.ask(type="drop-variation", variation=variation["id"])["type"] == "accepted"
    room = following.until("room", variations=[])
    assert room["at"] == {"variation": None, "move": move, "perspective": "open", "playing": False}
    assert room["notes"] == [], "with it go the notes at it"
    assert bruno.http.get(whole).json()["code"] == "no-such-variation"


def test_variations_and_notes_are_limited(empty: tuple[list[Guest], str, int]) -> None:
    (ada, bruno, _), table, _ = empty
    leading, _ = enter(ada, table)
    for _ in range(MOST_VARIATIONS):
        assert leading.ask(type="play-out", variation=None, move=2, decisions=1)["type"] == "accepted"
    assert code(leading.ask(type="play-out", variation=None, move=2, decisions=1)) == "room-full"
    for number in range(MOST_NOTES):
        answer = leading.ask(type="note", variation=None, move=1, text=f"Note {number}")
        assert answer["type"] == "accepted"
    assert code(leading.ask(type="note", variation=None, move=1, text="One too many")) == "room-full"
    following, room = enter(bruno, table)
    first = room["notes"][0]["id"]
    assert code(following.ask(type="drop-note", note=first)) == "not-leader"
    assert leading.ask(type="drop-note", note=first)["type"] == "accepted"
    assert len(following.until("room")["notes"]) == MOST_NOTES - 1


def test_notes_are_texts_as_in_the_chat_and_go_with_their_author(
    shared: Server, empty: tuple[list[Guest], str, int]
) -> None:
    (ada, bruno, _), table, decisions = empty
    leading, _ = enter(ada, table)
    note = {"type": "note", "variation": None, "move": 1}
    assert code(leading.ask(**note, text="\u202eturned")) == "bad-text"
    assert code(leading.ask(**note, text=" ")) == "bad-text"
    assert code(leading.ask(**note, text="a" * (MAX_TEXT + 1))) == "bad-message"
    assert code(leading.ask(**{**note, "move": decisions + 1}, text="Where?")) == "no-such-turn"
    following, _ = enter(bruno, table)
    assert following.ask(**note, text="  <b>Why</b>?  ")["type"] == "accepted"
    while not (shown := leading.until("room")["notes"]):
        pass
    assert [(each["text"], each["name"], each["yours"]) for each in shown] == [("<b>Why</b>?", "Bruno", False)]
    bruno.http.delete("/api/me")
    assert leading.until("room", notes=[])


def test_a_running_game_has_no_room(shared: Server) -> None:
    shared.ready("mantis")
    people = [Guest(shared.address, name) for name in ("Ada", "Bruno")]
    table = dealt_table(people, "mantis", first_seat=0)
    with people[0].socket(table) as socket:
        socket.until("play")
        for command in (
            {"type": "watch"},
            {"type": "lead", "at": {"move": 0}},
            {"type": "play-out", "variation": None, "move": 0, "decisions": 1},
            {"type": "note", "variation": None, "move": 0, "text": "Psst"},
        ):
            assert code(socket.ask(**command)) == "still-playing"
    waiting = people[0].open("mantis", 2)
    with people[0].socket(waiting) as socket:
        assert code(socket.ask(type="watch")) == "not-started"


def test_threat_09_a_deal_that_others_still_play_has_no_room(server: Server) -> None:  # noqa: F811
    """Not even for who has finished it: whoever comes in would see the cards."""
    ada = Guest(server.address, "Ada")
    table = begin(ada)
    play(ada, table)
    with ada.socket(table) as socket:
        for command in ({"type": "watch"}, {"type": "play-out", "variation": None, "move": 0, "decisions": 1}):
            assert code(socket.ask(**command)) == "still-secret"


# -- what nodes tell each other, without a server


def changes() -> list[RoomChanged]:
    at = RoomPosition("v", 4)
    return [
        RoomChanged("one", "t", {"a": "Ada"}, 0, Head(1, "one", "a", RoomPosition())),
        RoomChanged(
            "two", "t", {"b": "Bruno"}, 1, Head(2, "two", "b", at), [Variation("v", None, 3, ["x"] * 4, False)]
        ),
        RoomChanged("three", "t", {}, 0, Head(2, "three", "a", RoomPosition(None, 2))),
        RoomChanged(
            "four", "t", {}, 0, None, [Variation("v", None, 3, ["x"] * 6, True)], [Note("n", "b", "B", "v", 4, "!")]
        ),
        RoomChanged("five", "t", {}, 0, None, [], [Note("m", "a", "A", None, 1, "?")], ["m"]),
    ]


def content(room: Room) -> Any:
    return room.head, room.variations, room.notes, room.elsewhere


def test_nodes_agree_in_whatever_order_and_how_often_they_hear() -> None:
    expected = Room()
    for change in changes():
        expected.merge(change)
    assert expected.head.node == "two", "of two with the same version the higher node's counts"
    assert len(expected.variations["v"].actions) == 6
    assert expected.notes.keys() == {"n"}
    for order in itertools.permutations(changes()):
        room = Room()
        for change in (*order, *order[:2]):
            room.merge(change)
        assert content(room) == content(expected)


def test_a_node_that_has_gone_takes_its_people_along() -> None:
    room = Room()
    for change in changes():
        room.merge(change)
    room.leave_nodes(frozenset({"one"}))
    assert room.elsewhere.keys() == {"one"}


def test_there_are_so_many_rooms_at_most() -> None:
    rooms = Rooms(most=2)
    first = rooms.open("a")
    rooms.open("b")
    assert rooms.open("a") is first
    rooms.open("c")
    assert rooms.find("b") is None
    assert rooms.find("a") is first
