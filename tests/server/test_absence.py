"""Absent players (threat 27 of docs/threats.md)."""

from __future__ import annotations

from collections.abc import Callable

from tavolino.server.features.votes import Votes
from tavolino.server.settings import Pace
from tests.server.clients import people_in_play
from tests.server.conftest import Clock, Server

StartServer = Callable[..., Server]


def test_threat_27_a_page_that_loads_again_is_no_absence(start_server: StartServer) -> None:
    """Otherwise a losing player could use that second to have a bot move for the other, or to end the game."""
    clock = Clock()
    server = start_server(clock=clock, pace=Pace(600, 0)).ready("mantis")
    (ada, bruno), table = people_in_play(server.address)
    live = server.registry.tables[table]
    with ada.socket(table) as here:
        here.until("play")
        with bruno.socket(table) as there:
            there.until("play")
        while len(live.viewers) > 1:
            here.receive()
        assert ada.command(table, "stand-in", seat=1, agree=True).json()["code"] == "player-is-here"
        clock.advance(61)
        ada.do(table, "stand-in", seat=1, agree=True)
        assert live.state.places[1].stand_in
        ada.do(table, "agree-end", agree=True)
        assert live.state.phase == "playing", "the other may be back any moment"
        clock.advance(3_600)
        ada.do(table, "agree-end", agree=False)
        ada.do(table, "agree-end", agree=True)
        assert live.state.phase == "ended"


def test_who_answers_a_proposal_to_end_is_back_although_a_bot_has_stood_in(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock, pace=Pace(600, 0)).ready("mantis")
    (ada, bruno), table = people_in_play(server.address)
    live = server.registry.tables[table]
    with ada.socket(table) as here:
        here.until("play")
        clock.advance(61)
        ada.do(table, "stand-in", seat=1, agree=True)
        ada.do(table, "agree-end", agree=True)
        bruno.do(table, "agree-end", agree=False)
        assert not live.state.places[1].stand_in
        assert Votes.of(live.state).against_end == {1}
        clock.advance(61)
        ada.do(table, "stand-in", seat=1, agree=True)
        bruno.do(table, "agree-end", agree=True)
        assert live.state.phase == "ended"


def test_threat_27_the_others_agree_on_a_stand_in_and_the_player_gets_the_seat_back(
    start_server: StartServer,
) -> None:
    server = start_server().ready("mantis")
    people, table = people_in_play(server.address, 3)
    ada, bruno, celina = people
    with ada.socket(table) as one, bruno.socket(table) as two:
        one.until("play")
        two.until("play")
        refused = ada.command(table, "stand-in", seat=1, agree=True)
        assert refused.json()["code"] == "player-is-here"
        celina.do(table, "leave")
        ada.do(table, "stand-in", seat=2, agree=True)
        assert not server.registry.tables[table].state.places[2].stand_in, "one vote of two is not enough"
        bruno.do(table, "stand-in", seat=2, agree=True)
        assert server.registry.tables[table].state.places[2].stand_in
        ada.do(table, "move", turn=0, action="score")
        bruno.do(table, "move", turn=1, action="score")
        one.until_turn(3)  # the bot has moved for seat 2
    with celina.socket(table) as back:
        back.until("play")
        while back.table is None or back.table["seats"][2]["stand_in"]:
            back.until("table")
        assert not back.table["seats"][2]["away"]
