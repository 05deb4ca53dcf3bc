"""What the coach measures of exported decisions.

Each label is computed from what the seat to act has seen, except luck, which is told for every seat, from what that
seat has seen.
"""

from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.coach.beliefs import beliefs_of, believe
from tavolino.coach.review import USUAL_REVIEW, Step, review
from tavolino.coach.values import values_of
from tavolino.datasets.playing import GamePlayer
from tavolino.engine.match import Match
from tavolino.research.recording import Rows

Columns = dict[str, NDArray[Any]]
EFFORT = USUAL_REVIEW


def labels(player: GamePlayer, rows: Rows) -> Columns:
    """The columns that the plan asks for, one row for each decision."""
    plan, players, count = player.plan, player.plan.players, len(rows.games)
    actions = rows.masks.shape[1]
    columns: Columns = {}
    if plan.values:
        columns["value"] = np.full((count, actions), np.nan, np.float32)
        columns["value_error"] = np.full((count, actions), np.nan, np.float32)
    if plan.luck:
        columns["luck"] = np.zeros((count, players), np.float32)
        columns["luck_error"] = np.zeros((count, players), np.float32)
    if plan.beliefs:
        table = beliefs_of(plan.game).empty()
        columns["belief"] = np.zeros((count, table.size), np.float32)
        columns["belief_error"] = np.zeros((count, table.size), np.float32)
        columns["belief_is_exact"] = np.zeros(count, np.bool_)
    if columns:
        for game, first, end in _games(rows):
            _label_game(player, rows, columns, game, first, end)
    return columns


def _games(rows: Rows) -> Iterator[tuple[int, int, int]]:
    """Each game with its first row and the one behind its last."""
    begins = np.flatnonzero(np.diff(rows.games, prepend=-1)).tolist()
    for first, end in zip(begins, [*begins[1:], len(rows.games)], strict=True):
        yield int(rows.games[first]), first, end


def _label_game(player: GamePlayer, rows: Rows, columns: Columns, game: int, first: int, end: int) -> None:
    plan, match = player.plan, player.start(game)
    texts = []
    for row in range(first, end):
        seat = int(rows.seats[row])
        assert match.to_act == seat
        label_decision(match, seat, plan.worlds, player.own_numbers(seat), columns, row)
        texts.append(match.game.action_text(match._reading, int(rows.choices[row])))
        match.advance(texts[-1])
    if plan.luck:
        for seat in range(plan.players):
            steps = review(player.start(game), texts, seat, EFFORT).steps
            before = 0.0
            for row, step in zip(range(first, end), steps, strict=True):
                distance = (seat - step.seat) % plan.players
                columns["luck"][row, distance] = step.luck
                columns["luck_error"][row, distance] = _luck_error(step, before)
                before = step.error


def label_decision(
    match: Match, seat: int, worlds: int, own_numbers: NDArray[np.int32], columns: Columns, row: int
) -> None:
    """The values and the belief of one decision."""
    if "value" in columns:
        match.legal()
        numbers = match._texts or {}
        for text, worth in values_of(match, seat, worlds).items():
            own = own_numbers[numbers[text]]
            columns["value"][row, own], columns["value_error"][row, own] = worth
    if "belief" in columns:
        belief = believe(match, seat, worlds)
        columns["belief"][row], columns["belief_error"][row] = belief.table.ravel(), belief.errors.ravel()
        columns["belief_is_exact"][row] = belief.is_exact


def _luck_error(step: Step, before: float) -> float:
    """At most so large: where one measurement is used twice, its error cancels."""
    return sqrt(before**2 + step.doing_error**2 + step.error**2)
