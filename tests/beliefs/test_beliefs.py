"""Worlds are exact: `resample` against an independent slow account of what a viewer can take for possible (IG-91).

`make test` compares about a hundred positions, the slow form more than a thousand, and `make test-long` many more:
`python -m tests.beliefs.test_beliefs 60` plays so many games at each number of players, `... 60 5 6` at five and six.
"""

import sys
from fractions import Fraction

import pytest

from tests.beliefs.comparing import Count, compare_game, keys_of
from tests.beliefs.slow_beliefs import NUMBER, Beliefs, number
from tests.games.infinity_gauntlet.gauntlet_scenarios import GAME, deal, deck, held, play

EVERY_KIND = {
    "drawn",
    "played",
    "defeated",
    "guessed",
    "spared",
    "shuffled-back",
    "new-deck",
    "looked",
    "fight tie",
    "fight won",
    "fight lost",
    "top-three",
    "ordered",
    "bottom",
}


@pytest.mark.rule("IG-91", "IG-92")
@pytest.mark.parametrize(("players", "games"), [(2, 1), (3, 4), (4, 1), (5, 1)])
def test_worlds_are_exactly_those_that_some_past_leads_to_and_all_equally_likely(players: int, games: int) -> None:
    count = Count()
    for seed in range(games):
        compare_game(players, seed, count, draws=120, share=0.2)
    assert count.positions >= 4


@pytest.mark.slow
def test_the_same_in_many_more_positions_with_every_kind_of_event() -> None:
    """`make test-long` has thousands of positions."""
    count = Count()
    for players, games in ((2, 6), (3, 6), (4, 4), (5, 1), (6, 1)):
        for seed in range(1000, 1000 + games):
            compare_game(players, seed, count, draws=150, share=0.3)
    assert count.positions >= 50
    assert set(count.kinds) >= EVERY_KIND


# -- examples: what `resample` got wrong when it used sets alone, with the shares of the slow enumeration

LIVES = {"hero_life": 20, "thanos_life": 20}
# (players, viewer, seed, actions, a number, in how many of all arrangements Thanos holds a card of it)
EXAMPLES: dict[str, tuple[int, int | None, str, str, int, Fraction]] = {
    "a tie with a hero who has drawn and played since": (
        2,
        None,
        "old 15",
        "play outrider, choose 1, guess 2, play black-widow, play gamora, play mind-stone, guess 6, play scarlet-witch,"
        " order thor black-panther spider-man, play captain-marvel, choose 1, fight, play time-stone",
        7,
        Fraction(7, 52),
    ),
    "two ties and a fight won, with the Space Stone": (
        4,
        2,
        "old 17",
        "play space-stone, choose 3, fight-with ebony-maw, choose 1, fight-with ebony-maw, play thor, fight, play hulk,"
        " decline, play vision",
        5,
        Fraction(59, 98),
    ),
    "a tie with tokens after wrong guesses and cards on the bottom": (
        3,
        1,
        "old 13",
        "play power-stone, play spider-man, guess 6, play ant-man-and-wasp, choose 1, play black-dwarf, decline,"
        " play nebula, guess 7, play vision, order black-panther scarlet-witch falcon, play reality-stone,"
        " bottom soul-stone, bottom outrider, play iron-man, choose 2, decline, play doctor-strange, choose 2,"
        " play proxima-midnight, play black-panther, choose 2, play scarlet-witch, order thor captain-america gamora,"
        " play mind-stone, guess 2, play falcon, choose 2, play captain-marvel, choose 2, fight, play time-stone",
        2,
        Fraction(2, 3),
    ),
}
DRAWS = 4000


def is_near(share: float, wanted: Fraction) -> bool:
    """Within four standard errors of so many draws."""
    return abs(share - wanted) < 4 * (wanted * (1 - wanted) / DRAWS) ** 0.5


@pytest.mark.rule("IG-44", "IG-73")
def test_the_card_that_won_a_fight_is_in_the_hand_or_on_the_bottom() -> None:
    """Thanos beat a 5 without tokens, and has put a card on the bottom since: a 6 or 7 is in one of the two places."""
    match = deal(
        3,
        hero="vision nebula star-lord gamora",
        thanos="thanos black-dwarf ebony-maw outrider corvus-glaive",
        seed=5,
    )
    play(match, "play black-dwarf", "choose 1", "fight-with thanos", "play star-lord", "guess 4", "play nebula")
    play(match, "guess 4", "play ebony-maw", "bottom corvus-glaive")
    in_hand = 0
    for seed in range(DRAWS):
        world = match.resample(2, seed)
        hand = max(NUMBER[card] for card in held(world, 0))
        assert max(hand, NUMBER[deck(world, "thanos")[-1]]) >= 6
        in_hand += hand >= 6
    assert is_near(in_hand / DRAWS, Fraction(57, 81))


@pytest.mark.rule("IG-40", "IG-44")
@pytest.mark.parametrize("name", EXAMPLES)
def test_what_ties_and_fights_have_shown_stays_true_when_cards_have_left_hands(name: str) -> None:
    players, viewer, seed, actions, wanted, share = EXAMPLES[name]
    match = GAME.start(players, seed, LIVES)
    play(match, *actions.split(", "))
    beliefs = Beliefs(players, 0)
    for event in match.view(viewer)["log"]:
        beliefs.see(event)
    _, of_thanos, is_possible = beliefs.weights()
    holding = sum(weight for key, weight in of_thanos.items() if wanted in map(number, key[0][0]))
    assert Fraction(holding, sum(of_thanos.values())) == share
    found = 0
    for draw in range(DRAWS):
        world = match.resample(viewer, draw)
        assert is_possible(*keys_of(beliefs, world))
        found += wanted in [NUMBER[card] for card in held(world, 0)]
    assert is_near(found / DRAWS, share)


if __name__ == "__main__":
    games, *tables = map(int, sys.argv[1:])
    total = Count()
    for at_the_table in tables or range(2, 7):
        for seed in range(games):
            compare_game(at_the_table, 10_000 + seed, total, draws=200, share=0.3)
        print(f"{at_the_table} players: {total.positions:,} positions and {total.worlds:,} worlds so far", flush=True)
    assert set(total.kinds) >= EVERY_KIND
    print(f"all agree; {total.left} games were left because the slow account grew too large")
