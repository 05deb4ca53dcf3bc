"""What playing a card of Infinity Gauntlet brings: the facts behind its effect, as the one who plays it could know.

Cards that are possible at a place are counted by kind, each as often as it is unseen.
"""

from collections.abc import Iterable

from tavolino.engine.explanation import Fact, View
from tavolino.games.infinity_gauntlet.facts import (
    CARDS,
    CORVUS_HIGHEST,
    HERO_NUMBERS,
    MAW_CARDS,
    NUMBER,
    POWER_TOKENS,
    PROXIMA_TOKENS,
    REALITY_CARDS,
    SOUL_LOWEST,
    STONE_COUNT,
    STONES,
)

NUMBER_OF = {card: int(number) for card, number in zip(CARDS, NUMBER.tolist(), strict=True)}
STONE_NAMES = frozenset(card for n, card in enumerate(CARDS) if STONES >> n & 1)
PUT_UNDER = {"ebony-maw": (MAW_CARDS, "IG-70"), "reality-stone": (REALITY_CARDS, "IG-71")}
TOKENS = {"proxima-midnight": PROXIMA_TOKENS, "power-stone": POWER_TOKENS}
GUESS, FIGHT, TOKEN = 1, 3, 4  # numbers of hero cards
SOON = 5  # draws


def odds(key: str, card: str, own: int, theirs: list[int], target: int) -> Fact:
    """How a card does against the cards that somebody can hold."""
    wins, losses = sum(value < own for value in theirs), sum(value > own for value in theirs)
    total = len(theirs)
    how = "win" if wins == total else "lose" if losses == total else "tie" if not wins and not losses else "some"
    told = {"card": card, "value": own, "wins": wins, "losses": losses, "total": total, "target": target, "how": how}
    return Fact("only-fight" if key == "thanos-fight" and total == 1 else key, told, "IG-40")


def speaks_for(fight: Fact) -> bool:
    """Whether more of the possible cards would be beaten than would win."""
    return bool(fight.params["wins"] > fight.params["losses"])


def fight_value(view: View, seat: int, card: str) -> int:
    """What a card counts in a fight: a fighter who has a token must use it (IG-45)."""
    return NUMBER_OF[card] + (view["token_bonus"] if view["seats"][seat]["tokens"] else 0)


def values_of(view: View, notebook: View, seat: int) -> list[int]:
    """What the cards count that somebody can hold, each kind once."""
    return [fight_value(view, seat, card) for card in _possible(notebook, seat)]


def played_by_thanos(view: View, notebook: View, card: str) -> list[Fact]:
    """What a card does for Thanos, played or copied by the Time Stone."""
    if card == "mind-stone":
        return _mind_stone(view, notebook)
    if card == "outrider":
        return _outrider(view, notebook)
    if card in ("corvus-glaive", "soul-stone"):
        return _defeats_by_number(view, notebook, card)
    if card in ("black-dwarf", "space-stone"):
        return _best_fight(view, notebook, card)
    if card in TOKENS:
        return [Fact("tokens", {"count": TOKENS[card], "more": view["token_bonus"]}, "IG-45")]
    return _stones_to_draw(view, card) if card in PUT_UNDER else []


def played_by_hero(view: View, notebook: View, card: str, instead: str | None) -> list[Fact]:
    """What a hero's card does, and how the card that is kept does in a fight, unless the other one does better."""
    facts = []
    if NUMBER_OF[card] == GUESS:
        facts += _best_guess(view, notebook)
    elif NUMBER_OF[card] == TOKEN:
        facts.append(Fact("tokens", {"count": 1, "more": view["token_bonus"]}, "IG-45"))
    hand = view["seats"][view["seat"]]["hand"] or []
    theirs = values_of(view, notebook, view["thanos"])
    if not theirs or len(hand) < 2:
        return facts
    key = "hero-fight" if NUMBER_OF[card] == FIGHT else "keeps"
    kept = _keeping(view, theirs, card, key)
    if instead is None or NUMBER_OF[instead] == NUMBER_OF[card]:
        return [*facts, kept] if speaks_for(kept) else facts
    other = _keeping(view, theirs, instead, "kept-instead")
    return [*facts, kept, other] if kept.params["wins"] > other.params["wins"] else facts


