"""Reads what a person types: the number of a choice, or `?` and a card or rule to explain."""

import unicodedata
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from tavolino.cli.words import Words
from tavolino.engine.drawing import Drawing, Topic

MOST_FOUND = 8
MOST_DIGITS = 4
HOWTO_KEY = "howto.{}"
EXPLAIN_KEY = "explain.{}"  # what an action can lead to


def number_of_choice(typed: str, actions: Sequence[str]) -> int | None:
    """The number of a choice that was typed, or None (also for 0, ² and very long input)."""
    if not typed.isascii() or not typed.isdecimal() or len(typed) > MOST_DIGITS:
        return None
    return int(typed) if 1 <= int(typed) <= len(actions) else None


def find_topics(asked: str, actions: Sequence[str], drawing: Drawing, words: Words) -> list[Topic]:
    """The topics for the text after `?`: the number of a choice, an id, or (a part of) a name."""
    topics = drawing.topics(words)
    number = number_of_choice(asked, actions)
    if number is not None:
        verb, params = words.game.action_params(actions[number - 1])
        topic = topics.get(drawing.topic_of(verb, params))
        if topic:
            return [topic]
        key = EXPLAIN_KEY.format(verb)
        return [Topic(words.label(actions[number - 1]), words.say(key, params))] if words.has(key) else []
    if asked in topics:
        return [topics[asked]]
    wanted = _plain(asked)
    exact = {topic.title: topic for topic in topics.values() if _plain(topic.title) == wanted}
    near = {
        topic.title: topic for name, topic in topics.items() if wanted in _plain(topic.title) or wanted in _plain(name)
    }
    return list((exact or near).values())[:MOST_FOUND]


def _plain(text: str) -> str:
    """Without case and accents, so that the names of cards can be typed on every keyboard."""
    spread = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l"))
    return "".join(letter for letter in spread if letter.isalnum())


def topic_text(topic: Topic) -> Text:
    rules = ", ".join(rule for rule in (topic.rule, *topic.more_rules) if rule)
    return Text.assemble((topic.title, "bold"), "  ", topic.text, (f"  [{rules}]" if rules else "", "dim"))


def manual(words: Words) -> RenderableType:
    """How to play the game, and what can be typed."""
    lines = [Text(words.say("tagline"), style="italic"), Text()]
    number = 1
    while words.has(HOWTO_KEY.format(number)):
        lines.append(Text(f"{number}. {words.say(HOWTO_KEY.format(number))}"))
        number += 1
    lines.append(Text())
    for key in ("number", "explain", "log", "notebook", "hint", "take-back", "leave"):
        lines.append(Text(words.own(f"keys.{key}")))
    return Group(*lines)
