"""How the facts about actions of Splendor: Marvel are checked: by playing the turn in worlds of the seat.

Only decks and cards that others reserved without showing them differ between worlds.
"""

from tavolino.engine.explanation import Claim, Fact, View, in_all
from tavolino.engine.match import Match

WORLDS = 4


def _after_turn(world: Match, seat: int, action: str) -> View:
    """What the seat sees after its turn; it pays as first offered, and returns and visits the first of what it may."""
    played = world.clone()
    played.advance(action)
    while played.to_act == seat:
        legal = played.legal()
        played.advance("pay" if "pay" in legal else legal[0])
    return played.view(seat)


def _own(world: Match, seat: int, action: str) -> View:
    own: View = _after_turn(world, seat, action)["seats"][seat]
    return own


def _missing(world: Match, own: View, card: str) -> int:
    """How many tokens somebody lacks for a card, grey ones counted."""
    cost = world.game.parts["cards"][card]["cost"]
    lacking = sum(max(0, n - own["bonuses"][colour] - own["tokens"][colour]) for colour, n in cost.items())
    return int(max(0, lacking - own["tokens"]["grey"]))


def _points(world: Match, seat: int, action: str, fact: Fact) -> float:
    return float(_own(world, seat, action)["points"])


def _same_points(world: Match, seat: int, action: str, fact: Fact) -> bool:
    """The sum after the turn, and what the turn adds to it."""
    before, after = world.view(seat)["seats"][seat]["points"], _points(world, seat, action, fact)
    return bool(after == fact.params.get("total", after) and after - before == fact.params["points"])


def _covers(world: Match, seat: int, action: str, fact: Fact) -> float:
    cost = world.game.parts["locations"][fact.params["location"]]["cost"]
    bonuses = _own(world, seat, action)["bonuses"]
    return float(all(bonuses[colour] >= n for colour, n in cost.items()))


def _green(world: Match, seat: int, action: str, fact: Fact) -> float:
    return float(_own(world, seat, action)["gauntlet"]["green"])


def _reserved_points(world: Match, seat: int, action: str, fact: Fact) -> float:
    """The points of the card that the action reserves or recruits."""
    card = world.game.described(action)["params"].get("card")
    return float(world.game.parts["cards"][card]["points"]) if card in world.game.parts["cards"] else 0.0


def _same_worth(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return _reserved_points(world, seat, action, fact) == fact.params["points"]


def _others_could(world: Match, seat: int, action: str, fact: Fact) -> bool:
    """Each of the named seats has enough for the card, which brings it points."""
    card, seats = fact.params["card"], world.view(seat)["seats"]
    worth = world.game.parts["cards"][card]["points"]
    return worth == fact.params["points"] > 0 and not any(_missing(world, seats[n], card) for n in fact.params["seats"])


def _takes_away(world: Match, seat: int, action: str, fact: Fact) -> float:
    rows = _after_turn(world, seat, action)["rows"].values()
    return float(not any(fact.params["card"] in row for row in rows))


def _affords(world: Match, seat: int, action: str, fact: Fact) -> float:
    return float(not _missing(world, _own(world, seat, action), fact.params["card"]))


def _has_less_to_go(world: Match, seat: int, action: str, fact: Fact) -> float:
    return -float(_missing(world, _own(world, seat, action), fact.params["card"]))


def _same_missing(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return _missing(world, _own(world, seat, action), fact.params["card"]) == fact.params["missing"]


def _cheaper(world: Match, seat: int, action: str, fact: Fact) -> float:
    """How many of the named cards cost less after the turn, by bonuses alone."""
    before, after = world.view(seat)["seats"][seat]["bonuses"], _own(world, seat, action)["bonuses"]
    costs = (world.game.parts["cards"][card]["cost"] for card in fact.params["cheaper"])
    return float(sum(_price(cost, after) < _price(cost, before) for cost in costs))


def _price(cost: View, bonuses: View) -> int:
    return int(sum(max(0, n - bonuses[colour]) for colour, n in cost.items()))


def _all_cheaper(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return _cheaper(world, seat, action, fact) == fact.params["cards"]


def _gains_one_grey(world: Match, seat: int, action: str, fact: Fact) -> bool:
    played = world.clone()
    played.advance(action)
    before, after = world.view(seat)["seats"][seat], played.view(seat)["seats"][seat]
    greys = after["tokens"]["grey"] - before["tokens"]["grey"]
    return bool(greys == 1 and len(after["cards"]) == len(before["cards"]))


def _does_not_reserve(world: Match, seat: int, action: str, fact: Fact) -> float:
    return float(not world.game.described(action)["verb"].startswith("reserve"))


CLAIMS = {
    "points": Claim(in_all(_same_points), _points),
    "visit": Claim(in_all(_same_points), _points),
    "location": Claim(in_all(lambda *about: bool(_covers(*about))), _covers),
    "green": Claim(in_all(lambda *about: bool(_green(*about))), _green),
    "worth": Claim(in_all(_same_worth), _reserved_points),
    "denies": Claim(in_all(_others_could), _takes_away),
    "in-reach": Claim(in_all(lambda *about: bool(_affords(*about))), _affords),
    "closer": Claim(in_all(_same_missing), _has_less_to_go),
    "bonus": Claim(in_all(_all_cheaper), _cheaper),
    "reserve-cost": Claim(in_all(_gains_one_grey), _does_not_reserve, is_of_chosen=True),
}
