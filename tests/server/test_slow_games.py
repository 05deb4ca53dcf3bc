"""Slow games: what is decided in advance, secretly, and vacations."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

import pytest

import tavolino
from tavolino.engine.match import Match
from tavolino.engine.texts import read_texts
from tavolino.server.clock import Moment
from tavolino.server.features import plans
from tavolino.server.games.ahead import ahead_of, offers, step_of
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.state import Place, TableState
from tavolino.server.protocol import Plan
from tests.server.clients import Guest, dealt_table, seat_everybody, start
from tests.server.conftest import GAMES, Clock, Server
from tests.server.test_clocks import poke
from tests.server.worlds import everything_sent, set_scene

StartServer = Callable[..., Server]
NOW = Moment(0, 0, 0)
DAY = 86_400


def positions(game: str, seed: int, players: int | None = None) -> Iterator[Match]:
    """A random game, move by move."""
    loaded, chance = tavolino.load(game), random.Random(seed)
    match = loaded.start(players or loaded.meta.usual_seats, seed)
    while not match.over:
        yield match
        match.advance(chance.choice(match.legal()))


# -- what the games declare


@pytest.mark.parametrize("name", GAMES)
def test_a_game_declares_steps_that_it_has_and_orders_that_have_a_text(name: str) -> None:
    game = tavolino.load(name)
    ahead = ahead_of(game)
    assert ahead.turn_steps
    assert ahead.turn_steps | ahead.open_steps | {order.step for order in ahead.orders.values()} <= set(game.steps)
    for language in ("en", "it", "pl"):
        assert {f"order.{key}" for key in ahead.orders} <= read_texts(game.folder, language).keys()


@pytest.mark.parametrize("name", GAMES)
def test_a_single_answer_at_an_open_step_tells_nothing_about_hidden_cards(name: str) -> None:
    """How many answers there are is the same in every world that a spectator cannot tell apart."""
    open_steps, seen = ahead_of(tavolino.load(name)).open_steps, 0
    for seed in range(4):
        for match in positions(name, seed):
            if step_of(match) in open_steps:
                seen += 1
                assert len(match.resample(None, seed).legal()) == len(match.legal())
    assert seen


@pytest.mark.parametrize("name", GAMES)
def test_what_is_offered_for_a_plan_follows_from_the_seats_own_knowledge(name: str) -> None:
    chance, offered = random.Random(5), 0
    for number, match in enumerate(positions(name, 5)):
        if number % 7 == 3:
            seat = ((match.to_act or 0) + 1) % match.players
            found = offers(match, seat, [], "seed")
            assert found == offers(match.resample(seat, "another world"), seat, [], "seed")
            offered += len(found)
            if found:
                further = [chance.choice(found)]
                assert isinstance(offers(match, seat, further, "seed"), list)
        if number > 30:
            break
    assert offered


# -- how a plan is carried out


def with_plan(match: Match, plan: Plan, begun: bool = False) -> TableState:
    state = TableState("t", places=[Place(person=f"p{n}") for n in range(match.players)], phase="playing")
    assert match.to_act is not None
    begun_by = frozenset({match.to_act} if begun else ())
    state.slices[plans.Plans.name] = plans.PlanSlice({match.to_act: plan}, begun_by)
    return state


def first(game: str, step: str, players: int | None = None) -> Match:
    return next(match for seed in range(200) for match in positions(game, seed, players) if step_of(match) == step)


def played(match: Match, plan: Plan, begun: bool = False) -> list[e.Entry]:
    change = plans.due(with_plan(match, plan, begun), match, match.to_act or 0, NOW)
    return [] if change is None else change.entries


def test_a_standing_order_answers_its_question_and_no_other() -> None:
    fight, play = first("infinity-gauntlet", "fight"), first("infinity-gauntlet", "play")
    assert [entry.action for entry in played(fight, Plan([], ["fight"], False)) if isinstance(entry, e.Moved)] == [
        "fight"
    ]
    assert played(play, Plan([], ["fight"], False)) == []


def test_a_single_answer_is_given_at_once_only_where_that_tells_nothing() -> None:
    plan, given, kept = Plan([], [], True), 0, 0
    for seed in range(6):
        for match in positions("infinity-gauntlet", seed, 3):
            entries = played(match, plan)
            if len(match.legal()) > 1:
                assert entries == []
            elif step_of(match) in ("choose", "guess", "copy"):
                given += 1
                assert entries
            else:  # a hand with two equal cards, or a snap that is not there: its player takes the time it takes
                kept += 1
                assert entries == []
    assert given
    assert kept


def test_planned_moves_wait_for_the_turn_and_are_dropped_when_one_does_not_fit() -> None:
    turn = first("splendor-marvel", "turn")
    legal = turn.legal()[0]
    assert isinstance(played(turn, Plan([legal], [], False))[0], e.Moved)
    assert isinstance(played(turn, Plan(["visit nowhere"], [], False))[0], plans.PlanDropped)
    in_between = first("infinity-gauntlet", "fight-with")
    assert played(in_between, Plan(["play outrider"], [], False)) == []
    assert isinstance(played(in_between, Plan(["play outrider"], [], False), begun=True)[0], plans.PlanDropped)


# -- at a table


def test_a_planned_move_is_played_when_the_turn_comes(server: Server, guests: Callable[..., list[Guest]]) -> None:
    people = guests(2)
    table = seat_everybody(people, "mantis", first_seat=0, seconds_per_move=3 * DAY)
    start(people, table)
    with people[0].socket(table) as ada, people[1].socket(table) as bruno:
        bruno.until_turn(0)
        offered = bruno.ask(type="offers")
        assert set(offered["actions"]) == {"score", "steal 0"}
        assert bruno.ask(type="plan", moves=["steal 0"], orders=[], forced=False)["type"] == "accepted"
        while bruno.table is None or bruno.table["you"]["plan"] is None:
            bruno.receive()
        assert bruno.table["you"]["plan"]["moves"] == ["steal 0"]
        ada.until_turn(0)
        while ada.play is None or ada.play["turn"] < 2:
            if ada.play is not None and ada.play["view"]["to_act"] == 0:
                ada.ask(type="move", turn=ada.play["turn"], action="score")
            else:
                ada.receive()
        moved = server.registry.tables[table].state.actions
        assert "steal 0" in moved
        while bruno.table["you"]["plan"]["moves"]:
            bruno.receive()
        assert not any('"plan":{' in frame or "steal 0" in frame for frame in ada.raw if '"type":"table"' in frame)


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=[pytest.mark.slow] if number else []) for number, name in enumerate(GAMES)]
)
def test_threat_70_nobody_else_notices_a_plan(start_server: StartServer, game: str) -> None:
    """Every byte of every channel is the same for the others whether a seat has planned something or not."""
    clock = Clock()
    clock.hold()
    scene = set_scene(start_server(clock=clock), game)
    planner = ((scene.live.to_act or 0) + 1) % len(scene.people)
    others = [viewer for seat, viewer in scene.viewers() if seat != planner]
    before = [everything_sent(scene, viewer) for viewer in others]
    listening = [viewer.socket(scene.table) for viewer in others]
    for socket in listening:
        socket.until("play")
        socket.drain()
        socket.raw.clear()
    clock.set_wall(1_000)  # the lists say when a table has changed
    orders = list(ahead_of(tavolino.load(game)).orders)
    scene.people[planner].do(scene.table, "offers")
    scene.people[planner].do(scene.table, "plan", moves=["no such move"], orders=orders, forced=True)
    scene.people[planner].do(scene.table, "plan", moves=[], orders=orders, forced=False)
    assert [frame for socket in listening for frame in socket.drain() if frame["type"] != "table"] == []
    tables = [json.loads(frame)["table"] for socket in listening for frame in socket.raw]
    assert all(table["you"]["plan"] is None for table in tables)
    for socket in listening:
        socket.close()
    assert [everything_sent(scene, viewer) for viewer in others] == before


def test_a_plan_is_for_players_of_a_running_game(server: Server, guests: Callable[..., list[Guest]]) -> None:
    people = guests(3)
    table = seat_everybody(people[:2], "mantis", first_seat=0)
    plan = {"moves": [], "orders": [], "forced": True}
    assert people[0].command(table, "plan", **plan).json()["code"] == "not-playing"
    start(people[:2], table)
    with people[0].socket(table) as socket:
        socket.until("play")
    assert people[2].command(table, "plan", **plan).json()["code"] == "not-seated"
    answer = people[0].command(table, "plan", moves=[], orders=["fight"], forced=True)
    assert answer.json()["code"] == "no-such-order"


def test_a_plan_outlives_a_restart(start_server: StartServer, tmp_path: object) -> None:
    server = start_server().ready("mantis")
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "mantis", first_seat=0, seconds_per_move=3 * DAY)
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
    people[1].do(table, "plan", moves=["score"], orders=["end-turn"], forced=True)
    server.stop()
    again = start_server().ready("mantis")
    answer = people[1].http.get(f"{again.address}/api/tables/{table}").json()
    assert answer["you"]["plan"] == {"moves": ["score"], "orders": ["end-turn"], "forced": True, "dropped": False}


# -- vacations


def slow_table(server: Server, seconds: int = DAY) -> tuple[list[Guest], str]:
    people = [Guest(server.address, name) for name in ("Ada", "Bruno")]
    table = seat_everybody(people, "mantis", first_seat=0, seconds_per_move=seconds)
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
    return people, table


def test_on_vacation_the_clock_stands_and_goes_on_afterwards(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    people, table = slow_table(server)
    live = server.registry.tables[table]
    clock.advance(DAY / 2)
    people[0].do(table, "vacation", days=10)
    assert people[1].http.get(f"/api/tables/{table}").json()["seats"][0]["vacation"] is not None
    clock.advance(9 * DAY)
    poke(server, table)
    assert people[1].http.get(f"/api/tables/{table}/play").json()["clock"]["ms_left"] > 1.4 * DAY * 1_000
    assert people[1].command(table, "stand-in", seat=0, agree=True).json()["code"] == "on-vacation"
    clock.advance(1.4 * DAY)  # the vacation is over, and a tenth of a day is left
    poke(server, table)
    assert people[0].http.get(f"/api/tables/{table}").json()["seats"][0]["vacation"] is None
    assert not live.state.places[0].stand_in
    clock.advance(DAY / 5)
    poke(server, table)
    with people[1].socket(table) as socket:
        socket.until_turn(1)


def test_days_of_vacation_are_counted_by_those_that_began(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    people, table = slow_table(server)

    def days_left() -> int:
        left: int = people[0].http.get(f"/api/tables/{table}").json()["you"]["vacation_days"]
        return left

    assert days_left() == 14
    people[0].do(table, "vacation", days=10)
    assert days_left() == 4
    clock.advance(1.5 * DAY)
    people[0].do(table, "vacation", days=0)
    assert days_left() == 12
    refused = people[0].command(table, "vacation", days=13).json()
    assert (refused["code"], refused["params"]) == ("no-vacation", {"n": 12})


def test_one_vacation_stops_the_clock_of_all_slow_games_of_a_person_and_of_no_other(start_server: StartServer) -> None:
    clock = Clock()
    server = start_server(clock=clock).ready("mantis")
    people, table = slow_table(server)
    others = [dealt_table(people, "mantis", first_seat=0, seconds_per_move=seconds) for seconds in (7 * DAY, 600)]
    ada = people[0].http
    assert ada.get("/api/me/vacation").json() == {"games": 2, "away": 0, "until": None, "days": 14}
    people[0].do(table, "vacation", days=12)
    clock.advance(5.5 * DAY)
    people[0].do(table, "vacation", days=0)
    taken = ada.post("/api/me/vacation", json={"type": "vacation", "days": 10}).json()
    assert (taken["games"], taken["away"], taken["days"]) == (2, 2, 4), "at the first table 8 days were left"

    def away() -> list[list[bool]]:
        seats = [ada.get(f"/api/tables/{each}").json()["seats"] for each in (table, *others)]
        return [[seat["vacation"] is not None for seat in each] for each in seats]

    assert away() == [[True, False], [True, False], [False, False]]
    assert people[1].http.get("/api/me/vacation").json()["away"] == 0
    clock.advance(8.5 * DAY)
    assert away() == [[False, False], [True, False], [False, False]]
    assert ada.post("/api/me/vacation", json={"type": "vacation", "days": 0}).json()["away"] == 0
    assert not any(map(any, away()))


def test_there_is_no_vacation_where_a_move_takes_less_than_a_day(start_server: StartServer) -> None:
    people, table = slow_table(start_server().ready("mantis"), DAY - 1)
    assert people[0].command(table, "vacation", days=1).json()["code"] == "no-vacation"
