"""Confidence intervals of shares, and of means over deals."""

import math

import numpy as np
from numpy.typing import ArrayLike

Z_95 = 1.959963984540054  # the normal quantile that leaves 2.5 % above


def wilson(successes: int, games: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's 95 % interval of a share: valid also for few games and for shares near 0 and 1."""
    if games == 0:
        return 0.0, 1.0
    share = successes / games
    spread = z * z / games
    middle = (share + spread / 2) / (1 + spread)
    reach = z / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def over_deals(by_deal: ArrayLike, games: int) -> tuple[float, float]:
    """A 95% interval of a mean share over deals: games of one deal are correlated, so the deals are the sample.

    With few deals, or when all went the same way, Wilson's interval of the games is wider and is taken instead.
    """
    values = np.asarray(by_deal, float)
    mean, n = float(values.mean()), len(values)
    low, high = wilson(round(mean * games), games)
    if n > 1:
        reach = Z_95 * float(values.std(ddof=1)) / math.sqrt(n)
        low, high = min(low, mean - reach), max(high, mean + reach)
    return max(0.0, low), min(1.0, high)


def of_differences(by_deal: ArrayLike) -> tuple[float, float]:
    """A 95% interval of a mean difference of two shares in the same deals.

    Never narrower than Wilson's interval of a share that is 0 in as many deals, so that a few equal results are not
    taken for certainty.
    """
    values = np.asarray(by_deal, float)
    mean, n = float(values.mean()), len(values)
    reach = wilson(0, n)[1]
    if n > 1:
        reach = max(reach, Z_95 * float(values.std(ddof=1)) / math.sqrt(n))
    return max(-1.0, mean - reach), min(1.0, mean + reach)
