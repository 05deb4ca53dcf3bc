"""Records the corpus of the newest rules: random games of every title, number of players, option and end reason.

A record here has one key more than usual: `hashes`, eight digits for the start and after every action. There is one
file for each version of a game's rules, and it never changes: a new version writes a new file. `make corpus` runs this.
"""

import json
import random
from pathlib import Path
from typing import Any

import tavolino
from tavolino.engine.testing import random_options

HERE = Path(__file__).parent
GAMES = 64
MOST_TRIES = 4000  # for the end reasons that are rare in random play


def play(game: tavolino.Game, number: int) -> dict[str, Any]:
    """One random game, with a hash after every action."""
    chance = random.Random(f"corpus {game.name} {number}")
    players = game.players[number % len(game.players)]
    seeds: list[str | int | bytes] = [f"corpus {number}", number, number.to_bytes(4, "big")]
    match = game.start(players, seeds[number % 3], random_options(game, players, chance))
    return with_hashes(match, lambda legal: chance.choice(legal))


def with_hashes(match: tavolino.Match, choose: Any) -> dict[str, Any]:
    hashes = match.hash()[:8]
    while not match.over:
        match.play(choose(match.legal()))
        hashes += match.hash()[:8]
    assert match.outcome is not None
    return {**match.record(), "hashes": hashes, "reason": match.outcome.reason}


def main() -> None:
    for name in tavolino.games():
        game = tavolino.load(name)
        path = HERE / f"{name}.{game.rules}.jsonl"
        if path.exists():
            continue
        records = [play(game, number) for number in range(GAMES)]
        scripted = [json.loads(path.read_text()) for path in sorted((HERE / name).glob("*.json"))]
        for record in scripted:
            moves = iter(record["actions"])
            match = game.start(record["players"], record["seed"], record["options"], record["decks"])
            records.append(with_hashes(match, lambda legal, moves=moves: next(moves)))
        missing = set(filter(None, game.reasons)) - {record["reason"] for record in records}
        for number in range(GAMES, MOST_TRIES):
            if not missing:
                break
            record = play(game, number)
            if record["reason"] in missing:
                records.append(record)
                missing.discard(record["reason"])
        assert not missing, f"no game of {name} ended by {missing}"
        lines = [json.dumps(record, separators=(",", ":"), sort_keys=True) for record in records]
        path.write_text("\n".join(lines) + "\n")
        print(f"{name}, rules {game.rules}: {len(records)} games")


if __name__ == "__main__":
    main()
