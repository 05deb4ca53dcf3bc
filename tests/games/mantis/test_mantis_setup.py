"""Mantis: the parts and the deal (MA-01 to MA-06, MA-25)."""

from collections import Counter
from itertools import combinations

import pytest

import tavolino
from tavolino.games.mantis.facts import BACKS, CARDS, COLOURS, FOLDER, ICON, ICONS
from tests.games.mantis.conftest import Arrange

pytestmark = pytest.mark.plain
MANTIS = tavolino.load("mantis")


@pytest.mark.rule("MA-01")
def test_two_to_six_play_with_fifteen_cards_of_each_of_seven_colours() -> None:
    assert MANTIS.players == range(2, 7)
    assert Counter(card.split(":")[0] for card in CARDS) == dict.fromkeys(COLOURS, 15)
    assert len(set(CARDS)) == 105


@pytest.mark.rule("MA-02")
def test_the_front_is_one_of_the_three_colours_on_the_back() -> None:
    for card, back in zip(CARDS, BACKS, strict=True):
        front, _, others = card.partition(":")
        assert len(set(back)) == 3
        assert sorted(back) == list(back)
        assert {COLOURS[colour] for colour in back} == {front, *others.split("+")}


@pytest.mark.rule("MA-02")
def test_each_triple_of_colours_is_on_three_cards_once_with_each_of_its_colours_in_front() -> None:
    fronts: dict[tuple[int, ...], list[int]] = {}
    for card, back in zip(CARDS, BACKS, strict=True):
        fronts.setdefault(tuple(back), []).append(COLOURS.index(card.split(":")[0]))
    assert set(fronts) == set(combinations(range(7), 3))
    assert all(sorted(colours) == list(back) for back, colours in fronts.items())


@pytest.mark.rule("MA-03")
def test_each_player_is_dealt_four_cards_seat_by_seat(arrange: Arrange) -> None:
    match = arrange(["red red blue pink", "green yellow orange purple", "pink pink pink pink"])
    tanks = [{colour: n for colour, n in seat["tank"].items() if n} for seat in match.view(None)["seats"]]
    assert tanks == [
        {"red": 2, "blue": 1, "pink": 1},
        {"orange": 1, "yellow": 1, "green": 1, "purple": 1},
        {"pink": 4},
    ]
    dealt = [event for event in match.view(2)["log"] if event["kind"] == "dealt"]
    assert [event["seat"] for event in dealt] == [0, 1, 2]
    assert [card.split(":")[0] for card in dealt[0]["cards"]] == ["red", "red", "blue", "pink"]
    assert dealt[0]["colours"] == ["red", "red", "blue", "pink"]


@pytest.mark.rule("MA-03")
def test_the_deal_shuffles_all_cards_evenly() -> None:
    """525 deals: each card is expected 525 * 16 / 105 = 80 times among the dealt ones of 4 players.

    The chi-square of 105 counts, scaled for drawing without replacement, has mean 104 and standard deviation 14.4;
    the seeds are fixed, and 5 standard deviations are the bound.
    """
    counts: Counter[str] = Counter()
    for seed in range(525):
        for event in MANTIS.start(4, seed).view(None)["log"]:
            if event["kind"] == "dealt":
                counts.update(event["cards"])
    spread = sum((counts[card] - 80) ** 2 / 80 for card in CARDS) / (1 - 16 / 105)
    assert 104 - 5 * 14.4 < spread < 104 + 5 * 14.4


@pytest.mark.rule("MA-04")
def test_all_see_the_back_of_the_top_card_and_only_that(arrange: Arrange) -> None:
    match = arrange(["red red red red"] * 3, ["blue:red+green", "pink:yellow+purple"])
    for viewer in (0, 1, 2, None):
        view = match.view(viewer)
        assert view["draw"] == {"size": 105 - 12, "back": ["red", "green", "blue"]}
        assert "blue:red+green" not in str(view)
        assert "pink:yellow+purple" not in str(view)
    match.play("score")
    assert match.view(1)["draw"] == {"size": 105 - 13, "back": ["yellow", "purple", "pink"]}
    assert match.view(1)["log"][-1] == {"kind": "back", "colours": ["yellow", "purple", "pink"], "size": 92}


@pytest.mark.rule("MA-05")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_first_player_is_an_option_and_turns_go_clockwise(arrange: Arrange, first: int) -> None:
    match = arrange(["red red red red"] * 3, ["blue", "green", "yellow", "orange"], first=first)
    order = []
    for _ in range(4):
        order.append(match.to_act)
        match.play("score")
    assert order == [first, (first + 1) % 3, (first + 2) % 3, first]


@pytest.mark.rule("MA-06")
def test_a_card_that_was_turned_is_known_to_all_and_the_rest_is_counted(arrange: Arrange) -> None:
    match = arrange(["pink pink pink pink"] * 3, ["blue:red+green", "yellow:red+orange"])
    before = match.notebook(None)
    assert before["unseen_colours"] == dict.fromkeys(COLOURS, 15) | {"pink": 3}
    assert before["places"]["draw"]["top"] == ["red:green+blue", "green:red+blue", "blue:red+green"]
    match.play("score")
    for viewer in (0, 1, 2, None):
        notebook = match.notebook(viewer)
        assert "blue:red+green" not in notebook["unseen"]
        assert notebook["unseen_colours"]["blue"] == 14
        assert any(event.get("card") == "blue:red+green" for event in match.view(viewer)["log"])


@pytest.mark.rule("MA-25")
def test_the_file_of_icons_gives_each_colour_one_card_with_each_icon() -> None:
    lines = (FOLDER / "icons.csv").read_text().splitlines()
    assert lines[0] == "card,icon"
    pairs = [line.split(",") for line in lines[1:]]
    assert len(pairs) == 21
    assert sorted((card.split(":")[0], icon) for card, icon in pairs) == sorted(
        (colour, icon) for colour in COLOURS for icon in ICONS if icon
    )
    assert {card: ICONS[ICON[CARDS.index(card)]] for card, _ in pairs} == dict(pairs)
    assert int((ICON > 0).sum()) == 21


@pytest.mark.rule("MA-25")
def test_no_two_cards_with_an_icon_share_a_back_and_each_colour_is_on_nine_of_their_backs() -> None:
    backs = [BACKS[n] for n in range(len(CARDS)) if ICON[n]]
    assert len(set(backs)) == 21
    assert Counter(colour for back in backs for colour in back) == dict.fromkeys(range(7), 9)


@pytest.mark.rule("MA-25")
def test_nobody_sees_an_icon_before_its_card_is_turned(arrange: Arrange) -> None:
    match = arrange(["red red red red"] * 3, ["blue another-turn"])
    for viewer in (0, 1, 2, None):
        view = match.view(viewer)
        assert "another-turn" not in str({key: value for key, value in view.items() if key != "legal"})
    event = match.play("score")[0]
    assert event["icon"] == "another-turn"
