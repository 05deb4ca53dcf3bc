"""A table in words, for programs that read: what has happened, the table, the question, the numbered choices.

Everything is written from a view and lines of its log, so it holds what that viewer may know and nothing else.
Sentences and labels are in the reader's language. Seats have the numbers that they have in the texts of actions, and
cards and places their ids.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tavolino.engine.match import COMMON_KEYS
from tavolino.engine.plain_text import words_of
from tavolino.engine.rules_pages import read_rules
from tavolino.engine.texts import Speaker

if TYPE_CHECKING:
    from tavolino.engine.game import Game

ASIDE = COMMON_KEYS | {"seats"}  # the parts of a view that have lines of their own


class Teller:
    """The words about one game in one language for one viewer; None is a spectator."""

    def __init__(self, game: "Game", language: str = "en", viewer: int | None = None):
        self._game = game
        self._viewer = viewer
        numbered = Speaker(game, language)
        # "Seat 0", as in "steal 0": people count seats from 1, actions from 0.
        names = [numbered.say("seat", {"n": seat}) for seat in range(game.players[-1])]
        self._speaker = Speaker(game, language, names, viewer)

    def observation(self, view: Mapping[str, Any], news: Iterable[Mapping[str, Any]]) -> str:
        """Who the reader is, the news, the table, and the question with the numbered legal actions."""
        who = "text.watching" if self._viewer is None else "text.you"
        lines = [self._say(who, players=view["players"], seat=self._viewer)]
        if told := self.log(news):
            lines += [self._say("text.since"), told]
        lines += [self._say("text.table"), *self._table(view), self._question(view)]
        lines += [
            f"{number}. {action}: {self.label(view['described'][action])}"
            for number, action in enumerate(view["legal"], 1)
        ]
        return "\n".join(lines)

    def _say(self, key: str, **params: Any) -> str:
        return self._speaker.say(key, {"game": self._speaker.say("name"), **params})

    def log(self, events: Iterable[Mapping[str, Any]]) -> str:
        """Events as sentences, one a line."""
        return "\n".join(f"- {self._speaker.tell(event)}" for event in events)

    def label(self, described: Mapping[str, Any]) -> str:
        """An action as it is offered, from its description in a view."""
        return self._speaker.label(described["verb"], described["params"])

    def refusal(self, key: str, params: Mapping[str, Any]) -> str:
        """Why an action is not legal."""
        return self._speaker.say(f"refusal.{key}", params)

    def reason(self, key: str, params: Mapping[str, Any]) -> str:
        """Why an action is good."""
        return self._speaker.say(f"reason.{key}", params)

    def _table(self, view: Mapping[str, Any]) -> Iterable[str]:
        for name, value in view.items():
            if name not in ASIDE and not _is_empty(value):
                yield f"{name}: {words_of(value)}"
        for seat, place in enumerate(view.get("seats", ())):
            parts = place.items() if isinstance(place, Mapping) else [("", place)]
            told = "; ".join(f"{name} {words_of(value)}".strip() for name, value in parts if not _is_empty(value))
            yield f"{self._name(seat)}: {told}"

    def _name(self, seat: int) -> str:
        name = self._speaker.say(f"seat.{seat}")
        return self._say("text.own", seat=seat) if seat == self._viewer else name

    def _question(self, view: Mapping[str, Any]) -> str:
        if view["over"]:
            outcome = view["outcome"]
            told = f"{self._speaker.verdict(outcome)} {self._speaker.reason(outcome)} [{outcome['reason']}]"
            return self._say("text.over", outcome=told)
        return self._say(
            "text.question" if view["legal"] else "text.waiting", question=self._speaker.ask(view["prompt"])
        )

    def notebook(self, notebook: Mapping[str, Any]) -> str:
        """What can be deduced, a line for each part."""
        return "\n".join(f"{name}: {words_of(value)}" for name, value in notebook.items() if not _is_empty(value))

    # -- what does not depend on the table

    def rules(self, ids: Sequence[str] = ()) -> str:
        """The rules with their ids; only these, if some are named. ValueError for a rule that does not exist."""
        sections = read_rules(self._game, self._speaker.language)[1]
        if missing := set(ids) - {rule.id for section in sections for rule in section.rules}:
            raise ValueError(f"{self._game.name} has no rule {', '.join(sorted(missing))}.")
        lines = []
        for section in sections:
            told = [f"{rule.id} {rule.text}" for rule in section.rules if not ids or rule.id in ids]
            lines += [f"## {section.title}", *told] if told else []
        return "\n".join(lines)

    def cards(self) -> str:
        """The facts of cards and other parts: name, numbers, effect. Cards that differ in nothing share a line."""
        lines: dict[str, list[str]] = {}
        for group, members in self._game.parts.items():
            if isinstance(members, Mapping):
                titles = {name: self._speaker.find(f"{group.removesuffix('s')}.{name}") for name in members}
                shared = Counter(titles.values())
                for name, facts in members.items():
                    title = titles[name] if shared[titles[name]] == 1 else None
                    lines.setdefault(self._facts(name, facts), []).append(_named(name, title))
            else:
                lines[words_of(members)] = [group]
        return "\n".join(f"{', '.join(names)}: {facts}" for facts, names in lines.items())

    def _facts(self, name: str, facts: Any) -> str:
        if isinstance(facts, Mapping):
            facts = {key: value for key, value in facts.items() if not _is_empty(value)}
        effect = self._speaker.find(f"effect.{name}")
        return words_of(facts) if effect is None else f"{words_of(facts)} {self._speaker.say(f'effect.{name}')}"


def _named(name: str, title: str | None) -> str:
    """The id, with the title in brackets if that is another word."""
    is_same = title is None or re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-") == name
    return name if is_same else f"{name} ({title})"


def _is_empty(value: Any) -> bool:
    return value is None or value is False or (isinstance(value, str | list | Mapping) and not value)
