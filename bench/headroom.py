"""How much headroom there is above `medium`, for a fair player and for one who sees all cards.

python -m bench.headroom GAME LINE-UP [--positions N] [--rollouts N] [--sees-all]

The line-up names who sits where, medium or random: medium,medium,medium,medium, or medium,random,random,random.
"""

import argparse

from tavolino.lab.headroom import headroom


def main() -> None:
    asked = argparse.ArgumentParser(description="The headroom above medium, in wins a game.")
    asked.add_argument("game")
    asked.add_argument("lineup")
    asked.add_argument("--positions", type=int, default=200)
    asked.add_argument("--rollouts", type=int, default=4000, help="for each action, in each of two halves")
    asked.add_argument("--sees-all", action="store_true")
    asked.add_argument("--seed", type=int, default=0)
    how = asked.parse_args()
    found = headroom(how.game, how.lineup.split(","), how.positions, how.rollouts, how.sees_all, how.seed)
    for side, figures in found.items():
        print(
            f"{how.game}, {how.lineup}, {side}: {figures['positions']} positions, "
            f"{figures['choices_a_game']:.1f} choices a game; room in points of win rate: "
            f"{100 * figures['low']:.1f} (± {100 * figures['low_reach']:.1f}) to "
            f"{100 * figures['high']:.1f} (± {100 * figures['high_reach']:.1f})"
        )


if __name__ == "__main__":
    main()
