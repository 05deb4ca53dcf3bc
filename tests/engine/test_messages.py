"""Messages: parameters, plurals and words in three languages."""

import pytest

from tavolino.engine.messages import fill, parameters, parse, plural_form

pytestmark = pytest.mark.plain

WORDS = {
    "card.thor": "Thor",
    "card.hulk": "Hulk",
    "card.nebula": "Nebula",
    "seat.2": "Ada",
    "list.and": "and",
}
CARDS = "{n, plural, one {# karta} few {# karty} many {# kart} other {# karty}}"


def say(message: str, language: str = "en", **params: object) -> str:
    return fill(message, params, language, WORDS.get)


@pytest.mark.parametrize(
    ("n", "form"),
    [
        (0, "many"),
        (1, "one"),
        (2, "few"),
        (4, "few"),
        (5, "many"),
        (12, "many"),
        (21, "many"),
        (22, "few"),
        (112, "many"),
    ],
)
def test_polish_plurals(n: int, form: str) -> None:
    assert plural_form("pl", n) == form


@pytest.mark.parametrize(
    ("n", "text"), [(1, "1 karta"), (3, "3 karty"), (5, "5 kart"), (14, "14 kart"), (24, "24 karty")]
)
def test_a_plural_puts_the_number_in_place_of_the_hash(n: int, text: str) -> None:
    assert say(CARDS, "pl", n=n) == text


def test_a_plural_of_a_list_counts_it_and_a_fixed_number_comes_first() -> None:
    message = "{cards, plural, =0 {nothing} one {one card} other {# cards}}"
    assert [say(message, cards=["a"] * n) for n in (0, 1, 3)] == ["nothing", "one card", "3 cards"]


def test_words_of_the_catalogue_and_names_of_seats() -> None:
    assert say("{seat, seat} plays {card, card}.", seat=2, card="thor") == "Ada plays Thor."


def test_the_word_between_the_last_two_can_depend_on_the_letter_after_it() -> None:
    words = {"list.and": "e", "list.and.e": "ed"}
    assert fill("{names}", {"names": ["Ada", "Enrico"]}, "it", words.get) == "Ada ed Enrico"
    assert fill("{names}", {"names": ["Ada", "Bruno"]}, "it", words.get) == "Ada e Bruno"


def test_a_name_that_ends_with_a_full_stop_ends_the_sentence() -> None:
    assert say("You play {card}.", card="A.I.M.") == "You play A.I.M."
    assert say("You play {card}{n, plural, =0 {} other { #}}.", card="A.I.M.", n=0) == "You play A.I.M."
    assert say("{card} is a card.", card="A.I.M.") == "A.I.M. is a card."


def test_lists_read_as_lists() -> None:
    assert say("{cards, card}", cards=["thor"]) == "Thor"
    assert say("{cards, card}", cards=["thor", "hulk", "nebula"]) == "Thor, Hulk and Nebula"


def test_a_select_may_hold_words_and_a_missing_branch_is_other() -> None:
    message = "{card, select, None {nothing} other {the card {card, card}}}"
    assert say(message, card=None) == "nothing"
    assert say(message, card="hulk") == "the card Hulk"
    assert say("{yes, select, true {a} other {b}}", yes=True) == "a"


def test_parameters_are_found_inside_branches() -> None:
    assert parameters("{x, select, a {{n, plural, one {#} other {{card, card}}}} other {}}") == {
        "x:select",
        "n:plural",
        "card:card",
    }


@pytest.mark.parametrize("message", ["{", "a}", "{n, plural, one {x}", "{n, plural, {x}}"])
def test_wrong_braces_are_an_error(message: str) -> None:
    with pytest.raises(ValueError, match="message"):
        parse(message)


def test_an_empty_branch_says_nothing() -> None:
    assert fill("A card.{n, plural, =0 {} one { # point.} other { # points.}}", {"n": 0}, "en", lambda key: None) == (
        "A card."
    )


def test_a_choice_within_a_plural_knows_the_count() -> None:
    message = "{n, plural, one {one} other {{kind, select, card {# cards} other {# things}}}}"
    assert fill(message, {"n": 3, "kind": "card"}, "en", lambda key: None) == "3 cards"
