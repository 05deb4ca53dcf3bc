"""Random numbers. The generator is part of a game's state.

Tables use ChaCha8 with a 256-bit key: its output cannot be predicted from earlier output. Simulation and search may
use a generator that is several times faster and predictable. The kind of generator, the key and the position in the
stream are part of the state, so that one seed with one list of actions gives one game on every machine.

All arithmetic is on int64 words masked to 32 bits, or on uint64 with shifts only: these behave the same in compiled
code and in ordinary Python.
"""

import hashlib
from enum import IntEnum
from operator import index
from typing import Annotated, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.compiled import compiled, inlined, int64

ROUNDS = 8
# "expand 32-byte k", the constants of the ChaCha family
SIGMA = np.array([0x61707865, 0x3320646E, 0x79622D32, 0x6B206574], dtype=np.int64)
# The state words that each quarter round mixes: four columns, then four diagonals.
QUARTERS = np.array(
    [
        (0, 4, 8, 12),
        (1, 5, 9, 13),
        (2, 6, 10, 14),
        (3, 7, 11, 15),
        (0, 5, 10, 15),
        (1, 6, 11, 12),
        (2, 7, 8, 13),
        (3, 4, 9, 14),
    ],
    dtype=np.int64,
)


class Generator(IntEnum):
    CHACHA8 = 0
    CHEAP = 1


CHEAP = int(Generator.CHEAP)


class Chance(Protocol):
    """The fields of every state that the generators use."""

    key: Annotated[NDArray[np.int64], 8]
    blocks: Annotated[int, np.int64]  # how many blocks of 16 words have been made
    block: Annotated[NDArray[np.int64], 16]
    cheap: np.uint64
    generator: int
    words_used: int  # of the current block


LARGEST_SEED = 10**1000  # Python refuses to print much longer numbers, so no record could hold them


def plain_seed(seed: Any) -> str | int | bytes:
    """A seed as records hold it: NumPy integers become Python integers."""
    if isinstance(seed, str | bytes):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise ValueError(f"A seed is a text, a whole number or bytes, not {type(seed).__name__}.")
    number = index(seed)
    if abs(number) >= LARGEST_SEED:
        raise ValueError("A seed that is a number has at most 1000 digits; a text may be longer.")
    return number


def key_from_seed(seed: str | int | bytes) -> NDArray[np.int64]:
    """A 256-bit key. The seeds 1, "1" and b"1" give different keys."""
    seed = plain_seed(seed)
    if isinstance(seed, str):
        material = b"text:" + seed.encode("utf-8", "surrogatepass")
    elif isinstance(seed, int):
        material = b"number:" + str(seed).encode()
    else:
        material = b"bytes:" + seed
    digest = hashlib.sha256(b"tavolino seed\0" + material).digest()
    return np.frombuffer(digest, dtype="<u4").astype(np.int64)


@compiled
def rekey(s: Chance, key: NDArray[np.int64]) -> None:
    """Begin a ChaCha8 stream at its start."""
    s.generator = 0
    for i in range(8):
        s.key[i] = key[i]
    s.blocks = 0
    s.block[:] = 0
    s.words_used = 16
    s.cheap = np.uint64(0)


@compiled
def _times(x: int, factor: int) -> int:
    """The low 32 bits of a product; no intermediate result needs more than 63 bits."""
    return ((x & 0xFFFF) * factor + ((((x >> 16) * factor) & 0xFFFF) << 16)) & 0xFFFFFFFF


@compiled
def _mix(x: int) -> int:
    """A bijective mix of 32 bits, so that similar seeds give unrelated streams."""
    x = _times(x ^ (x >> 16), 0x7FEB352D)
    x = _times(x ^ (x >> 15), 0x846CA68B)
    return x ^ (x >> 16)


@compiled
def use_cheap(s: Chance, seed: int, stream: int) -> None:
    """Begin a stream of the cheap generator (xorshift64). Each of 2**32 seeds and 2**32 streams has its own start."""
    low = _mix(int64(stream) & 0xFFFFFFFF)
    high = _mix((int64(seed) & 0xFFFFFFFF) ^ low)
    low = _mix(low ^ high)
    x = (np.uint64(high) << np.uint64(32)) | np.uint64(low)
    if x == np.uint64(0):  # the one state that xorshift never leaves
        x = np.uint64(0x9E3779B97F4A7C15)
    s.generator = CHEAP
    s.cheap = x


