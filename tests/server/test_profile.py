"""A person's finished games and figures: from their own tables, with what reviews have said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tavolino.server import protocol as p
from tavolino.server.people.figures import figures
from tests.server.clients import Guest, play_to_end, seat_everybody, start
from tests.server.conftest import Server


def played(won: bool, how: p.HowEnded = "played", given_away: float | None = None) -> p.PlayedGame:
    decisions = None if given_away is None else 10
    return p.PlayedGame("t", "mantis", 0, 4, 0, [None] * 3, how, won, given_away, decisions)


def test_only_games_with_a_result_count_as_won_or_lost() -> None:
    found = figures("mantis", [played(True), played(False), played(False, "abandoned"), played(False, "resigned")])
    assert (found.games, found.decided, found.wins) == (4, 3, 1)
    assert 0 < found.low < 1 / 3 < found.high < 1


def test_streaks_are_wins_in_a_row_and_what_has_no_result_does_not_break_them() -> None:
    newest_first = [played(True), played(False, "agreed"), played(True), played(False), *[played(True)] * 3]
    found = figures("mantis", newest_first)
    assert (found.streak, found.longest) == (2, 3)


def test_the_cost_of_a_decision_is_that_of_reviewed_games_the_oldest_first() -> None:
    found = figures("mantis", [played(True, given_away=0.1), played(True), played(True, given_away=0.3)])
    assert found.costs == pytest.approx([0.03, 0.01])
    assert found.cost == pytest.approx(0.02)
    assert figures("mantis", [played(True)]).cost is None


def test_a_profile_has_the_games_of_its_person_and_nobody_else(
    server: Server, guests: Callable[[int], list[Guest]]
) -> None:
    people = guests(3)
    players, stranger = people[:2], people[2]
    table = seat_everybody(players, "mantis")
    start(players, table)
    assert players[0].http.get("/api/me/profile").json() == {"figures": [], "games": [], "ratings": []}, (
        "it is not over yet"
    )
    play_to_end(players, [person.socket(table) for person in players])
    profiles: list[dict[str, Any]] = [person.http.get("/api/me/profile").json() for person in people]
    assert [len(each["games"]) for each in profiles] == [1, 1, 0]
    game = profiles[0]["games"][0]
    assert (game["table"], game["against"], game["how"]) == (table, ["Bruno"], "played")
    assert sum(each["games"][0]["won"] for each in profiles[:2]) >= 1
    assert profiles[0]["figures"][0]["wins"] == game["won"]
    players[1].http.delete("/api/me")
    assert players[0].http.get("/api/me/profile").json()["games"][0]["against"] == [None]
    stranger.http.headers.pop("Authorization")
    assert stranger.http.get("/api/me/profile").json()["code"] == "no-identity"
