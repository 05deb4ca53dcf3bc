"""The estimated chances to win a position of Infinity Gauntlet, where a playout is cut off.

The heroes' chance to win is a logistic function of a few counts, with weights for each number of players. The weights
were fitted to the results of games between `medium` bots with occasional random actions, with lives around the
defaults; half a million positions in total.
"""

from enum import IntEnum

import numpy as np

from tavolino.engine.arithmetic import exp
from tavolino.engine.compiled import compiled
from tavolino.engine.knowledge import count, is_one
from tavolino.engine.policy import Reals
from tavolino.games.infinity_gauntlet.facts import HEROES, NUMBER, PLAYERS, STONE_COUNT, STONES, THANOS
from tavolino.games.infinity_gauntlet.knowledge import recall
from tavolino.games.infinity_gauntlet.state import GauntletState


class Sign(IntEnum):
    """The terms of the logistic function; positive for the heroes."""

    AT_ALL = 0
    LIFE = 1  # their share of all lives
    LIFE_OF_THANOS = 2
    STONE = 3  # each one on the table
    ALL_STONES = 4  # on the table or in his hand: he can snap
    STRENGTH_OF_THANOS = 5  # the mean number of his cards
    TOKEN_OF_THANOS = 6
    HERO_WITH_TOKEN = 7
    STRENGTH = 8  # the mean number of the heroes' cards
    SEEN = 9  # a card of Thanos that a hero knows, for each who knows it
    TIME = 10  # each card in his deck: the game is at an early stage
    HIS_TURN = 11
    TURNS_BEFORE_HIS = 12  # the share of a round before his turn


FEWEST = PLAYERS.start
# fmt: off
SIGNS = np.array([
    [-0.19, 2.58, -1.16, -0.29, -2.19, -0.14, -0.08, 0.36, -0.01, 0.25, 0.41, -0.07, -0.06],  # 2 players
    [-1.32, 3.16, -1.12, -0.30, -2.25, -0.13, -0.13, 0.31, 0.01, 0.24, 0.39, 0.64, 1.25],  # 3 players
    [-3.06, 4.47, -0.90, -0.24, -1.52, -0.07, -0.13, 0.24, 0.01, 0.16, 0.50, 0.80, 1.35],  # 4 players
    [-2.48, 4.88, -0.68, -0.33, -1.49, -0.08, -0.15, 0.19, 0.02, 0.10, 0.42, 0.81, 1.43],  # 5 players
    [-3.18, 5.60, -0.56, -0.28, -1.17, -0.07, -0.18, 0.16, 0.04, 0.08, 0.44, 0.77, 1.45],  # 6 players
])
# fmt: on


@compiled
def evaluate(s: GauntletState, values: Reals) -> None:
    """Each seat's chance to win."""
    heroes = 1.0 / (1.0 + exp(-_lead(s, SIGNS[s.players - FEWEST])))
    for seat in range(s.players):
        values[seat] = 1.0 - heroes if seat == s.thanos else heroes


@compiled
def _lead(s: GauntletState, signs: Reals) -> float:
    """The heroes' lead, as log odds."""
    thanos = s.thanos + 0
    stones = count(s.shown & STONES)
    lead = signs[Sign.AT_ALL] + signs[Sign.STONE] * stones
    lead += signs[Sign.LIFE] * s.life[HEROES] / (s.life[HEROES] + s.life[THANOS])
    lead += signs[Sign.LIFE_OF_THANOS] * s.life[THANOS] + signs[Sign.TIME] * s.deck_size[THANOS]
    lead += signs[Sign.TOKEN_OF_THANOS] * s.tokens[thanos]
    strength = 0
    for i in range(s.hand_size[thanos]):
        card = s.hand[thanos, i] + 0
        stones += (STONES >> card) & 1
        strength += NUMBER[card]
    lead += signs[Sign.STRENGTH_OF_THANOS] * strength / max(s.hand_size[thanos], 1)
    if stones >= STONE_COUNT:
        lead += signs[Sign.ALL_STONES]
    strength = 0
    for seat in range(s.players):
        if seat != thanos:
            if s.tokens[seat] > 0:
                lead += signs[Sign.HERO_WITH_TOKEN]
            for i in range(s.hand_size[seat]):
                strength += NUMBER[s.hand[seat, i]]
            lead += signs[Sign.SEEN] * _cards_known(s, seat, thanos)
    lead += signs[Sign.STRENGTH] * strength / (s.players - 1)
    if s.current == thanos:
        return lead + signs[Sign.HIS_TURN]
    return lead + signs[Sign.TURNS_BEFORE_HIS] * ((thanos - s.current + s.players) % s.players) / s.players


@compiled
def _cards_known(s: GauntletState, hero: int, thanos: int) -> int:
    """How many cards of Thanos a hero knows; a quiet world does not track that."""
    known = 0
    if s.quiet == 0:
        recall(s, hero)
        for i in range(s.hand_size[thanos]):
            known += is_one(s.hand_can[hero, thanos, i])
    return known