@inlined
def _cheap_word(s: Chance) -> int:
    x = s.cheap
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    s.cheap = x
    return int64(x >> np.uint64(32))


@compiled
def _quarter_round(w: NDArray[np.int64], quarter: NDArray[np.int64]) -> None:
    a, b, c, d = quarter[0], quarter[1], quarter[2], quarter[3]
    wa, wb, wc, wd = w[a], w[b], w[c], w[d]
    wa = (wa + wb) & 0xFFFFFFFF
    wd ^= wa
    wd = ((wd << 16) | (wd >> 16)) & 0xFFFFFFFF
    wc = (wc + wd) & 0xFFFFFFFF
    wb ^= wc
    wb = ((wb << 12) | (wb >> 20)) & 0xFFFFFFFF
    wa = (wa + wb) & 0xFFFFFFFF
    wd ^= wa
    wd = ((wd << 8) | (wd >> 24)) & 0xFFFFFFFF
    wc = (wc + wd) & 0xFFFFFFFF
    wb ^= wc
    wb = ((wb << 7) | (wb >> 25)) & 0xFFFFFFFF
    w[a], w[b], w[c], w[d] = wa, wb, wc, wd


@compiled
def _next_block(s: Chance) -> None:
    w = s.block
    for i in range(4):
        w[i] = SIGMA[i]
    for i in range(8):
        w[4 + i] = s.key[i]
    low, high = s.blocks & 0xFFFFFFFF, (s.blocks >> 32) & 0xFFFFFFFF
    w[12], w[13], w[14], w[15] = low, high, 0, 0
    for _ in range(ROUNDS // 2):
        for quarter in range(8):
            _quarter_round(w, QUARTERS[quarter])
    for i in range(4):
        w[i] = (w[i] + SIGMA[i]) & 0xFFFFFFFF
    for i in range(8):
        w[4 + i] = (w[4 + i] + s.key[i]) & 0xFFFFFFFF
    w[12] = (w[12] + low) & 0xFFFFFFFF
    w[13] = (w[13] + high) & 0xFFFFFFFF
    s.blocks += 1
    s.words_used = 0


@compiled
def next_word(s: Chance) -> int:
    """Thirty-two random bits of the ChaCha8 stream."""
    if s.words_used >= 16:
        _next_block(s)
    word = s.block[s.words_used]
    s.words_used += 1
    return word


@inlined
def draw(s: Chance, n: int) -> int:
    """A number from 0 to n - 1, exactly uniform.

    The high half of word x n is the number; the few words that would bias it are rejected (Lemire's method).
    The code of the cheap generator is repeated here so that it is inlined wherever a number is drawn.
    """
    if s.generator != CHEAP:
        return _draw_from_chacha(s, int64(n))
    product = _cheap_word(s) * n
    if product & 0xFFFFFFFF < n:
        product = _fair_cheap_product(s, int64(n), product)
    return product >> 32


@compiled
def _fair_cheap_product(s: Chance, n: int, product: int) -> int:
    unfair = (4294967296 - n) % n
    while product & 0xFFFFFFFF < unfair:
        product = _cheap_word(s) * n
    return product


@compiled
def _draw_from_chacha(s: Chance, n: int) -> int:
    product = next_word(s) * n
    if product & 0xFFFFFFFF < n:
        unfair = (4294967296 - n) % n
        while product & 0xFFFFFFFF < unfair:
            product = next_word(s) * n
    return product >> 32


@compiled
def shuffle(s: Chance, cards: NDArray[np.int32], first: int, end: int) -> None:
    """Shuffle cards[first:end]; every order has the same probability (Fisher and Yates)."""
    for i in range(end - 1, first, -1):
        j = first + draw(s, i - first + 1)
        cards[i], cards[j] = cards[j], cards[i]
