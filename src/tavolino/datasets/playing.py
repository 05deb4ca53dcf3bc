"""Plays the games of a plan. A game depends on the plan and on its number alone."""

from typing import Any

import numpy as np

import tavolino
from tavolino.bots import LEVELS
from tavolino.bots.policies import kind_of, policy_of
from tavolino.datasets.plan import ExportPlan
from tavolino.engine.chance import key_from_seed
from tavolino.engine.compiled import IS_PLAIN
from tavolino.engine.decks import arrange
from tavolino.engine.match import Match
from tavolino.engine.options import resolve
from tavolino.lab.own_bots import choice_of, make_own_bot
from tavolino.lab.seatings import Seating, seatings
from tavolino.research.encodings import encoding_of
from tavolino.research.opponents import Searcher
from tavolino.research.recording import CURSOR, HEURISTIC, NOT_YET, OUTSIDE, RANDOM, Rows, new_rows, record_games

AT_ONCE = 32  # games in one call of the compiled loop
_NUMBERS = {"random": RANDOM, "heuristic": HEURISTIC}


class GamePlayer:
    """Plays games of one plan; the memory of the compiled loop is allocated once."""

    def __init__(self, plan: ExportPlan):
        self.plan, self.game, self._encoding = plan, tavolino.load(plan.game), encoding_of(plan.game)
        self._seatings = seatings(plan.game, plan.bots, plan.players, plan.options)
        self._kinds = [kind_of(bot, plan.game) if bot in LEVELS else "class" for bot in plan.bots]
        self._searchers = {
            bot: Searcher(bot, self.game, plan.players, plan.iterations)
            for bot, kind in zip(plan.bots, self._kinds, strict=True)
            if kind == "search"
        }
        policy = policy_of(plan.game)
        self._weights = np.array([policy.weights_of(bot if bot in LEVELS else "medium") for bot in plan.bots])
        self._players = np.array([_NUMBERS.get(kind, OUTSIDE) for kind in self._kinds], np.int32)
        self._states, self._worlds = self.game.new_states(), self.game.new_states()
        self._decks = arrange(self.game.decks, None, self.game.check_decks)
        self._from_rules = self._encoding.turned(plan.players)[1]
        self._numbers, self._scores = np.zeros(self.game.action_count, np.int32), np.zeros(self.game.action_count)
        self._table: tuple[int, Match, dict[int, Any]] | None = None  # for bots that are classes: game, match, bots

    def seating(self, number: int) -> Seating:
        """Who sits where in a game, and its options."""
        return self._seatings[number % len(self._seatings)]

    def start(self, number: int) -> Match:
        """A game at its deal."""
        return self.game.start(self.plan.players, self.plan.deal(number), dict(self.seating(number).options))

    def play(self, first: int, count: int) -> Rows:
        """All decisions of these games, in their order."""
        parts = [self._play(at, min(AT_ONCE, first + count - at)) for at in range(first, first + count, AT_ONCE)]
        return Rows._make(np.concatenate(columns) for columns in zip(*parts, strict=True))

    def _play(self, first: int, count: int) -> Rows:
        plan, game, encoding = self.plan, self.game, self._encoding
        sitting = [self.seating(first + n) for n in range(count)]
        options = [resolve(game.options, plan.players, dict(each.options)) for each in sitting]
        keys = np.array([key_from_seed(plan.deal(first + n)) for n in range(count)])
        seeds = np.array([key_from_seed(f"{plan.deal(first + n)} choices")[0] for n in range(count)], np.int64)
        size = encoding.size if plan.knowledge else encoding.open_size
        rows = new_rows(count * game.most_decisions(plan.players), size, encoding.action_count)
        cursors = np.array([(0, 0, 0, 0, NOT_YET)], CURSOR)
        while not record_games(
            self._states,
            self._worlds,
            first,
            keys,
            np.array([game.option_numbers(plan.players, each) for each in options], np.int32),
            np.array([each.players for each in sitting], np.int32),
            self._players,
            self._weights,
            seeds,
            self._is_quiet,
            *self._decks,
            self._from_rules,
            self._numbers,
            self._scores,
            rows,
            cursors.view(np.recarray) if IS_PLAIN else cursors,
        ):
            cursors[0]["chosen"] = self._choose(first, cursors[0], rows)
        written = int(cursors[0]["rows"])
        return Rows._make(column[:written].copy() for column in rows)

    @property
    def _is_quiet(self) -> bool:
        """Without knowledge the rules are faster; the levels, and observations with knowledge, need it."""
        needs = self.plan.knowledge or {"heuristic", "search"} & set(self._kinds)
        return not self._encoding.has_knowledge or not needs

    def _choose(self, first: int, cursor: Any, rows: Rows) -> int:
        """The choice of a player who searches, or of a bot that is a class."""
        number, decision = first + int(cursor["game"]), int(cursor["decisions"])
        seat = int(self._states["to_act"][0])
        who = self.seating(number).players[seat]
        bot = self.plan.bots[who]
        if bot in self._searchers:
            return self._searchers[bot].choose(self._states, 0, f"{self.plan.deal(number)} search {decision}")
        if self._table is None or self._table[0] != number:
            self._table = number, self.start(number), {}
        _, match, bots = self._table
        begun = int(cursor["begun"])
        for row in range(begun + len(match._actions), begun + decision):
            match.advance(self.game.action_text(match._reading, int(rows.choices[row])))
        if seat not in bots:
            bots[seat] = make_own_bot(bot, self.plan.game, number * self.plan.players + seat)
        text = choice_of(bots[seat], bot, match, f"game {number}")
        assert match._texts is not None
        return match._texts[text]

    def own_numbers(self, seat: int) -> np.ndarray[Any, Any]:
        """A seat's own number of each action, by the rules' number."""
        return self._from_rules[seat]
