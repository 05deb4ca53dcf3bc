"""A game at one terminal: people and bots play to the end, or until somebody leaves."""

import time
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from tavolino.bots import SeatMatch, make_bot
from tavolino.cli.drawings import drawing_of
from tavolino.cli.explain import find_topics, manual, number_of_choice, topic_text
from tavolino.cli.saved import SeatPlan
from tavolino.cli.screen import Leaving, Screen, choices, heading, log_lines, note
from tavolino.cli.undo import CannotTakeBack, take_back
from tavolino.cli.words import Words
from tavolino.coach.judge import advise
from tavolino.coach.reasons import reasons
from tavolino.engine.errors import IllegalAction
from tavolino.engine.match import Match

LEAST_LOG = 4  # lines that are always shown, old ones if nothing is new
MOST_LOG = 14
BESIDE_LOG = 20  # rows that the rest of the screen usually needs
AROUND_CHOICES = 4  # rows: the question, the keys, what is typed, and the one after it


class Session:
    """One game at one terminal."""

    def __init__(
        self,
        match: Match,
        plan: SeatPlan,
        language: str,
        screen: Screen,
        pace: float,
        taken_back: list[dict[str, Any]],
    ):
        self.match = match
        self.taken_back = taken_back  # changed in place
        self.plan = plan
        self.screen = screen
        self._language = language
        self._pace = pace
        self._drawing = drawing_of(match.game.name)
        self._words = {
            viewer: Words(match.game, language, plan.people, viewer, plan.guest)
            for viewer in (*range(match.players), None)
        }
        start = len(match.record()["actions"])
        # In a resumed game a bot must not repeat the random choices of its first session.
        self._bots = {
            seat: make_bot(level, match.game.name, hash_of(match, seat, start)) for seat, level in plan.levels.items()
        }
        self._read: dict[int, int] = {}  # the number of log lines that each person has read
        self._before: int | None = None  # the person who looked at the screen last

    @property
    def is_shared(self) -> bool:
        """Whether several people share the screen, who must not see each other's cards."""
        return len(self.plan.people) > 1

    def play(self) -> None:
        """Play until the game is over; raises Leaving when somebody leaves."""
        while self.match.to_act is not None:
            seat = self.match.to_act
            if seat in self._bots:
                self._let_bot_decide(seat)
            else:
                self._let_person_decide(seat)
        self._show_end()

    # -- bots

    def _let_bot_decide(self, seat: int) -> None:
        began = time.monotonic()
        action = self._bots[seat].choose(SeatMatch(self.match, seat))
        watcher = None if self.is_shared else self.plan.people[0]
        known = len(self.match.view(watcher)["log"])
        self.match.play(action)
        words = self._words[watcher]
        fresh = self.match.view(watcher)["log"][known:]
        self.screen.show(log_lines([event for event in fresh if self._is_news(event)], words))
        # Thinking counts as part of the pause, so that the time a bot takes reveals nothing about its cards.
        time.sleep(max(0.0, self._pace - (time.monotonic() - began)))

    def _is_news(self, event: dict[str, Any]) -> bool:
        return event["kind"] not in self._drawing.QUIET_KINDS

    # -- people

    def _let_person_decide(self, seat: int) -> None:
        words = self._words[seat]
        self._hide_between_people(seat)
        answer: RenderableType | None = None
        while True:
            self._draw(seat, answer)
            typed = self.screen.ask("❯")
            try:
                if self._decide(seat, typed):
                    break
                answer = self._answer(seat, typed)
                if answer is not None and not self._fits(seat, answer):
                    self.screen.show_page(words.say("name"), answer, words)
                    answer = None
            except IllegalAction as refusal:
                rule = f"  [{refusal.rule}]" if refusal.rule else ""
                sentence = words.say(f"refusal.{refusal.key}", refusal.params)
                answer = note(Text(sentence + rule), style="yellow")
        if self.is_shared and self.match.to_act != seat:
            # Show the result before the next person gets the screen.
            self._draw(seat, None)
            self.screen.wait(words)

    def _fits(self, seat: int, answer: RenderableType) -> bool:
        """Whether a note is still visible with the choices below it."""
        below = choices(self.match.legal(), self._words[seat], self.screen.width)
        return sum(len(self.screen.rows(part)) for part in (answer, below)) + AROUND_CHOICES <= self.screen.height

    def _decide(self, seat: int, typed: str) -> bool:
        """Play the choice of that number, or the action of that text; False if the input is neither."""
        actions = self.match.legal()
        number = number_of_choice(typed, actions)
        if number is not None:
            typed = actions[number - 1]
        elif len(typed) < 2 or typed.isdecimal() or typed.startswith("?"):
            return False
        read = len(self.match.view(seat)["log"])
        self.match.play(typed)
        self._read[seat] = read
        return True

    def _answer(self, seat: int, typed: str) -> RenderableType | None:
        """The note that answers input which is not a choice."""
        words = self._words[seat]
        key, rest = typed[:1].lower(), typed[1:].strip()
        if key == "?" and rest:
            found = find_topics(rest, self.match.legal(), self._drawing, words)
            lines = [topic_text(topic) for topic in found] or [Text(words.own("explain.nothing", asked=rest))]
            return note(Text("\n").join(lines))
        if key == "?":
            self.screen.show_page(words.say("name"), manual(words), words)
            return None
        if key == "l":
            self.screen.show_page(words.own("log"), log_lines(self.match.view(seat)["log"], words), words)
            return None
        if key == "k":
            view, notebook = self.match.view(seat), self.match.notebook(seat)
            return note(
                self._drawing.notes(view, notebook, words, self.screen.width - 4),
                words.own("notebook"),
                "magenta",
            )
        if key == "h":
            return self._give_hint(seat)
        if key == "u" and not rest:
            return self._take_back(seat)
        if key == "q":
            raise Leaving
        if not typed:
            return None
        return note(Text(words.own("not-understood", most=len(self.match.legal()))), style="yellow")

    def _give_hint(self, seat: int) -> RenderableType:
        words = self._words[seat]
        with self.screen.console.status(words.own("hint.thinking")):
            advice = advise(self.match, seat)
        number, win = self.match.legal().index(advice.action) + 1, round(100 * advice.chance)
        sentence = words.own("hint.advice", number=number, label=words.label(advice.action), win=win)
        facts = reasons(self.match, seat, advice.action)
        told = [sentence, *(words.say(f"reason.{fact.key}", fact.params) for fact in facts)]
        return note(Text("\n".join(told)), words.own("hint"), "green")

    def _take_back(self, seat: int) -> RenderableType | None:
        try:
            self.match, taken = take_back(self.match, seat, self.is_shared)
        except CannotTakeBack as refusal:
            return note(Text(self._words[seat].own(refusal.key)), style="yellow")
        self.taken_back.append(taken)
        self._read = {reader: min(read, self.match.lines) for reader, read in self._read.items()}
        return None

    def _hide_between_people(self, seat: int) -> None:
        """Keep the screen empty between two people until the second one presses Enter."""
        if self.is_shared and self._before != seat:
            words = self._words[None]
            self.screen.clear(is_final=True)
            self.screen.show(
                heading(words.say("name")),
                Text(),
                Text(words.own("curtain", seat=seat), style="bold"),
                Text(),
            )
            self.screen.wait(words)
            self.screen.clear(is_final=True)
        self._before = seat

    # -- the screen

    def _draw(self, seat: int, answer: RenderableType | None) -> None:
        words = self._words[seat]
        view = self.match.view(seat)
        screen = self.screen
        screen.clear()
        screen.show(heading(words.say("name"), words.name(seat)))
        screen.show(self._drawing.draw(view, words, screen.width))
        gist = self._drawing.gist(view, self.match.notebook(seat), words)
        if gist.plain:
            screen.show(gist, Text())
        self._draw_log(seat, view, words)
        if answer is not None:
            screen.show(answer)
        if view["prompt"] is not None and view["to_act"] == seat:
            screen.show(Text(words.question(view["prompt"]), style="bold"))
            screen.show(choices(view["legal"], words, screen.width))
            screen.show(Text(words.own("keys.short"), style="dim"))

    def _draw_log(self, seat: int, view: dict[str, Any], words: Words) -> None:
        read = self._read.get(seat, 0)
        old = [event for event in view["log"][:read] if self._is_news(event)]
        news = [event for event in view["log"][read:] if self._is_news(event)]
        fresh = news[-self._room_for_log :]
        padding = old[-(LEAST_LOG - len(fresh)) :] if len(fresh) < LEAST_LOG else []
        if not padding and not fresh:
            return
        self.screen.show(heading(words.own("log")))
        if len(news) > len(fresh):
            self.screen.show(Text(words.own("log.before", count=len(news) - len(fresh)), style="dim"))
        self.screen.show(log_lines(padding + fresh, words, len(padding)), Text())

    @property
    def _room_for_log(self) -> int:
        return max(LEAST_LOG, min(MOST_LOG, self.screen.height - BESIDE_LOG))

    def _show_end(self) -> None:
        viewer = None if self.is_shared else self.plan.people[0]
        words = self._words[viewer]
        view = self.match.view(viewer)
        outcome = view["outcome"]
        self.screen.clear(is_final=self.is_shared)
        self.screen.show(heading(words.say("name")), self._drawing.draw(view, words, self.screen.width))
        self.screen.show(
            log_lines([event for event in view["log"] if self._is_news(event)][-self._room_for_log :], words)
        )
        if viewer in outcome["winners"]:
            title, text = words.own("end.won"), words.reason(outcome)
        else:
            title, text = words.own("end.over" if viewer is None else "end.lost"), words.ending(outcome)
        self.screen.show(note(Text(text), title, "bold green"))


def hash_of(match: Match, *numbers: int) -> int:
    """A seed for a bot, different in each game and session, from which the deal cannot be computed."""
    import hashlib

    digest = hashlib.sha256(f"{match.record()['seed']}:{numbers}".encode()).digest()
    return int.from_bytes(digest[:4], "big")
