"""Ratings: only of games that were opened as rated, exactly once, against the fixed ratings of bots, by identity."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from typing import Any

import httpx
import pytest

import tavolino
from tavolino.bots.anchors import USUAL, anchors_of
from tavolino.server import protocol as p
from tavolino.server.features.ratings import rated_games, results
from tavolino.server.features.ratings.rated_games import MIN_DECISIONS
from tavolino.server.features.ratings.ratings import NEW, SURE, Rating, Side, rate, rate_defeat, shown
from tavolino.server.features.ratings.stored import RatingsChanged, StoredResults
from tavolino.server.kernel import entries as e
from tavolino.server.kernel.state import Place, TableState
from tests.server.clients import Guest, dealt_table, play_to_end, seat_everybody, start
from tests.server.conftest import Server

Guests = Callable[[int], list[Guest]]
MANTIS = tavolino.load("mantis")


# -- the model


def test_who_wins_goes_up_and_who_loses_goes_down_and_both_are_surer() -> None:
    (winner,), (loser,) = rate([Side([NEW], 0), Side([NEW], 1)])
    assert winner.mu > NEW.mu > loser.mu
    assert winner.mu - NEW.mu == pytest.approx(NEW.mu - loser.mu)
    assert winner.sigma < NEW.sigma
    (same,), _ = rate([Side([NEW], 0), Side([NEW], 0)])
    assert same.mu == pytest.approx(NEW.mu)


def test_beating_a_strong_player_is_worth_more_than_beating_a_weak_one() -> None:
    gains = [rate([Side([NEW], 0), Side([Rating(mu, 1)], 1)])[0][0].mu for mu in (1000, 1500, 2000)]
    assert gains == sorted(gains)
    assert gains[0] - NEW.mu < 40 < 150 < gains[2] - NEW.mu


def test_a_team_is_as_strong_as_its_members_on_average() -> None:
    """One medium bot against three of them is an even game; and a team of one is a player."""
    anchor = Rating(1500, 1)
    (won,), _ = rate([Side([NEW], 0), Side([anchor] * 3, 1)])
    (against_one,), _ = rate([Side([NEW], 0), Side([anchor], 1)])
    assert won.mu == pytest.approx(against_one.mu, abs=1)
    _, team = rate([Side([anchor], 1), Side([NEW, anchor, anchor], 0)])
    assert NEW.mu < team[0].mu < against_one.mu, "the two others have their part in it"
    assert team[1].mu == pytest.approx(1500, abs=1)


def test_the_advantage_of_a_side_is_not_skill() -> None:
    anchor = Rating(1500, 1)
    wins = [rate([Side([NEW], 0, bonus), Side([anchor], 1)])[0][0].mu for bonus in (0, 100)]
    assert wins[1] < wins[0], "to win with the better side is expected"


def test_a_rating_is_a_range_until_it_is_sure() -> None:
    assert shown(NEW, 0) == p.Rating(1500, 1000, 2000, False, 0)
    assert shown(Rating(1600, SURE), 90).sure


def test_sixty_games_against_a_known_player_make_a_rating_nearly_sure() -> None:
    rating = NEW
    for number in range(60):
        ((rating,), _) = rate([Side([rating], number % 2), Side([Rating(1500, 1)], 1 - number % 2)])
    assert rating.sigma < 1.2 * SURE
    assert rating.mu == pytest.approx(1500, abs=60)


def test_a_game_without_figures_has_the_usual_anchors(tmp_path: Any) -> None:
    assert anchors_of(tmp_path).levels == {**USUAL, "expert": USUAL["hard"]}
    for name in ("mantis", "infinity-gauntlet", "splendor-marvel"):
        levels = anchors_of(tavolino.load(name).folder).levels
        assert levels["random"] < levels["easy"] < levels["medium"] == 1500 < levels["hard"]


# -- which games count


def ended(how: p.HowEnded = "played", winners: list[int] | None = None, **changes: Any) -> TableState:
    state = TableState("t", game="mantis", phase="ended", is_dealt=True)
    state.places = [Place(person="ada"), Place(level="medium"), Place(person="bruno")]
    state.settings = p.TableSettings(seats=3, rated=True)
    state.ending = p.Ending(how, [0] if winners is None else winners, None)
    for name, value in changes.items():
        setattr(state, name, value)
    return state


def ranks(state: TableState) -> list[int] | None:
    found = rated_games.ranking(state, MANTIS)
    return None if found is None else [side.rank for side in found]


def test_only_games_that_were_opened_as_rated_and_played_without_help_count() -> None:
    assert ranks(ended()) == [0, 1, 1]
    assert ranks(ended(settings=p.TableSettings(seats=3))) is None
    assert ranks(ended(settings=p.TableSettings(seats=3, rated=True, hints=True))) is None
    assert ranks(ended(deal="daily/2027-01-15/mantis")) is None
    assert ranks(ended(origin=e.Origin("another", 3, "00"))) is None
    assert ranks(ended(taken_back=[1])) is None
    assert ranks(ended(winners=[])) is None, "nobody has won"
    for how in ("agreed", "abandoned", "closed"):
        assert ranks(ended(how, [])) is None


def test_who_resigns_or_lets_a_bot_finish_comes_last() -> None:
    state = ended("resigned", [1, 2])
    state.places[0].resigned = True
    assert ranks(state) == [2, 0, 0]
    state = ended(winners=[0])
    state.places[0].stand_in = True
    assert ranks(state) == [2, 1, 1], "a bot has won that"


@pytest.mark.parametrize("how", ["resigned", "agreed", "abandoned"])
def test_nobody_escapes_a_defeat_against_bots(how: p.HowEnded) -> None:
    state = ended(how, [])
    state.places[2] = Place(level="easy")
    assert ranks(state) == [2, 0, 0]
    state.ending = p.Ending("closed", [], None)
    assert ranks(state) is None, "the operator has closed it"


def test_one_plays_against_all_where_the_game_says_so() -> None:
    game = next(game for name in tavolino.games() if (game := tavolino.load(name)).meta.teams)
    state = ended(winners=[0, 1], settings=p.TableSettings(seats=3, rated=True, first_seat=2))
    found = rated_games.ranking(state, game)
    assert found == [rated_games.RankedSide([2], 1, True), rated_games.RankedSide([0, 1], 0, False)]
    changed = rated_games.rated(state, game, {}, [], 0)
    assert [(each.person, each.mu > 1500) for each in changed] == [("ada", True), ("bruno", False)]
    lost = rated_games.rated(ended(winners=[2], settings=state.settings), game, {}, [], 0)
    state.places[0].resigned = True
    left = rated_games.rated(state, game, {}, [], 0)
    assert left[0].mu <= lost[0].mu < 1500, "who has left pays as for a defeat, even if the others win"


# -- giving up


def changes(state: TableState) -> dict[str, float]:
    """What a game changes of the ratings of people who have not been rated before."""
    return {each.person: each.mu - NEW.mu for each in rated_games.rated(state, MANTIS, {}, [], 0)}


@pytest.mark.parametrize(
    ("how", "winners"), [("resigned", [1, 2]), ("played", [1]), ("agreed", []), ("abandoned", []), ("closed", [])]
)
def test_who_resigns_pays_however_the_game_ends_for_the_others(how: p.HowEnded, winners: list[int]) -> None:
    state = ended(how, winners)
    state.places[0].resigned = True
    assert changes(state)["ada"] < 0
    if how in ("agreed", "abandoned", "closed"):
        assert set(changes(state)) == {"ada"}
    state.places[2].stand_in = True  # nobody has finished it
    assert changes(state)["ada"] < 0


@pytest.mark.parametrize("name", ["resigned", "stand_in"])
def test_others_gain_from_a_side_that_gives_up_only_once_all_its_people_have_really_played(name: str) -> None:
    state = ended("resigned", [0])
    state.places = [Place(person="ada"), Place(person="bruno", decisions=MIN_DECISIONS - 1)]
    setattr(state.places[1], name, True)
    assert list(changes(state)) == ["bruno"], "the game counts for nobody else"
    state.places[1].decisions += 1
    assert changes(state)["ada"] > 0
    state = ended(winners=[0])
    state.places = [Place(person="ada"), Place(person="bruno", resigned=True), Place(person="clara")]
    with_two = changes(state)
    state.places.pop(1)
    assert with_two["ada"] == pytest.approx(changes(state)["ada"]), "as if who gave up had not been there"


def test_giving_up_never_saves_points() -> None:
    """Compared with every possible defeat, whoever wins, shares ranks or has left."""
    chance = random.Random(7)
    for _ in range(60):
        sides = [
            Side([Rating(chance.uniform(800, 2400), chance.choice((30, 75, 150, 250)))], 0, chance.choice((0.0, 40.0)))
            for _ in range(chance.randint(2, 4))
        ]
        (gave_up,) = rate_defeat(sides, 0)
        for ranks in product((1, 2), *[(0, 1, 2)] * (len(sides) - 1)):
            if 0 in ranks:
                lost = rate([side._replace(rank=rank) for side, rank in zip(sides, ranks, strict=True)])[0][0]
                assert gave_up.mu <= lost.mu + 1e-9


# -- at a server


def ratings_of(guest: Guest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = guest.http.get("/api/me/profile").json()["ratings"]
    return found


def finish(people: list[Guest], **settings: Any) -> str:
    table = seat_everybody(people, "mantis", **settings)
    start(people, table)
    play_to_end(people, [person.socket(table) for person in people])
    return table


def test_a_rated_game_changes_the_ratings_once_and_an_ordinary_one_does_not(server: Server, guests: Guests) -> None:
    people = guests(2)
    finish(people)
    assert [ratings_of(person) for person in people] == [[], []]
    table = finish(people, rated=True)
    server.run(lambda: server.housekeeping.sweep())
    state = server.run(lambda: server.registry.get(table)).state
    for _ in range(2):  # as after a crash whose outcome nobody knows
        server.run(lambda: results.settle(server.context, state, MANTIS))
    histories = [ratings_of(person) for person in people]
    assert [[(each["game"], len(each["games"])) for each in one] for one in histories] == [[("mantis", 1)]] * 2
    assert [one[0]["games"][0]["table"] for one in histories] == [table] * 2
    values = [one[0]["rating"]["value"] for one in histories]
    winners = people[0].http.get(f"/api/tables/{table}").json()["ending"]["winners"]
    assert [value > 1500 for value in values] == [seat in winners for seat in (0, 1)]


def test_threat_71_own_identities_that_resign_at_once_win_nothing(server: Server, guests: Guests) -> None:
    ada, *others = guests(6)
    for other in others:
        table = dealt_table([ada, other], "mantis", rated=True)
        other.do(table, "resign")
        assert other.http.get(f"/api/tables/{table}/rating").json()["change"]["after"]["value"] < 1500
        assert ada.http.get(f"/api/tables/{table}/rating").json() == {"change": None}
    assert ratings_of(ada) == []


def test_only_decisions_of_a_person_count_as_played(server: Server, guests: Guests) -> None:
    people = guests(2)
    table = dealt_table(people, "mantis", first_seat=0)
    with people[0].socket(table) as socket:
        people[0].do(table, "move", turn=0, action=socket.until("play")["view"]["legal"][0])
    state = server.run(lambda: server.registry.get(table)).state
    assert [place.decisions for place in state.places] == [1, 0]
    for by in ("stand-in", "bot", "origin"):
        state.apply(e.Moved(1, "x", 0.0, by))
    assert [place.decisions for place in state.places] == [1, 0]


def test_a_result_that_was_not_counted_before_a_crash_is_counted_by_the_next_sweep(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = guests(2)

    async def crash(*_: Any) -> None:
        raise RatingsChanged("gone before it was counted")

    with monkeypatch.context() as gone:
        gone.setattr(results, "settle", crash)
        table = finish(people, rated=True)
    assert ratings_of(people[0]) == []
    assert table in server.run(lambda: StoredResults(server.context.storage).unsettled_results(100))
    server.run(lambda: server.registry.discard(table))
    server.run(lambda: server.housekeeping.sweep())
    assert [len(ratings_of(person)[0]["games"]) for person in people] == [1, 1]
    assert server.run(lambda: StoredResults(server.context.storage).unsettled_results(100)) == []


def test_the_end_of_a_rated_game_says_what_it_has_changed_to_those_who_played_and_nobody_else(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bruno, clara = guests(3)

    def changed(guest: Guest, table: str) -> Any:
        return guest.http.get(f"/api/tables/{table}/rating").json()

    async def later(*_: Any) -> None:
        """The end is shown before the result is counted."""

    changed(ada, finish([ada, clara], rated=True))  # who asks waits until it is counted
    before = ratings_of(ada)[0]["rating"]
    with monkeypatch.context() as busy:
        busy.setattr(results, "settle", later)
        table = finish([ada, bruno], rated=True)
    change = changed(ada, table)["change"]
    assert change == {"before": before, "after": ratings_of(ada)[0]["rating"]}
    assert changed(bruno, table)["change"]["before"]["value"] == 1500
    assert changed(ada, table)["change"] == change, "asking again counts nothing again"
    assert changed(clara, table)["code"] == "not-seated"
    assert httpx.get(f"{server.address}/api/tables/{table}/rating").json()["code"] == "no-identity"
    assert changed(ada, finish([ada, bruno])) == {"change": None}
    running = seat_everybody([ada, bruno], "mantis", rated=True)
    start([ada, bruno], running)
    assert changed(ada, running)["code"] in ("still-playing", "not-started")


def test_a_result_that_is_counted_twice_is_not_shown_twice(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    table = finish([ada, bruno], rated=True)
    state = server.run(lambda: server.registry.get(table)).state
    server.run(lambda: results.settle(server.context, state, MANTIS))
    again = seat_everybody([ada, bruno], "mantis", rated=True)
    assert [seat["rating"]["games"] for seat in ada.http.get(f"/api/tables/{again}").json()["seats"]] == [1, 1]


def test_a_game_against_bots_can_be_rated(server: Server, guests: Guests) -> None:
    (ada,) = guests(1)
    settings = {"game": "mantis", "seats": 2, "level": "random"}
    assert not ada.http.post("/api/play-now", json=settings).json()["rated"]
    table = ada.http.post("/api/play-now", json={**settings, "rated": True}).json()
    assert (table["rated"], table["hints"], table["starts_itself"]) == (True, False, True)
    ada.do(table["id"], "salt", salt="5" * 64)
    with ada.socket(table["id"]) as socket:
        socket.until("play")
    ada.do(table["id"], "resign")
    change = ada.http.get(f"/api/tables/{table['id']}/rating").json()["change"]
    assert change["after"]["value"] < change["before"]["value"] == 1500


def test_who_sits_down_at_a_rated_table_sees_whom_they_meet_and_only_before_the_start(
    server: Server, guests: Guests
) -> None:
    ada, bruno = guests(2)
    table = seat_everybody([ada, bruno], "mantis", rated=True)
    seats = bruno.http.get(f"/api/tables/{table}").json()["seats"]
    assert [seat["rating"]["low"] for seat in seats] == [1000, 1000]
    start([ada, bruno], table)
    play_to_end([ada, bruno], [person.socket(table) for person in (ada, bruno)])
    assert bruno.http.get(f"/api/tables/{table}").json()["seats"][0]["rating"] is None
    again = ada.do(table, "rematch")["table"]
    with bruno.socket(again) as socket:
        shown_there = socket.until("table")["table"]
    assert shown_there["rated"]
    assert shown_there["seats"][0]["rating"]["games"] == 1
    unrated = seat_everybody([ada, bruno], "mantis")
    assert [seat["rating"] for seat in ada.http.get(f"/api/tables/{unrated}").json()["seats"]] == [None, None]


def test_a_rated_table_has_the_usual_options_no_hints_and_no_taking_back(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    settings = {"game": "mantis", "seats": 2, "rated": True}
    for wrong in ({"hints": True}, {"options": {"icons": False}}):
        assert ada.http.post("/api/tables", json={**settings, **wrong}).json()["code"] == "not-rated"
    table = seat_everybody([ada, bruno], "mantis", rated=True, options={"icons": True}, first_seat=0)
    settings = {"seats": 2, "options": {}, "first_seat": 0, "public": False, "seconds_per_move": None}
    assert ada.command(table, "settings", **settings, hints=True, rated=True).json()["code"] == "not-rated"
    start([ada, bruno], table)
    with ada.socket(table) as socket:
        legal = socket.until("play")["view"]["legal"]
        ada.do(table, "move", turn=0, action=legal[0])
        assert not socket.until_turn(1)["take_back"]
    assert ada.command(table, "take-back", turn=1).json()["code"] == "rated-game"
    ada.do(table, "resign")
    new = ada.http.post(f"/api/tables/{table}/play-on", json={"seat": 0, "turn": 0}).json()
    assert not new["rated"]


def test_a_deleted_identity_takes_its_ratings_along_and_leaves_those_of_others(server: Server, guests: Guests) -> None:
    ada, bruno = guests(2)
    table = finish([ada, bruno], rated=True)
    assert bruno.http.get(f"/api/tables/{table}/rating").json()["change"]  # who asks waits until it is counted
    kept = ratings_of(bruno)
    person = server.run(lambda: server.context.people.recognise(ada.token)).id
    ada.http.delete("/api/me")
    assert server.run(lambda: StoredResults(server.context.storage).ratings_of(person)) == []
    assert ratings_of(bruno) == kept
