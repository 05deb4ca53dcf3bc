"""How many iterations a second `hard` makes, and how long it takes to answer, from positions in the middle of a game.

python -m bench.search [--json]
"""

import json
import sys
import time
from typing import Any

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.bots.levels import Search
from tavolino.bots.policies import policy_of
from tavolino.engine.match import Match

# By game: players, after how many decisions the middle is, and iterations/s to reach.
GAMES = {"mantis": (4, 16, 100_000), "splendor-marvel": (4, 60, 30_000), "infinity-gauntlet": (4, 24, 30_000)}
POSITIONS = 6


def middle_of(game: str, players: int, decisions: int, seed: int) -> Match:
    """A position with a choice, in a game between medium bots; games that are over by then are left out."""
    match = tavolino.load(game).start(players, f"bench {seed}")
    bots = [make_bot("medium", game, seat) for seat in range(players)]
    played = 0
    while played < decisions or len(match.legal()) < 2:
        if match.to_act is None:
            return middle_of(game, players, decisions, seed + 1000)
        match.play(bots[match.to_act].choose(SeatMatch(match, match.to_act)))
        played += 1
    return match


def measure(game: str) -> dict[str, Any]:
    players, decisions, wanted = GAMES[game]
    rates, answers = [], []
    for seed in range(POSITIONS):
        match = middle_of(game, players, decisions, seed)
        assert match.to_act is not None
        world = match.resample(match.to_act, seed)
        policy = policy_of(game)
        the_search = (match.game, world._states, match.to_act, seed, policy.search, policy.weights_of("hard"))
        Search(*the_search).run(iterations=1)  # loads what is compiled
        search = Search(*the_search)
        began = time.process_time()
        search.run(iterations=10_000)  # fewer if the choice is clear earlier
        rates.append(search.iterations / (time.process_time() - began))
        began = time.perf_counter()
        make_bot("hard", game, seed).choose(SeatMatch(match, match.to_act))
        answers.append(time.perf_counter() - began)
    rates.sort()
    return {
        "game": game,
        "players": players,
        "iterations_per_second": round(rates[len(rates) // 2]),
        "lowest": round(rates[0]),
        "highest": round(rates[-1]),
        "wanted": wanted,
        "slowest_answer": max(answers),
    }


def main() -> None:
    rows = [measure(game) for game in GAMES]
    if "--json" in sys.argv:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print(
            f"{row['game']:18} {row['players']} players  {row['iterations_per_second']:>8,} iterations/s of CPU "
            f"({row['lowest']:,} to {row['highest']:,}; wanted {row['wanted']:,})  "
            f"slowest answer {row['slowest_answer']:.2f} s"
        )


if __name__ == "__main__":
    main()
