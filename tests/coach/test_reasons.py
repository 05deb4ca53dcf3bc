"""Reasons: facts that the seat could know, each with a sentence in every language and a rule that exists."""

import random
import re
from pathlib import Path

import pytest

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.reasons import MOST, reasons
from tavolino.engine.explanation import Fact
from tavolino.engine.match import Match
from tavolino.engine.messages import LANGUAGES
from tavolino.engine.texts import Speaker, read_texts
from tavolino.games import part_of
from tests.sampling import few_or_many

DOCS = Path(__file__).parents[2] / "docs" / "rules"
WITH_REASONS = [name for name in tavolino.games() if part_of(name, "explain") is not None]


def positions(game: str, games: int) -> list[Match]:
    """Positions of games of easy bots and of random ones, with all numbers of players."""
    found = []
    for number in range(games):
        loaded = tavolino.load(game)
        players = loaded.players[number % len(loaded.players)]
        match = loaded.start(players, f"reasons {number}")
        bots = [make_bot(("easy", "random")[number % 2], game, seat) for seat in range(players)]
        while match.to_act is not None:
            if len(match.legal()) > 1:
                found.append(match.clone())
            match.advance(bots[match.to_act].choose(SeatMatch(match, match.to_act)))
    return found


def all_facts(match: Match, chance: random.Random) -> list[Fact]:
    assert match.to_act is not None
    legal = match.legal()
    others = [chance.choice([each for each in legal if each != better]) for better in legal]
    return [fact for pair in zip(legal, others, strict=True) for fact in reasons(match, match.to_act, *pair)]


@pytest.mark.parametrize("game", WITH_REASONS)
def test_every_fact_can_be_said_and_names_a_rule(game: str) -> None:
    loaded, chance = tavolino.load(game), random.Random(1)
    rules = (DOCS / f"{game}.md").read_text("utf-8")
    speakers = [Speaker(loaded, language) for language in LANGUAGES]
    seen = set()
    for match in positions(game, few_or_many(5, 12)):
        for fact in all_facts(match, chance):
            seen.add(f"reason.{fact.key}")
            assert fact.rule is None or f"**{fact.rule}**" in rules
            for speaker in speakers:
                sentence = speaker.say(f"reason.{fact.key}", fact.params)
                assert sentence
                assert not re.search(r"\bNone\b(?! of\b)", sentence), "a parameter that has no value"
                assert "{" not in sentence
    written = {key for key in read_texts(loaded.folder, "en") if key.startswith("reason.")}
    assert len(seen) >= len(written) * 2 // 3, sorted(written - seen)


@pytest.mark.parametrize("game", WITH_REASONS)
def test_facts_are_the_same_in_worlds_that_the_seat_cannot_tell_apart(game: str) -> None:
    chance = random.Random(2)
    for match in chance.sample(positions(game, 4), 25):
        seat = match.to_act
        assert seat is not None
        other = match.resample(seat, chance.getrandbits(32))
        for better in match.legal():
            chosen = chance.choice(match.legal())
            assert reasons(match, seat, better, chosen) == reasons(other, seat, better, chosen)
            assert len(reasons(match, seat, better, chosen)) <= MOST


def test_mantis_counts_all_the_possible_cards_that_match() -> None:
    """Of the better action all of them, of the chosen one if they are fewer; each of the sentences is seen."""
    seen = set()
    for match in positions("mantis", 10):
        seat = match.to_act
        assert seat is not None
        view, top = match.view(seat), match.notebook(seat)["places"]["draw"]["top"]
        can_be = [card.partition(":")[0] for card in top]
        pairs = [(better, chosen) for better in match.legal() for chosen in match.legal() if better != chosen]
        for better, chosen in pairs:
            for fact in reasons(match, seat, better, chosen):
                seen.add(fact.key)
                kind, _, whose = fact.key.partition("-")
                if whose in ("own", "other"):
                    tank = view["seats"][fact.params["target"]]["tank"]
                    assert (fact.params["target"] == seat) == (whose == "own")
                    hits = sum(tank[colour] > 0 for colour in can_be)
                    assert fact.params.get("hits", 0) == hits
                    assert (kind in ("all", "sure")) == (hits == len(can_be))
                    named = fact.params.get("colours") or [fact.params.get("colour")]
                    if kind in ("all", "matches", "sure", "match"):
                        assert set(named) == {colour for colour in can_be if tank[colour]}
                elif fact.key == "fresh":
                    assert not any(place["tank"][colour] for place in view["seats"] for colour in can_be)
                elif fact.key == "stolen":
                    assert (better, chosen.split(" ")[0]) == ("score", "steal")
    matches = {f"{kind}-{whose}" for kind in ("all", "matches", "sure", "match", "fewer") for whose in ("own", "other")}
    assert matches | {"no-match-own", "no-match-other", "stolen"} <= seen, sorted(matches - seen)


