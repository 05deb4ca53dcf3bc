"""How good players play Infinity Gauntlet: odds.py counts, heroes.py and thanos.py decide, by weights in habits.py.

judge.py says who is ahead, where a search stops.
"""

from tavolino.bots.choice import Numbers, Reals, wide
from tavolino.bots.dispatch import register
from tavolino.bots.infinity_gauntlet.habits import HABITS
from tavolino.bots.infinity_gauntlet.heroes import weigh_as_hero
from tavolino.bots.infinity_gauntlet.judge import worth
from tavolino.bots.infinity_gauntlet.thanos import weigh_as_thanos
from tavolino.engine.compiled import compiled
from tavolino.games.infinity_gauntlet.facts import HEROES, THANOS
from tavolino.games.infinity_gauntlet.state import RECORD, GauntletState

__all__ = ["HABITS"]

FORTY_BITS = (1 << 40) - 1  # room to multiply in 64 bits


@compiled
def weigh(s: GauntletState, habits: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    if s.to_act == s.thanos:
        weigh_as_thanos(s, habits, actions, n, scores)
    else:
        weigh_as_hero(s, habits, actions, n, scores)


@compiled
def team(s: GauntletState, seat: int) -> int:
    """Thanos alone, the heroes together (IG-01)."""
    return THANOS if seat == s.thanos else HEROES


@compiled
def sight(s: GauntletState, viewer: int) -> int:
    """What is open, and the viewer's own hand."""
    seen = wide(s.shown)
    seen = ((seen * 32 + s.life[HEROES]) * 32 + s.life[THANOS]) & FORTY_BITS
    seen = ((seen * 16 + s.step) * 8 + s.to_act) & FORTY_BITS
    for seat in range(s.players):
        seen = (seen * 11 + s.tokens[seat]) & FORTY_BITS
    for i in range(s.hand_size[viewer]):
        seen = (seen * 31 + s.hand[viewer, i]) & FORTY_BITS
    return seen


register(RECORD, weigh=weigh, worth=worth, team=team, sight=sight)
