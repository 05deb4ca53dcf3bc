"""The catalogues: every text in every language, none missing, none unused, every sentence complete."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.cli.words import FOLDER as TERMINAL
from tavolino.cli.words import Words
from tavolino.engine.messages import LANGUAGES, Argument, Part, parameters, parse
from tavolino.engine.testing import random_game, viewers
from tavolino.engine.texts import SHARED, Speaker
from tavolino.server.games.ahead import ahead_of
from tavolino.server.games.content import SERVER

SOURCE = SHARED.parent
FOLDERS = {"engine": SHARED, "terminal": TERMINAL, "server": SERVER, "verify": SERVER / "verify"}
FOLDERS |= {name: SOURCE / "games" / name.replace("-", "_") for name in tavolino.games()}
FOLDERS |= {path.parent.name: path.parent for path in sorted((SERVER / "features").glob("*/texts"))}
FORMS = {"en": {"one", "other"}, "it": {"one", "other"}, "pl": {"one", "few", "many", "other"}}
# The question says what comes of a choice: of a seat to choose; the price and the points of a card are printed on it.
NAMED_BY_THE_QUESTION = {"choose", "recruit"}
GAMES_PLAYED = 3  # random games at each number of players, each in every language for every viewer


def texts(folder: Path, language: str) -> dict[str, str]:
    """Straight from the file, so that a key written twice is found."""

    def unique(pairs: list[tuple[str, str]]) -> dict[str, str]:
        assert len({key for key, _ in pairs}) == len(pairs), "a key is written twice"
        return dict(pairs)

    written = (folder / "texts" / f"{language}.json").read_text("utf-8")
    found: dict[str, str] = json.loads(written, object_pairs_hook=unique)
    return found


def arguments(parts: tuple[Part, ...]) -> Iterator[Argument]:
    for part in parts:
        if isinstance(part, Argument):
            yield part
            for branch in part.branches.values():
                yield from arguments(branch)


every_folder = pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)


@every_folder
def test_all_languages_have_the_same_keys(folder: Path) -> None:
    english = set(texts(folder, "en"))
    assert english
    for language in LANGUAGES:
        assert set(texts(folder, language)) ^ english == set()


@every_folder
def test_all_languages_name_the_same_parameters(folder: Path) -> None:
    def names(message: str) -> set[str]:
        return {parameter.partition(":")[0] for parameter in parameters(message)}

    for key, message in texts(folder, "en").items():
        for language in LANGUAGES:
            assert names(texts(folder, language)[key]) == names(message), (language, key)


@every_folder
@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_are_well_formed(folder: Path, language: str) -> None:
    for key, message in texts(folder, language).items():
        assert message.strip() == message, key
        assert message, key
        assert not set("\"'") & set(message), f"{key}: straight quotes"
        for argument in arguments(parse(message)):
            assert re.fullmatch(r"[a-z_]+", argument.name), key
            if argument.form == "plural":
                exact = {label for label in argument.branches if label.startswith("=")}
                # Where only some exact numbers are special and no number is said, the rest need no forms.
                forms = FORMS[language] if not exact or "#" in message else {"other"}
                assert set(argument.branches) - exact >= forms, key
            elif argument.form == "select":
                assert "other" in argument.branches, key
            else:
                assert not argument.branches, key


# -- what a game needs


@cache
def played(name: str) -> dict[str, Any]:
    """What happens in random games of all kinds: events for each viewer, questions, actions."""
    game = tavolino.load(name)
    events: list[tuple[int | None, dict[str, Any]]] = []
    prompts: dict[str, dict[str, Any]] = {}
    actions: set[str] = set()
    for players in game.players:
        for seed in range(GAMES_PLAYED):
            for match in random_game(game, players, seed):
                actions.update(match.legal())
                prompts.update(_prompt(match))
            events += [(viewer, event) for viewer in viewers(match) for event in match.view(viewer)["log"]]
    return {"events": events, "prompts": prompts, "actions": actions}


def _prompt(match: tavolino.Match) -> dict[str, dict[str, Any]]:
    prompt = match.view(None)["prompt"]
    return {prompt["key"]: prompt} if prompt else {}


def in_sources(folder: Path) -> set[str]:
    """Every text constant in the Python files of a folder."""
    trees = [ast.parse(path.read_text("utf-8")) for path in folder.rglob("*.py")]
    return {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def needed(game: tavolino.Game) -> set[str]:
    """The keys that the game's own facts call for."""
    cards = {card for name, deck in game.decks.items() if name != "locations" for card in deck.cards}
    keys = {"name", "tagline", "howto.1", *(f"card.{card}" for card in cards)}
    if "locations" in game.decks:
        keys |= {f"location.{location}" for location in game.decks["locations"].cards}
    for name in game.options:
        keys |= {f"option.{name}", f"option.{name}.help"}
    keys |= {f"outcome.{reason}" for reason in game.reasons if reason}
    keys |= {f"action.{game.action_params(action)[0]}" for action in played(game.name)["actions"]}
    for key in played(game.name)["prompts"]:
        keys |= {f"prompt.{key}", f"prompt.{key}.other"}
    return keys


def test_a_game_has_a_text_for_all_its_parts(game: tavolino.Game) -> None:
    assert sorted(needed(game) - set(texts(game.folder, "en"))) == []


def test_what_can_come_of_every_action_is_said(game: tavolino.Game) -> None:
    """By a text about the action, or about the card that it names."""
    there = texts(game.folder, "en")
    for action in played(game.name)["actions"]:
        verb, params = game.action_params(action)
        about = params.get("card") or params.get("target")
        assert f"explain.{verb}" in there or f"effect.{about}" in there or verb in NAMED_BY_THE_QUESTION, action


