"""What clients read about the games: their descriptions, their rules with ids, and all texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from tavolino.engine.game import Game
from tavolino.engine.languages import SOURCE_LANGUAGE, languages, read_part
from tavolino.engine.messages import LANGUAGES
from tavolino.engine.net_files import version_in
from tavolino.engine.rules_pages import NoRules, read_rules, rules_path
from tavolino.engine.texts import SHARED, catalogue, read_texts
from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.games.ahead import ahead_of
from tavolino.server.games.bot_runner import LEVELS

TUTORIAL = "tutorial.json"  # in a game's folder
SERVER = Path(__file__).parents[1]  # contains the server's own texts/


def describe(game: Game, readiness: p.Readiness) -> p.Game:
    meta = game.meta
    options = [
        p.Option(
            name=name,
            kind="bool" if option.kind == "switch" else "int",
            default=option.default,
            low=None if option.kind == "switch" else option.lowest,
            high=None if option.kind == "switch" else option.highest,
        )
        for name, option in meta.options.items()
        if name != meta.seat_option
    ]
    return p.Game(
        game=meta.name,
        players=list(meta.players),
        rules=meta.rules,
        options=options,
        seat_option=meta.seat_option,
        levels=list(LEVELS),  # type: ignore[arg-type]
        net=version_in(game.folder) is not None,
        talk=meta.talk,
        tutorial=(game.folder / TUTORIAL).is_file(),
        usual_seats=meta.usual_seats,
        simple_options=dict(meta.simple_options),
        minutes=list(meta.minutes),
        rule_prefix=meta.rule_prefix,
        orders=list(ahead_of(game).orders),
        plans=bool(ahead_of(game).turn_steps),
        readiness=readiness,
    )


def has_rules(game: Game) -> bool:
    return rules_path(game, SOURCE_LANGUAGE).is_file()


@cache
def rules_page(game: Game, language: p.Language) -> p.RulesPage:
    _check_language(language)
    try:
        spoken, sections = read_rules(game, language)
    except NoRules:
        raise Refused("no-rules") from None
    pages = [
        p.RulesSection(section.title, [p.Rule(rule.id, rule.text, rule.is_ruling) for rule in section.rules])
        for section in sections
    ]
    return p.RulesPage(game.name, spoken, pages)


@cache
def server_texts(language: str, features: tuple[Path, ...]) -> Mapping[str, str]:
    """The messages of the server and of features, given by their folders. A language with a folder of its own has all
    of them in one file."""
    merged: dict[str, str] = {}
    for folder in (SERVER, *features):
        merged |= read_texts(folder, language)
    return {**merged, **read_part(language, SERVER.name)}


def texts(games: Sequence[Game], language: str, features: tuple[Path, ...] = ()) -> dict[str, str]:
    """Every message in one language: the games', and the server's own with those of its features (`server.…`)."""
    _check_language(language)
    merged = catalogue(games, language)
    merged |= {f"server.{key}": message for key, message in server_texts(language, features).items()}
    # A language with a folder of its own includes the page's texts; the page has those of the others built in.
    merged |= read_part(language, "page")
    for game in games:
        drawing = read_part(language, f"page-{game.name}")
        merged |= {f"{game.name}.{key}": message for key, message in drawing.items()}
    return merged


def language_states(games: Sequence[Game], features: tuple[Path, ...] = ()) -> list[p.LanguageState]:
    """All languages, and how complete each of them is."""
    folders = (SHARED, *(game.folder for game in games))
    wanted = [(read_texts(folder, SOURCE_LANGUAGE), folder.name.replace("_", "-")) for folder in folders]
    wanted.append((server_texts(SOURCE_LANGUAGE, features), SERVER.name))
    total = sum(len(texts) for texts, _ in wanted)

    def percent(language: str) -> int:
        if language in LANGUAGES:  # with a file in every folder, which tests compare
            return 100
        return 100 * sum(len(texts.keys() & read_part(language, part).keys()) for texts, part in wanted) // total

    return [p.LanguageState(code, percent(code)) for code in languages()]


def _check_language(language: str) -> None:
    if language not in languages():
        raise Refused("no-such-language")