def _keeping(view: View, theirs: list[int], played: str, key: str) -> Fact:
    """How the card does in a fight that a hero keeps who plays the other one."""
    (kept, *_) = _without(view["seats"][view["seat"]]["hand"] or [], played)
    return odds(key, kept, fight_value(view, view["seat"], kept), theirs, view["thanos"])


def no_fight(view: View, notebook: View, hero: int) -> list[Fact]:
    """Why Thanos had better not fight a hero: the odds of his best card, a token, a stone, or that the hero sees it."""
    hand, theirs = view["seats"][view["seat"]]["hand"] or [], values_of(view, notebook, hero)
    if not hand or not theirs:
        return []
    fights = [odds("thanos-fight", card, fight_value(view, view["seat"], card), theirs, hero) for card in hand]
    best = min(fights, key=lambda fact: fact.params["losses"] - fact.params["wins"])
    card, facts = best.params["card"], []
    if best.params["losses"] >= best.params["wins"]:
        facts.append(best)
    if view["seats"][view["seat"]]["tokens"]:
        facts.append(Fact("spends-token", {}, "IG-45"))
    if card in STONE_NAMES and best.params["losses"]:
        facts.append(Fact("risks-stone", {"card": card}, "IG-21"))
    return facts or [Fact("shows-card", {"card": card, "target": hero}, "IG-44")]


def noted(notebook: View, number: int) -> list[Fact]:
    """What looks and fights have shown of a card of this number in the hand of Thanos."""
    found = [told for told in notebook["together"] if number in told["numbers"]]
    seen = [told for told in found if told["key"] == "seen"]
    if seen:
        return [Fact("seen", {"card": seen[-1]["card"], "number": number, "bottom": seen[-1]["bottom"]}, "IG-73")]
    strong = [told for told in found if told["key"] == "strong"]
    if not strong:
        return []
    numbers = [str(each) for each in strong[-1]["numbers"]]
    return [Fact("strong", {"numbers": numbers, "number": number, "bottom": strong[-1]["bottom"]}, "IG-44")]


def puts_under(view: View, chosen: str) -> list[Fact]:
    """A card that would make Thanos put others under his deck while he holds a stone."""
    count, rule = PUT_UNDER.get(chosen, (0, ""))
    kept = _without(view["seats"][view["seat"]]["hand"] or [], chosen)
    if not count or not view["decks"]["thanos"] or not STONE_NAMES & set(kept):
        return []
    return [Fact("puts-under", {"card": chosen, "count": min(count, view["decks"]["thanos"])}, rule)]


def comes_back(view: View, card: str) -> list[Fact]:
    """A stone that is put under the deck is drawn again after the cards that lie there."""
    _, rule = PUT_UNDER.get(view["effect"], (0, "IG-73"))
    deck = view["decks"]["thanos"]
    return [Fact("comes-back", {"card": card, "deck": deck}, rule)] if deck <= SOON else []


def _heroes(view: View) -> list[int]:
    return [seat for seat in range(view["players"]) if seat != view["thanos"]]


def _without(hand: Iterable[str], card: str) -> list[str]:
    left = list(hand)
    if card in left:
        left.remove(card)
    return left


def _possible(notebook: View, seat: int) -> dict[str, int]:
    """The cards that somebody can hold, each with how often it can be there."""
    cards = {card for place in notebook["places"]["hands"][seat] for card in place}
    return {card: notebook["unseen"].get(card, 0) or 1 for card in sorted(cards)}


def _count(cards: dict[str, int], numbers: Iterable[int]) -> int:
    wanted = set(numbers)
    return sum(count for card, count in cards.items() if NUMBER_OF[card] in wanted)


