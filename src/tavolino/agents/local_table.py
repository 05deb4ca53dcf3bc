"""A table in this process: the agent against bots."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from tavolino.agents.review_text import review_text
from tavolino.agents.tables import Trouble, action_of, hint_text
from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.judge import advise
from tavolino.coach.reasons import reasons
from tavolino.coach.review import review
from tavolino.coach.written import review_json
from tavolino.engine.errors import IllegalAction
from tavolino.engine.match import Match
from tavolino.engine.telling import Teller
from tavolino.games import load


class LocalTable:
    def __init__(
        self,
        game: str,
        players: int | None,
        seat: int,
        levels: Sequence[str],
        options: Mapping[str, Any] | None = None,
        language: str = "en",
    ):
        """The levels are those of the other seats, clockwise; the last one goes on for the rest."""
        loaded = load(game)
        count = loaded.meta.usual_seats if players is None else players
        self.match: Match = loaded.start(count, secrets.token_hex(32), options)
        if not 0 <= seat < count:
            raise ValueError(f"There is no seat {seat}: seats are numbered 0 to {count - 1}.")
        others = [other for other in range(count) if other != seat]
        self._bots = {
            other: make_bot(levels[min(n, len(levels) - 1)], game, secrets.randbits(32))
            for n, other in enumerate(others)
        }
        self._seat = seat
        self._teller = Teller(loaded, language, seat)
        self._has_resigned = False
        self._let_bots_play()

    def _let_bots_play(self) -> None:
        while (seat := self.match.to_act) is not None and seat != self._seat:
            self.match.advance(self._bots[seat].choose(SeatMatch(self.match, seat)))

    def _check_is_open(self) -> None:
        if self._has_resigned:
            raise Trouble("You have resigned from this game.")
        if self.match.over:
            raise Trouble("The game is over.")

    def observe(self, whole_log: bool = False) -> str:
        view = self.match.view(self._seat, 0 if whole_log else self.match.lines_before_decision(self._seat))
        return self._teller.observation(view, view["log"])

    def act(self, choice: int | str) -> str:
        self._check_is_open()
        try:
            self.match.advance(action_of(choice, self.match.legal()))
        except IllegalAction as refusal:
            rule = f" [{refusal.rule}]" if refusal.rule else ""
            raise Trouble(self._teller.refusal(refusal.key, refusal.params) + rule) from None
        self._let_bots_play()
        return self.observe()

    def wait(self, seconds: float) -> str:
        """Bots have always answered."""
        return self.observe()

    def notebook(self) -> str:
        return self._teller.notebook(self.match.notebook(self._seat))

    def hint(self) -> str:
        self._check_is_open()
        advice = advise(self.match, self._seat)
        why = [(fact.key, fact.params) for fact in reasons(self.match, self._seat, advice.action)]
        return hint_text(self._teller, self.match.legal(), advice.action, advice.chance, why)

    def resign(self) -> str:
        self._check_is_open()
        self._has_resigned = True
        return "You have resigned from this game."

    def review(self) -> str:
        if not self.match.over:
            raise Trouble("Only a game that was played to its end is reviewed.")
        actions = self.match.record()["actions"]
        return review_text(review_json(review(self.match.position(0), actions, self._seat)))