def test_every_kind_of_event_has_a_sentence(game: tavolino.Game) -> None:
    there = texts(game.folder, "en")
    for kind in game.event_kinds:
        fitting = [key for key in there if re.fullmatch(rf"event\.{kind.name}(\.[a-z-]+)*", key)]
        assert fitting, kind.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_happens_can_be_said(game: tavolino.Game, language: str) -> None:
    names = [f"Name{seat}" for seat in range(6)]
    speakers = {viewer: Speaker(game, language, names, viewer) for viewer in (*range(6), None)}
    for viewer, event in played(game.name)["events"]:
        _check_sentence(speakers[viewer].tell(event), event)
    for key, prompt in played(game.name)["prompts"].items():
        _check_sentence(speakers[prompt["seat"]].say(f"prompt.{key}", prompt), prompt)
        _check_sentence(speakers[None].say(f"prompt.{key}.other", prompt), prompt)
    for action in played(game.name)["actions"]:
        _check_sentence(Words(game, language, [0], 0).label(action), action)


def _check_sentence(sentence: str, about: Any) -> None:
    assert sentence.strip() == sentence, about
    assert sentence, about
    assert not re.search(r"[{}#]|\bNone\b|\bnull\b|  ", sentence), (sentence, about)


# -- nothing unused


def tutorial_texts(game: tavolino.Game) -> set[str]:
    """The texts that a tutorial names, in all of its parts."""
    return set(re.findall(r'"(?:text|after|end)": "([^"]+)"', (game.folder / "tutorial.json").read_text("utf-8")))


def test_every_text_of_a_tutorial_exists(game: tavolino.Game) -> None:
    assert tutorial_texts(game)
    assert sorted(tutorial_texts(game) - set(texts(game.folder, "en"))) == []


def used_by_a_game(game: tavolino.Game, key: str, constants: set[str]) -> bool:
    family, _, rest = key.partition(".")
    if family == "event":
        kinds = {kind.name for kind in game.event_kinds}
        return any(rest == kind or rest.startswith(f"{kind}.") for kind in kinds)
    if family == "action":
        verb = rest.removesuffix(".self")
        return verb in constants or any(text.split(" ")[0] == verb for text in constants)
    if family in ("prompt", "refusal"):
        # Keys put together in an f-string, such as f"{verb}-from-yourself", end in a constant.
        stem = rest.removesuffix(".other").removesuffix(".me")
        return stem in constants or any(stem.endswith(text) for text in constants if text.startswith("-"))
    if family == "tutorial":
        return key in tutorial_texts(game)
    if family in ("remark", "reason"):
        return rest in constants
    if family == "howto":
        return rest.isdigit()
    if family == "order":
        return rest in ahead_of(game).orders
    if family == "explain":  # beside the button that confirms, and after `?` in the terminal
        return f"action.{rest}" in texts(game.folder, "en")
    if family == "goal":  # how the page introduces a game, by the viewer's side
        return not rest or f"role.{rest}" in texts(game.folder, "en")
    if family == "terminal":
        return any(pattern.fullmatch(key) for pattern in key_patterns(game.folder))
    return key.removesuffix(".you") in needed(game) or is_a_word(game, family) or family == "effect"


def is_a_word(game: tavolino.Game, family: str) -> bool:
    """`{x, colour}` in a message, or the key in the code that draws the game's table."""
    messages = texts(game.folder, "en").values()
    if any(argument.form == family for message in messages for argument in arguments(parse(message))):
        return True
    drawing = (game.folder / "terminal.py").read_text("utf-8")
    return f"'{family}." in drawing or f'"{family}.' in drawing


def test_no_text_of_a_game_is_unused(game: tavolino.Game) -> None:
    constants = in_sources(game.folder) | set(game.steps)
    unused = [key for key in texts(game.folder, "en") if not used_by_a_game(game, key, constants)]
    assert unused == []


def key_patterns(folder: Path) -> list[re.Pattern[str]]:
    """Every text in the sources that can be a key; what an f-string fills in may be anything but empty."""
    patterns = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                patterns.add(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                parts = (re.escape(str(v.value)) if isinstance(v, ast.Constant) else ".+" for v in node.values)
                patterns.add("".join(parts))
    return [re.compile(pattern) for pattern in patterns if "." in pattern or "-" in pattern or pattern.isalpha()]


@pytest.mark.parametrize("folder", [SHARED, TERMINAL], ids=["engine", "terminal"])
def test_no_text_of_the_engine_or_the_terminal_is_unused(folder: Path) -> None:
    patterns = key_patterns(folder)
    prefixed = [re.compile(re.escape("refusal.") + pattern.pattern) for pattern in patterns]
    prefixed += [re.compile(re.escape("reason.") + pattern.pattern) for pattern in key_patterns(SOURCE / "coach")]
    known = patterns + prefixed + key_patterns(SOURCE / "games") + key_patterns(SHARED)
    unused = [key for key in texts(folder, "en") if not any(pattern.fullmatch(key) for pattern in known)]
    assert unused == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_explained_in_every_language(game: tavolino.Game, language: str) -> None:
    from tavolino.cli.drawings import drawing_of

    words = Words(game, language, [0], 0)
    drawing = drawing_of(game.name)
    topics = drawing.topics(words)
    rules = (SOURCE.parent.parent / "docs" / "rules" / f"{game.name}.md").read_text("utf-8")
    for name, topic in topics.items():
        assert topic.title, name
        _check_sentence(topic.text, name)
        assert all(f"**{rule}" in rules for rule in (topic.rule, *topic.more_rules)), name
    for action in played(game.name)["actions"]:
        verb, params = game.action_params(action)
        if "card" in params:
            assert drawing.topic_of(verb, params) in topics, action
