"""A table from its opening to its end, over real sockets."""

from __future__ import annotations

from collections.abc import Callable

from tests.server.clients import Guest, play_to_end, seat_everybody, start, watch
from tests.server.conftest import Server

Guests = Callable[[int], list[Guest]]


def test_three_people_play_a_whole_game_by_link(server: Server, guests: Guests) -> None:
    people = guests(3)
    table = seat_everybody(people, "mantis")
    sockets = [person.socket(table) for person in people]
    spectator = watch(server.address, table)
    start(people, table)
    decisions = play_to_end(people, sockets)
    ended = sockets[0].until_phase("ended")
    assert ended["ending"]["how"] == "played"
    assert ended["fairness"]["secret"] is not None
    spectator.until_turn(decisions)
    assert spectator.play is not None
    assert spectator.play["view"]["legal"] == []
    for socket in (*sockets, spectator):
        socket.close()


def test_one_click_against_bots(server: Server, guests: Guests) -> None:
    (ada,) = guests(1)
    answer = ada.http.post("/api/play-now", json={"game": "mantis", "level": "random", "seats": 3})
    table = answer.json()["id"]
    with ada.socket(table) as socket:
        assert socket.ask(type="salt", salt="0" * 64)["type"] == "accepted"
        while True:
            play = socket.until("play") if socket.play is None else socket.play
            if play["view"]["over"]:
                break
            if play["view"]["legal"]:
                socket.send(type="move", turn=play["turn"], action=play["view"]["legal"][0])
            turn = play["turn"]
            socket.until_turn(turn + 1)
        assert socket.until_phase("ended")["ending"]["how"] == "played"


def test_a_table_in_words_is_what_the_library_says(server: Server, guests: Guests) -> None:
    server.ready("mantis")
    people = guests(3)
    table = seat_everybody(people, "mantis", first_seat=0)
    address = f"/api/tables/{table}/play"
    early = people[0].http.get(f"{address}?text=en")
    assert (early.status_code, early.json()["code"]) == (409, "not-started")
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
    match = server.registry.tables[table].match
    assert match is not None
    shown = people[0].http.get(f"{address}?text=it").json()
    assert shown == {
        "type": "play-text",
        "turn": 0,
        "legal": list(match.legal()),
        "over": False,
        "text": match.text(0, "it"),
    }
    people[0].do(table, "move", turn=0, action="score")
    match = server.registry.tables[table].match
    assert match is not None
    news = people[0].http.get(f"{address}?text=en").json()
    assert (news["turn"], news["text"]) == (1, match.text(0))
    whole = people[0].http.get(f"{address}?text=en&lines=0").json()["text"]
    assert whole.count("\n- ") > news["text"].count("\n- ")
    refused = people[0].http.get(f"{address}?text=xx")
    assert (refused.status_code, refused.json()["code"]) == (404, "no-such-language")