def _share(cards: dict[str, int], number: int) -> float:
    return _count(cards, [number]) / max(1, sum(cards.values()))


def _mind_stone(view: View, notebook: View) -> list[Fact]:
    hands = [cards for seat in _heroes(view) if (cards := _possible(notebook, seat))]
    numbers = sorted({NUMBER_OF[card] for cards in hands for card in cards})
    if not numbers:
        return []
    best = max(numbers, key=lambda number: sum(_share(cards, number) for cards in hands))
    can_hold = sum(_count(cards, [best]) > 0 for cards in hands)
    return [Fact("mind-stone", {"number": best, "hands": can_hold, "of": len(hands)}, "IG-62")]


def _outrider(view: View, notebook: View) -> list[Fact]:
    guesses = [
        (_share(cards, number), number, seat, cards)
        for seat in _heroes(view)
        if (cards := _possible(notebook, seat))
        for number in sorted({NUMBER_OF[card] for card in cards})
    ]
    if not guesses:
        return []
    _, number, seat, cards = max(guesses, key=lambda guess: guess[0])
    told = {"target": seat, "number": number, "hits": _count(cards, [number]), "total": sum(cards.values())}
    return [Fact("sure-outrider" if told["hits"] == told["total"] else "outrider", told, "IG-61")]


def _defeats_by_number(view: View, notebook: View, card: str) -> list[Fact]:
    low = card == "corvus-glaive"
    limit = CORVUS_HIGHEST if low else SOUL_LOWEST
    numbers = [number for number in HERO_NUMBERS if (number <= limit if low else number >= limit)]
    hands = {seat: cards for seat in _heroes(view) if (cards := _possible(notebook, seat))}
    if not hands:
        return []
    seat = max(hands, key=lambda each: _count(hands[each], numbers) / sum(hands[each].values()))
    told = {"target": seat, "hits": _count(hands[seat], numbers), "total": sum(hands[seat].values()), "number": limit}
    if not told["hits"]:
        return []
    keys = ("low", "sure-low") if low else ("high", "sure-high")
    return [Fact(keys[told["total"] == told["hits"]], told, "IG-63" if low else "IG-64")]


def _best_fight(view: View, notebook: View, card: str) -> list[Fact]:
    """The fight with the best prospect: which of the cards that are left, against whom."""
    own = _without(view["seats"][view["seat"]]["hand"] or [], card)
    facts = [
        odds("thanos-fight", each, fight_value(view, view["seat"], each), theirs, seat)
        for seat in _heroes(view)
        if (theirs := values_of(view, notebook, seat))
        for each in own
    ]
    facts.sort(key=lambda fact: (fact.params["losses"] - fact.params["wins"]) / fact.params["total"])
    return [fact for fact in facts[:1] if speaks_for(fact)]


def _best_guess(view: View, notebook: View) -> list[Fact]:
    cards = _possible(notebook, view["thanos"])
    if not cards:
        return []
    places = notebook["places"]["hands"][view["thanos"]]
    certain = [{NUMBER_OF[card] for card in place} for place in places]
    sure = sorted(number for numbers in certain if len(numbers) == 1 for number in numbers)
    if sure:
        return [Fact("sure-guess", {"number": sure[0], "whose": "thanos"}, "IG-51")]
    number = max(sorted({NUMBER_OF[card] for card in cards}), key=lambda each: _count(cards, [each]))
    told = {"number": number, "whose": "thanos", "unseen": _count(cards, [number])}
    return [*noted(notebook, number), Fact("can-hold", told, "IG-51")]


def _stones_to_draw(view: View, card: str) -> list[Fact]:
    """The stones that Thanos lacks can only be in his deck."""
    hand = view["seats"][view["seat"]]["hand"] or []
    lacking = STONE_COUNT - len({*view["stones"], *STONE_NAMES.intersection(hand)})
    deck = view["decks"]["thanos"]
    if not lacking or not deck:
        return []
    return [Fact("stones-in-deck", {"stones": lacking, "deck": deck}, PUT_UNDER[card][1])]
