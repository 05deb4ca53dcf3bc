"""How good players play Infinity Gauntlet: odds.py counts, heroes.py and thanos.py decide, habits.py has the weights."""

from math import exp

import numpy as np

from tavolino.bots.choice import Numbers, Reals
from tavolino.bots.dispatch import register
from tavolino.bots.infinity_gauntlet.habits import HABITS, PLAYOUT
from tavolino.bots.infinity_gauntlet.heroes import weigh_as_hero
from tavolino.bots.infinity_gauntlet.thanos import weigh_as_thanos
from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import count
from tavolino.games.infinity_gauntlet.facts import HEROES, STONES, THANOS
from tavolino.games.infinity_gauntlet.state import RECORD, GauntletState

__all__ = ["HABITS", "PLAYOUT"]

FORTY_BITS = (1 << 40) - 1  # room to multiply in 64 bits


@compiled
def weigh(s: GauntletState, habits: Reals, actions: Numbers, n: int, scores: Reals) -> None:
    if s.to_act == s.thanos:
        weigh_as_thanos(s, habits, actions, n, scores)
    else:
        weigh_as_hero(s, habits, actions, n, scores)


@compiled
def worth(s: GauntletState, habits: Reals, values: Reals) -> None:
    """By the lives of both sides and the stones on the table."""
    lead = 0.5 * s.life[HEROES] - 0.5 * s.life[THANOS] - 0.4 * count(s.shown & STONES)
    heroes = 1.0 / (1.0 + exp(-lead))
    for seat in range(s.players):
        values[seat] = 1.0 - heroes if seat == s.thanos else heroes


@compiled
def team(s: GauntletState, seat: int) -> int:
    """Thanos alone, the heroes together (IG-01)."""
    return THANOS if seat == s.thanos else HEROES


@compiled
def sight(s: GauntletState, viewer: int) -> int:
    """What is open, and the viewer's own hand."""
    seen = np.int64(s.shown)
    seen = ((seen * 32 + s.life[HEROES]) * 32 + s.life[THANOS]) & FORTY_BITS
    seen = ((seen * 16 + s.step) * 8 + s.to_act) & FORTY_BITS
    for seat in range(s.players):
        seen = (seen * 11 + s.tokens[seat]) & FORTY_BITS
    for i in range(s.hand_size[viewer]):
        seen = (seen * 31 + s.hand[viewer, i]) & FORTY_BITS
    return seen


register(RECORD, weigh=weigh, worth=worth, team=team, sight=sight)
