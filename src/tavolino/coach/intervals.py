"""Confidence intervals of shares."""

import math

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
