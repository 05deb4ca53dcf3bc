"""A language in one folder: found, read key by key, with the share of its texts that is translated."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import tavolino
from tavolino.cli.option_values import choose_language, warn_of_untranslated
from tavolino.cli.words import Words
from tavolino.engine import languages
from tavolino.engine.messages import LANGUAGES, plural_form
from tavolino.engine.texts import SHARED, percent_translated, read_texts
from tavolino.server.games import content

GAME = tavolino.load("mantis")


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder `de` with some of the texts."""
    folder = tmp_path / "de"
    (folder / "rules").mkdir(parents=True)
    write(folder / "engine.json", {"list.and": "und"})
    write(folder / "mantis.json", {"action.score": "Punkten", "event.another-turn.you": "Du bist noch einmal dran."})
    write(folder / "page.json", {"home.play": "Jetzt spielen"})
    write(folder / "page-mantis.json", {"short.score": "Punkten"})
    (folder / "rules" / "mantis.md").write_text("# Mantis\n\n## Ende\n\n- **MA-30** Wer zehn Karten hat, gewinnt.\n")
    monkeypatch.setenv(languages.VARIABLE, str(tmp_path))
    forget()
    yield folder
    monkeypatch.undo()
    forget()


def write(path: Path, texts: dict[str, str]) -> None:
    path.write_text(json.dumps(texts), "utf-8")


def forget() -> None:
    for cached in (languages.language_folders, read_texts, content.rules_page, content.server_texts):
        cached.cache_clear()


def test_a_folder_is_a_language(german: Path) -> None:
    assert languages.languages() == (*LANGUAGES, "de")
    assert choose_language("de") == "de"
    assert choose_language(None, {"LANG": "de_DE.UTF-8"}) == "de"


def test_without_the_folder_there_is_no_such_language() -> None:
    assert languages.languages() == LANGUAGES
    with pytest.raises(ValueError, match=r"There is no language 'de'\. Languages: en, it, pl"):
        read_texts(GAME.folder, "de")


def test_what_is_missing_is_said_in_english(german: Path) -> None:
    words = Words(GAME, "de", [0], 0)
    assert words.label("score") == "Punkten"
    assert words.label("steal 1") == "Try to steal from Olive"
    assert words.tell({"kind": "another-turn", "seat": 0}) == "Du bist noch einmal dran."
    assert (
        words.tell({"kind": "back", "colours": ["red", "blue"], "size": 7})
        == "Next card’s back: red und blue. 7 cards left in the draw pile."
    )


def test_it_says_how_far_it_is(german: Path, capsys: pytest.CaptureFixture[str]) -> None:
    total = len(read_texts(GAME.folder, "en")) + len(read_texts(SHARED, "en"))
    assert percent_translated((SHARED, GAME.folder), "de") == 100 * 3 // total
    assert all(percent_translated((SHARED, GAME.folder), language) == 100 for language in LANGUAGES)
    warn_of_untranslated("de", GAME)
    assert "of the texts are translated (de); the others are in English." in capsys.readouterr().err
    warn_of_untranslated("it", GAME)
    assert capsys.readouterr().err == ""


def test_the_server_sends_it_with_the_pages_texts_and_lists_it(german: Path) -> None:
    sent = content.texts([GAME], "de")
    assert sent["home.play"] == "Jetzt spielen"
    assert sent["mantis.short.score"] == "Punkten"
    assert sent["mantis.name"] == "Mantis"
    assert "home.play" not in content.texts([GAME], "it")
    states = {state.code: state.percent for state in content.language_states([GAME])}
    assert list(states) == [*LANGUAGES, "de"]
    assert states["en"] == states["it"] == states["pl"] == 100
    assert states["de"] < 5


def test_its_rules_are_its_own_or_english(german: Path) -> None:
    assert content.rules_page(GAME, "de").sections[0].title == "Ende"
    other = content.rules_page(tavolino.load("splendor-marvel"), "de")
    assert (other.language, other.sections[0].title) == ("en", "Components and setup")


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", "other one other other other other other"),
        ("pl", "many one few many many few many"),
        ("cs", "other one few other other other other"),
        ("ru", "many one few many one few many"),
        ("hr", "other one few other one few other"),
        ("fr", "one one other other other other other"),
        ("ja", "other other other other other other other"),
    ],
)
def test_plural_forms_follow_cldr(language: str, forms: str) -> None:
    assert [plural_form(language, n) for n in (0, 1, 2, 5, 21, 22, 112)] == forms.split()
