"""Reasons: facts that the seat could know, each with a sentence in every language and a rule that exists."""

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.decision import Candidate, Judgement
from tavolino.coach.puzzle_files import puzzles_of
from tavolino.coach.reasons import MOST, PLAYED_OUT, checked, played_out, reasons
from tavolino.coach.review import review
from tavolino.engine.explanation import Claim, Fact
from tavolino.engine.match import Match
from tavolino.engine.messages import LANGUAGES
from tavolino.engine.records import replay
from tavolino.engine.texts import Speaker, read_texts
from tavolino.games import part_of
from tests.coach.games import LITTLE, played, start_of
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


def claims_of(game: str) -> Mapping[str, Claim]:
    module: Any = part_of(game, "claims")
    claims: Mapping[str, Claim] = module.CLAIMS
    return claims


def explained(match: Match, seat: int, better: str, chosen: str | None = None) -> list[Fact]:
    """The facts of the game before they are checked."""
    module: Any = part_of(match.game.name, "explain")
    facts: list[Fact] = module.explain(match.view(seat), match.notebook(seat), better, chosen)
    return facts


def all_facts(match: Match, chance: random.Random) -> list[Fact]:
    assert match.to_act is not None
    legal = match.legal()
    others = [chance.choice([each for each in legal if each != better]) for better in legal]
    return [fact for pair in zip(legal, others, strict=True) for fact in explained(match, match.to_act, *pair)]


def pairs(game: str, count: int, seed: int) -> list[tuple[Match, int, str, str]]:
    """Positions, each with the seat to act and two of its actions."""
    chance = random.Random(seed)
    found = []
    for match in chance.choices(positions(game, few_or_many(4, 200)), k=count):
        assert match.to_act is not None
        better, chosen = chance.sample(match.legal(), 2)
        found.append((match, match.to_act, better, chosen))
    return found


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
    for match, seat, better, chosen in pairs(game, 40, 2):
        other = match.resample(seat, chance.getrandbits(32))
        said = reasons(match, seat, better, chosen)
        assert said == reasons(other, seat, better, chosen)
        assert len(said) <= MOST


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
            for fact in explained(match, seat, better, chosen):
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
                facts = {fact.key: fact.params for fact in explained(match, seat, better, chosen)}
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
                keys = {fact.key for fact in explained(match, match.to_act, action)}
                assert keys <= ({"comes-back"} if action.endswith("-stone") else {"stones"}), action
                seen |= keys
    assert seen == {"comes-back", "stones"}


def test_infinity_gauntlet_tells_a_player_nothing_about_their_own_hand() -> None:
    for match in positions("infinity-gauntlet", 6):
        own = f"choose {match.to_act}"
        if own in match.legal():
            assert match.to_act is not None
            assert "known" not in {fact.key for fact in explained(match, match.to_act, own)}


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
                keys = {fact.key for fact in explained(match, seat, action)}
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


@pytest.mark.parametrize("game", WITH_REASONS)
def test_every_fact_can_be_checked(game: str) -> None:
    """A fact without a claim would never be said, and a claim without a sentence is of no use."""
    written = {key.removeprefix("reason.") for key in read_texts(tavolino.load(game).folder, "en") if "reason." in key}
    assert {*claims_of(game)} == written


@pytest.mark.parametrize("game", WITH_REASONS)
def test_a_fact_that_speaks_for_an_action_does_not_speak_for_the_other_one(game: str) -> None:
    """A planted irrelevant fact: the same one, told as a reason for the action that it spoke against."""
    seen = 0
    for match, seat, better, chosen in pairs(game, few_or_many(150, 2_000), 3):
        claims = claims_of(game)
        for fact in reasons(match, seat, better, chosen):
            seen += 1
            assert list(checked(match, seat, better, chosen, [fact])) == [fact]
            if not claims[fact.key].is_of_chosen:
                assert list(checked(match, seat, chosen, better, [fact])) == []
    assert seen > 20


@pytest.mark.parametrize("game", WITH_REASONS)
def test_what_is_said_of_a_puzzle_is_true_in_other_worlds_too(game: str) -> None:
    for puzzle in puzzles_of(tavolino.load(game)).values():
        match = replay(puzzle.record, tavolino.load)
        worlds = [match.resample(puzzle.seat, f"other {number}") for number in range(64)]
        for fact in reasons(match, puzzle.seat, puzzle.best, puzzle.usual):
            claim = claims_of(game)[fact.key]
            about = puzzle.usual if claim.is_of_chosen else puzzle.best
            assert claim.is_true(worlds, puzzle.seat, about, fact), (puzzle.id, fact)


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH_REASONS)
def test_what_a_review_says_is_true_in_other_worlds_too_and_speaks_for_the_better_action(game: str) -> None:
    """Of every decision of the reviewed games: one of each title, 200 in `make test-long`."""
    said = relevant = 0
    for number in range(few_or_many(1, 200)):
        players = tavolino.load(game).players[number % 3]
        whole, seat = played(game, players, f"reviewed reasons {number}"), number % players
        actions, match = whole.record()["actions"], start_of(whole)
        judged = {each.turn: each for each in review(match.clone(), actions, seat, LITTLE).decisions}
        for turn, action in enumerate(actions, start=1):
            for fact in judged[turn].reasons if turn in judged else ():
                found = judged[turn].judgement
                if fact.key == PLAYED_OUT:
                    assert fact.params["wins"] > fact.params["other"], (number, turn)
                    continue
                claim = claims_of(game)[fact.key]
                about = found.chosen if claim.is_of_chosen else found.best
                worlds = [match.resample(seat, f"other {world}") for world in range(64)]
                assert claim.is_true(worlds, seat, about, fact), (number, turn, fact)
                said += 1
                chosen = None if found.best == found.chosen else found.chosen
                runner_up = next((each.action for each in found.candidates if each.action != found.best), None)
                relevant += fact in checked(match, seat, found.best, chosen, [fact], runner_up, "other")
            match.advance(action)
    assert said > 0
    assert relevant >= 0.9 * said, "two actions that are nearly equal may change places in other worlds"