def test_infinity_gauntlet_says_why_a_fight_is_declined_and_which_card_is_better_kept() -> None:
    """No fact speaks against the better action, and what is certain is not counted as one of one."""
    declined: set[str] = set()
    seen: set[str] = set()
    for match in positions("infinity-gauntlet", 10):
        seat = match.to_act
        assert seat is not None
        view, legal = match.view(seat), match.legal()
        is_thanos = seat == view["thanos"]
        for better in legal:
            for chosen in legal:
                facts = {fact.key: fact.params for fact in reasons(match, seat, better, chosen)}
                seen |= facts.keys()
                if is_thanos and better == "decline" and chosen.startswith("choose "):
                    declined |= facts.keys() & {
                        "thanos-fight",
                        "only-fight",
                        "spends-token",
                        "shows-card",
                        "risks-stone",
                    }
                    assert facts
                    fight = facts.get("thanos-fight")
                    assert fight is None or fight["losses"] >= fight["wins"]
                if "kept-instead" in facts:
                    kept = facts.get("keeps") or facts["hero-fight"]
                    assert kept["wins"] > facts["kept-instead"]["wins"]
                for key in ("thanos-fight", "outrider", "low", "high"):
                    assert key not in facts or facts[key]["total"] > 1
                if "stone-back" in facts:
                    places = match.notebook(seat)["places"]["hands"][view["thanos"]]
                    assert any(facts["stone-back"]["card"] in place for place in places)
                    assert facts["stone-back"]["card"] not in view["stones"]
    assert {"thanos-fight", "only-fight", "spends-token", "shows-card"} <= declined
    assert {"keeps", "kept-instead", "stone-back", "sure-outrider"} <= seen


def test_infinity_gauntlet_does_not_praise_stones_where_one_is_put_under_the_deck() -> None:
    seen = set()
    for match in positions("infinity-gauntlet", 12):
        for action in match.legal():
            if action.startswith("bottom "):
                assert match.to_act is not None
                keys = {fact.key for fact in reasons(match, match.to_act, action)}
                assert keys <= ({"comes-back"} if action.endswith("-stone") else {"stones"}), action
                seen |= keys
    assert seen == {"comes-back", "stones"}


def test_infinity_gauntlet_tells_a_player_nothing_about_their_own_hand() -> None:
    for match in positions("infinity-gauntlet", 6):
        own = f"choose {match.to_act}"
        if own in match.legal():
            assert match.to_act is not None
            assert "known" not in {fact.key for fact in reasons(match, match.to_act, own)}


def test_infinity_gauntlet_names_the_last_life_that_a_guess_can_cost() -> None:
    """A guess defeats a card of the other side only."""
    seen = set()
    for number in range(6):
        options = {"hero_life": 1, "thanos_life": 1}
        match = tavolino.load("infinity-gauntlet").start(3, f"last life {number}", options=options)
        bots = [make_bot("random", "infinity-gauntlet", seat) for seat in range(3)]
        while match.to_act is not None:
            seat = match.to_act
            for action in match.legal():
                keys = {fact.key for fact in reasons(match, seat, action)}
                lives = {key for key in keys if key.startswith("last-life")}
                if action.startswith("guess "):
                    assert lives <= {"last-life-heroes" if seat == match.view(seat)["thanos"] else "last-life-thanos"}
                    seen |= lives
            match.advance(bots[seat].choose(SeatMatch(match, seat)))
    assert seen == {"last-life-heroes", "last-life-thanos"}


def test_a_game_without_explanations_is_reviewed_in_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    import tavolino.coach.reasons as module

    monkeypatch.setattr(module, "part_of", lambda game, part: None)
    match = tavolino.load("mantis").start(2, "none")
    assert reasons(match, 0, "score") == ()
