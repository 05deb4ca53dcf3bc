"""`?`: what a card does, and by which rule."""

import unicodedata
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from tavolino.cli.tables import Drawing, Topic
from tavolino.cli.words import Words

MOST_FOUND = 8
HOWTO_KEY = "howto.{}"


def find_topics(asked: str, actions: Sequence[str], drawing: Drawing, words: Words) -> list[Topic]:
    """The topics for what somebody typed after `?`: the number of a choice, an id, or (a part of) a name."""
    topics = drawing.topics(words)
    if asked.isdigit() and 1 <= int(asked) <= len(actions):
        verb, params = words.game.action_params(actions[int(asked) - 1])
        topic = topics.get(drawing.topic_of(verb, params))
        return [topic] if topic else []
    if asked in topics:
        return [topics[asked]]
    wanted = _plain(asked)
    exact = {topic.title: topic for topic in topics.values() if _plain(topic.title) == wanted}
    near = {
        topic.title: topic for name, topic in topics.items() if wanted in _plain(topic.title) or wanted in _plain(name)
    }
    return list((exact or near).values())[:MOST_FOUND]


def _plain(text: str) -> str:
    """Letters without case and accents: nobody should need a special keyboard to look a card up."""
    spread = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l"))
    return "".join(letter for letter in spread if letter.isalnum())


def topic_text(topic: Topic) -> Text:
    return Text.assemble((topic.title, "bold"), "  ", topic.text, "  ", (f"[{topic.rule}]", "dim"))


def manual(words: Words, has_hints: bool) -> RenderableType:
    """How the game is played, and what can be typed."""
    lines = [Text(words.say("tagline"), style="italic"), Text()]
    number = 1
    while words.has(HOWTO_KEY.format(number)):
        lines.append(Text(f"{number}. {words.say(HOWTO_KEY.format(number))}"))
        number += 1
    lines.append(Text())
    for key in ("number", "explain", "log", "notebook", *(("hint",) if has_hints else ()), "leave"):
        lines.append(Text(words.own(f"keys.{key}")))
    return Group(*lines)
