"""The texts of the terminal in one language for one viewer: those of the game and of the terminal itself."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tavolino.engine.messages import fill
from tavolino.engine.texts import Speaker, read_texts

if TYPE_CHECKING:
    from tavolino.engine.game import Game

FOLDER = Path(__file__).parent
# The bots' names, one for each seat: kitchen tools and foods, the same in every language.
NAME_COUNT = 6


class Words:
    """The sentences of one table as one viewer reads them; viewer None is a spectator."""

    def __init__(
        self, game: "Game", language: str, people: Sequence[int], viewer: int | None, guest: str | None = None
    ):
        self.game = game
        self.language = language
        self.viewer = viewer
        self._own = read_texts(FOLDER, language)
        self._names = [self._name(seat, people, guest) for seat in range(NAME_COUNT)]
        self.speaker = Speaker(game, language, self._names, viewer)

    def _name(self, seat: int, people: Sequence[int], guest: str | None) -> str:
        if seat not in people:
            return self._own[f"name.bot.{seat + 1}"]
        if len(people) > 1:
            return fill(self._own["name.person"], {"n": seat + 1}, self.language, lambda key: None)
        return guest or self._own["name.guest"]

    def name(self, seat: int) -> str:
        return self._names[seat]

    def own(self, key: str, /, **params: Any) -> str:
        """A sentence of the terminal."""
        return fill(self._own[key], params, self.language, self.speaker.find)

    def say(self, key: str, params: Mapping[str, Any] | None = None, /, **named: Any) -> str:
        """A sentence of the game."""
        return self.speaker.say(key, {**(params or {}), **named})

    def has(self, key: str) -> bool:
        return self.speaker.find(key) is not None

    def tell(self, event: Mapping[str, Any]) -> str:
        """An event as a sentence."""
        sentence = self.speaker.tell(event)
        needs_cards = self.viewer is None and not self.speaker.tells_openly(event)
        return sentence + self._hidden_cards(event) if needs_cards else sentence

    def _hidden_cards(self, event: Mapping[str, Any]) -> str:
        """The cards that the public sentence leaves out, in brackets; '' if the event does not contain them."""
        kind = next(kind for kind in self.game.event_kinds if kind.name == event["kind"])
        found = [event.get(field.name) for field in kind.fields if field.is_private]
        cards = [card for each in found for card in (each if isinstance(each, list) else [each]) if card is not None]
        return f" [{fill('{cards, card}', {'cards': cards}, self.language, self.speaker.find)}]" if cards else ""

    def label(self, action: str) -> str:
        """An action as it is offered."""
        return self.speaker.label(*self.game.action_params(action))

    def question(self, prompt: Mapping[str, Any]) -> str:
        """The question to the seat that acts, as the viewer reads it."""
        return self.speaker.ask(prompt)

    def ending(self, outcome: Mapping[str, Any]) -> str:
        """Who has won, and why."""
        return f"{self.speaker.verdict(outcome)} {self.reason(outcome)}"

    def reason(self, outcome: Mapping[str, Any]) -> str:
        """Why the game is over, with the rule."""
        return f"{self.speaker.reason(outcome)}  [{outcome['reason']}]"
