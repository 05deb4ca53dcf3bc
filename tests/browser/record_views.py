"""Records views of all three games for the component tests (web/tests/recorded): run it when views change.

A test fails when the recorded views differ from those of the engine.
"""

import json
from pathlib import Path
from typing import Any

import tavolino

FOLDER = Path(__file__).parents[2] / "web" / "tests" / "recorded"
SEED = "views for the page"
MOMENTS = 40  # how many decisions are recorded, as a seat and as a spectator sees them
LINES = 6
PLAYERS = {"infinity-gauntlet": 4, "mantis": 4, "splendor-marvel": 3}


def short(view: dict[str, Any]) -> dict[str, Any]:
    """The view with only the end of its log, which is what a drawing shows."""
    return {**view, "log": view["log"][-LINES:]}


def moments(game: str) -> list[dict[str, Any]]:
    """A game in which decision n takes the action n, so that every kind of action comes up."""
    match = tavolino.load(game).start(players=PLAYERS[game], seed=SEED)
    seen = []
    for turn in range(MOMENTS):
        seat = match.to_act
        if seat is None:
            break
        moment = {"seat": short(match.view(seat)), "spectator": short(match.view(None))}
        if turn % 10 == 9:
            moment["notebook"] = match.notebook(seat)
        seen.append(moment)
        legal = match.legal()
        match.play(legal[(turn * 7) % len(legal)])
    return seen


def text(game: str) -> str:
    return json.dumps(moments(game), ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in PLAYERS:
        (FOLDER / f"{game}.json").write_text(text(game), "utf-8")


if __name__ == "__main__":
    main()
