"""Chance: the generator is ChaCha8, and every draw and shuffle is even."""

import struct
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino.engine.chance import draw, key_from_seed, next_word, rekey, shuffle, use_cheap
from tavolino.engine.compiled import compiled

pytestmark = pytest.mark.plain


@pytest.fixture
def chance() -> Any:
    return new_record()


def new_record() -> Any:
    """A whole record of a game: Numba would take one of chance alone for a parent of all the others, and warn."""
    return np.zeros(1, tavolino.load("mantis").record).view(np.recarray)[0]


@compiled
def draws(s: Any, n: int, times: int, counts: Any) -> None:
    for _ in range(times):
        counts[draw(s, n)] += 1


def chi_square(counts: Any) -> float:
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2 / expected).sum())


def test_the_first_block_is_that_of_chacha8_with_a_key_of_zeros(chance: Any) -> None:
    # The published test vector: 256-bit key, nonce and counter all zero, 8 rounds.
    rekey(chance, np.zeros(8, np.int64))
    stream = struct.pack("<16I", *(int(next_word(chance)) for _ in range(16)))
    assert stream.hex() == (
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
        "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
    )


def test_the_counter_carries_into_its_high_half(chance: Any) -> None:
    rekey(chance, np.zeros(8, np.int64))
    chance.blocks = 2**32
    high = [int(next_word(chance)) for _ in range(4)]
    rekey(chance, np.zeros(8, np.int64))
    assert high != [int(next_word(chance)) for _ in range(4)]


def test_seeds_of_different_kinds_are_different_seeds() -> None:
    keys = {tuple(key_from_seed(seed)) for seed in (1, "1", b"1", -1, "", b"", "number:1", 0)}
    assert len(keys) == 8


@pytest.mark.parametrize("seed", [1.0, None, True, ["a"], {"bytes": "00"}])
def test_other_things_are_no_seeds(seed: Any) -> None:
    with pytest.raises(ValueError, match="A seed is a text"):
        key_from_seed(seed)


@pytest.mark.parametrize("kind", ["chacha", "cheap"])
@pytest.mark.parametrize("n", [2, 3, 7, 13, 105])
def test_draws_are_even(chance: Any, kind: str, n: int) -> None:
    if kind == "chacha":
        rekey(chance, key_from_seed("even"))
    else:
        use_cheap(chance, 1, 2)
    counts = np.zeros(n, np.int64)
    draws(chance, n, 20_000, counts)
    # Chi-square with n - 1 degrees of freedom: mean n - 1, variance 2 (n - 1); six deviations above is out of reach.
    assert chi_square(counts) < (n - 1) + 6 * (2 * (n - 1)) ** 0.5


@pytest.mark.parametrize("generator", [0, 1])
def test_words_that_would_favour_some_numbers_are_thrown_away(chance: Any, generator: int) -> None:
    # With n = 3 x 2**29 each number would come from 3, 3 or 2 of the words, by its remainder modulo 3: without the
    # rejection the third kind would come in 25 % of all draws.
    rekey(chance, key_from_seed("rejection"))
    use_cheap(chance, 5, 5)
    chance.generator = generator
    times = 4000
    third = sum(int(draw(chance, 3 * 2**29)) % 3 == 2 for _ in range(times))
    assert abs(third - times / 3) < 6 * (times * 2 / 9) ** 0.5  # 179; without the rejection it is off by 333


def test_all_orders_of_four_cards_come_equally_often(chance: Any) -> None:
    rekey(chance, key_from_seed("shuffle"))
    orders = dict.fromkeys(permutations(range(4)), 0)
    times = 6_000
    for _ in range(times):
        cards = np.arange(4, dtype=np.int32)
        shuffle(chance, cards, 0, 4)
        orders[tuple(cards.tolist())] += 1
    counts = np.array(list(orders.values()))
    assert chi_square(counts) < 23 + 6 * (2 * 23) ** 0.5


def test_a_shuffle_of_a_part_leaves_the_rest_alone(chance: Any) -> None:
    rekey(chance, key_from_seed("part"))
    cards = np.arange(10, dtype=np.int32)
    shuffle(chance, cards, 3, 7)
    assert cards[:3].tolist() == [0, 1, 2]
    assert cards[7:].tolist() == [7, 8, 9]
    assert sorted(cards[3:7].tolist()) == [3, 4, 5, 6]


def test_near_seeds_and_streams_of_the_cheap_generator_are_far_apart(chance: Any) -> None:
    firsts = set()
    for seed in range(30):
        for stream in range(30):
            use_cheap(chance, seed, stream)
            firsts.add(int(chance.cheap))
    assert len(firsts) == 900


def test_a_new_key_leaves_nothing_of_the_old_stream(chance: Any) -> None:
    rekey(chance, key_from_seed("old"))
    for _ in range(20):
        next_word(chance)
    use_cheap(chance, 7, 7)
    rekey(chance, key_from_seed("new"))
    fresh = new_record()
    rekey(fresh, key_from_seed("new"))
    assert chance.tobytes() == fresh.tobytes()