def test_points_are_said_with_the_tile_and_the_location_that_a_card_brings() -> None:
    """By playing: what the seat has after its turn. The tile and a location were left out of the sum."""
    more = 0
    for match in positions("splendor-marvel", 8):
        seat = match.to_act
        assert seat is not None
        cards = match.game.parts["cards"]
        for better in (action for action in match.legal() if action.startswith("recruit ")):
            for fact in explained(match, seat, better):
                if fact.key == "points" and fact.params["points"] > cards[fact.params["card"]]["points"]:
                    played = match.clone()
                    played.advance(better)
                    while played.to_act == seat:
                        played.advance("pay" if "pay" in played.legal() else played.legal()[0])
                    assert played.view(seat)["seats"][seat]["points"] == fact.params["total"]
                    more += 1
    assert more


PLANTED = [
    ("splendor-marvel", "reserve", Fact("points", {"card": "quake", "points": 1, "total": 99, "goal": 16})),
    ("splendor-marvel", "reserve", Fact("denies", {"card": "loki", "points": 4, "seats": [1]})),
    ("splendor-marvel", "take", Fact("in-reach", {"card": "loki", "points": 4})),
    ("splendor-marvel", "take", Fact("green", {"card": "loki"})),
    ("mantis", "score", Fact("all-own", {"hits": 3, "total": 3, "target": 0, "colours": ["red"]})),
    ("mantis", "score", Fact("wins", {"goal": 10})),
    ("mantis", "steal", Fact("threat", {"target": 1, "colour": "red", "score": 9})),
    ("infinity-gauntlet", "play", Fact("sure-guess", {"number": 9, "whose": "thanos"})),
    ("infinity-gauntlet", "play", Fact("stones", {"count": 6, "of": 6})),
    ("infinity-gauntlet", "play", Fact("last-life-heroes")),
    ("infinity-gauntlet", "play", Fact("invented")),
]


@pytest.mark.parametrize(("game", "verb", "planted"), PLANTED, ids=lambda given: getattr(given, "key", None))
def test_a_planted_false_fact_is_not_said(game: str, verb: str, planted: Fact) -> None:
    match = tavolino.load(game).start(tavolino.load(game).players[0], "planted")
    seat = match.to_act
    assert seat is not None
    better = next(action for action in match.legal() if action.startswith(verb))
    assert list(checked(match, seat, better, None, [planted])) == []


def test_no_fight_is_explained_by_a_fact_that_speaks_against_it() -> None:
    """Odds of a fight that is mostly lost are no reason to fight, and the other way round."""
    seen = 0
    for match in positions("infinity-gauntlet", 8):
        seat = match.to_act
        assert seat is not None
        for better in (each for each in match.legal() if each.split(" ")[0] in ("fight", "fight-with", "decline")):
            for fact in explained(match, seat, better):
                if fact.key in ("hero-fight", "thanos-fight", "only-fight"):
                    seen += 1
                    wins, losses = fact.params["wins"], fact.params["losses"]
                    assert wins <= losses if better == "decline" else wins > losses
    assert seen


@pytest.mark.parametrize(
    ("better", "other", "told"),
    [(0.61, 0.34, (6, 3, 10)), (0.62, 0.58, (62, 58, 100)), (0.57, 0.61, (57, 61, 100)), (0.64, 0.56, (13, 11, 20))],
)
def test_odds_are_told_with_the_smallest_numbers_that_differ(
    better: float, other: float, told: tuple[int, int, int]
) -> None:
    fact = played_out(better, other)
    params = fact.params
    for name in tavolino.games():  # also for a game that explains nothing else
        for language in LANGUAGES:
            assert str(told[0]) in Speaker(tavolino.load(name), language).say(f"reason.{fact.key}", params)
    assert (params["wins"], params["other"], params["of"]) == told


def test_a_loss_without_a_fact_is_explained_by_how_often_the_actions_win(monkeypatch: pytest.MonkeyPatch) -> None:
    import tavolino.coach.review as module

    match = tavolino.load("mantis").start(2, "odds")
    best, chosen = match.legal()[:2]
    worths = (Candidate(best, 0.6, 0.01, 100, False), Candidate(chosen, 0.3, 0.01, 100, False))
    lost = Judgement(chosen, best, chosen, worths, 0.3, 0.01, 0.0, 0.0, 0.3, 0.01, 0.1, "blunder")
    monkeypatch.setattr(module, "reasons", lambda *_: ())
    assert [fact.params for fact in module.reasons_for(match, 0, lost)] == [{"wins": 6, "other": 3, "of": 10}]
    close = replace(lost, cost=0.0, label="close")
    assert module.reasons_for(match, 0, close) == (), "nothing is said for an action that is not better"


def test_a_fact_marks_what_it_speaks_of() -> None:
    params = {"card": "loki", "cheaper": ["thor"], "seats": [0, 2], "colour": "red", "points": 3, "cards": 1}
    assert Fact("bonus", params).about == {"cards": ["loki", "thor"], "seats": [0, 2], "colours": ["red"]}
    assert Fact("threat", {"target": 0}).about == {"seats": [0]}
    assert Fact("tokens", {"count": 1}).about == {}
