"""Another server writes to a table that this one has in memory: it reads what is new, and decides again."""

from __future__ import annotations

import contextlib
from typing import Any

from tavolino.server.features import entry_kinds
from tavolino.server.features.rematch import RematchMade
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.journal import Journal, Step, follow
from tavolino.server.storage import NumberTaken
from tests.server.clients import Guest
from tests.server.conftest import Server
from tests.server.test_operators import StartServer, table_in_play


def other_writes(server: Server, table: str, *entries: e.Entry) -> None:
    """Append to the table's journal past its actor, as another server would."""

    async def write() -> None:
        actor = server.registry.tables[table]
        _, match = follow(entry_kinds(), actor.state, actor.match, actor.game, list(entries))
        await Journal(server.context, entry_kinds(), server.registry.features).append(
            Step(actor.state, list(entries), match)
        )

    server.run(write)


def moved(view: dict[str, Any]) -> e.Moved:
    return e.Moved(view["to_act"], view["legal"][0], at=0, up=0)


def test_a_move_that_another_server_has_made_first_is_stale_and_everybody_sees_the_other(
    start_server: StartServer,
) -> None:
    server = start_server()
    _, sockets, table = table_in_play(server, moves=3)
    views = [socket.until_turn(3)["view"] for socket in sockets]
    mover = sockets[views[0]["to_act"]]
    view = mover.until_turn(3)["view"]
    other_writes(server, table, moved(view))
    answer = mover.ask(type="move", turn=3, action=view["legal"][-1])
    assert (answer["type"], answer["problem"]["code"]) == ("refused", "stale-move")
    logs = []
    for socket in sockets:
        assert socket.until_turn(4)["turn"] == 4
        logs.append(len(socket.log))
        assert socket.close_code is None
    assert logs[0] == logs[1]
    nexts = sockets[sockets[0].until_turn(4)["view"]["to_act"]]
    assert nexts.play is not None
    assert nexts.ask(type="move", turn=4, action=nexts.play["view"]["legal"][0])["type"] == "accepted"


def test_a_move_that_still_holds_is_decided_again_and_accepted(start_server: StartServer) -> None:
    server = start_server()
    _, sockets, table = table_in_play(server, moves=3)
    views = [socket.until_turn(3)["view"] for socket in sockets]
    mover = sockets[views[0]["to_act"]]
    host = server.registry.tables[table].state.host
    assert host is not None
    other_writes(server, table, e.HostPassed(host))
    assert mover.play is not None
    answer = mover.ask(type="move", turn=3, action=mover.play["view"]["legal"][0])
    assert (answer["type"], answer["turn"]) == ("accepted", 4)
    for socket in sockets:
        assert socket.until_turn(4)["turn"] == 4
        assert socket.close_code is None
    stored = server.run(lambda: server.context.storage.entries(table))
    assert sum(b"moved" in entry for entry in stored) == 4


def test_two_servers_make_one_rematch(start_server: StartServer) -> None:
    server = start_server()
    people, sockets, table = table_in_play(server, moves=1)
    people[0].do(table, "resign")
    for socket in sockets:
        socket.until_phase("ended")
    other_writes(server, table, RematchMade("R" * 22))
    assert people[1].do(table, "rematch")["table"] == "R" * 22


def test_bots_go_on_after_another_server_has_written(start_server: StartServer) -> None:
    server = start_server().ready("mantis")
    ada = Guest(server.address)
    table = ada.http.post("/api/play-now", json={"game": "mantis", "level": "easy"}).json()["id"]
    ada.do(table, "salt", salt="0" * 64)
    socket = ada.socket(table)
    turn = 0
    for _ in range(4):  # whoever writes next, a bot or Ada, finds the number taken
        while not (play := socket.until_turn(turn))["view"]["legal"] and not play["view"]["over"]:
            turn = play["turn"] + 1
        if play["view"]["over"]:
            break
        host = server.registry.tables[table].state.host
        assert host is not None
        other_writes(server, table, e.HostPassed(host))
        turn = play["turn"]
        assert socket.ask(type="move", turn=turn, action=play["view"]["legal"][0])["type"] == "accepted"
        turn += 1
        with contextlib.suppress(NumberTaken):  # a bot may be quicker than the other server
            other_writes(server, table, e.HostPassed(host))
    assert socket.close_code is None
