"""The benchmark of beliefs: from the words that a seat has read, how likely is each card in each hidden place?

A prompt has the log of the seat and the table in words (`match.text`), and the places to be judged. An answer gives a
chance to each card that can be in a place. It is scored by its log loss against our belief, which is what follows from
the cards alone. Prompts do not hold the answers: the scorer plays the same games again.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tavolino
from tavolino.coach.beliefs import Belief, beliefs_of, believe
from tavolino.coach.intervals import Z_95
from tavolino.datasets.plan import ExportPlan
from tavolino.datasets.playing import GamePlayer
from tavolino.engine.chance import key_from_seed
from tavolino.engine.game import Json
from tavolino.engine.match import Match
from tavolino.engine.telling import Teller

PROTOCOL = 1
SEED = "beliefs 1"
PLAYED_BY = "medium"
WORLDS = 2000  # where our belief is not counted
FLOOR = 0.01  # of every answer is spread evenly over all cards, so that no loss is infinite
SURE = 1 - 1e-9  # a place in which one card is so likely is no question
MOST_EMPTY_GAMES = 100  # in a row without a hidden card in question
TASK = (
    "You are one player of this game and have read the text below. For each place in `places`, say how likely each card"
    " is to be there, from what the text says about the cards alone: every arrangement that fits it is equally likely,"
    " and nothing is inferred from how the others play. +1 is the next seat clockwise, and places of a deck are counted"
    " from the top. For a hand of several cards, say it of one card of the hand, drawn at random. Answer as JSON:"
    ' {"ID": {"PLACE": {"CARD": CHANCE, ...}, ...}, ...}; the chances of a place add up to 1, and cards that are left'
    " out have none."
)
Progress = Callable[[int], None]


class BadAnswers(ValueError):
    """The answers cannot be scored. The message is one sentence."""


@dataclass(frozen=True)
class BeliefsBench:
    """Which positions: one of each game between `medium` bots."""

    game: str
    players: int
    positions: int = 100
    seed: str = SEED
    language: str = "en"
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """One position as the seat to act knows it, with our belief."""

    match: Match
    seat: int
    belief: Belief
    places: tuple[int, ...]  # that are in question


def questions(bench: BeliefsBench) -> Iterator[Question]:
    """The positions of the benchmark; ValueError if this game hides too little."""
    if bench.positions < 1:
        raise ValueError(f"There must be at least 1 position, not {bench.positions}.")
    tavolino.load(bench.game).check_players(bench.players)
    beliefs_of(bench.game)
    player = GamePlayer(ExportPlan(bench.game, bench.players, (PLAYED_BY,), seed=bench.seed, options=bench.options))
    found = number = empty = 0
    while found < bench.positions:
        question = _question(player, number)
        number += 1
        empty = 0 if question else empty + 1
        if empty > MOST_EMPTY_GAMES:
            raise ValueError(f"Nothing is hidden in {empty} games of {bench.game}: there is nothing to ask.")
        if question:
            found += 1
            yield question


def _question(player: GamePlayer, number: int) -> Question | None:
    """A position of a game in which something is in question: the first one from a random decision on."""
    rows = player.play(number, 1)
    match = player.start(number)
    wanted = int(key_from_seed(f"{player.plan.deal(number)} position")[0]) % len(rows.games)
    for row in range(len(rows.games)):
        if row >= wanted:
            question = ask(match, int(rows.seats[row]))
            if question.places:
                return question
        match.advance(match.game.action_text(match._reading, int(rows.choices[row])))
    return None


def ask(match: Match, seat: int) -> Question:
    """What is in question for a seat."""
    belief = believe(match, seat, WORLDS)
    rows = belief.table
    places = [place for place in range(len(rows)) if (total := rows[place].sum()) and rows[place].max() < SURE * total]
    return Question(match, seat, belief, tuple(places))


def prompts(bench: BeliefsBench, progress: Progress = lambda done: None) -> Json:
    """All prompts, as JSON; they hold what the seats have read and nothing else."""
    game = tavolino.load(bench.game)
    teller = Teller(game, bench.language)
    asked = []
    for number, question in enumerate(questions(bench)):
        asked.append(prompt(question, str(number), bench.language))
        progress(number + 1)
    return {
        "benchmark": f"beliefs {PROTOCOL}",
        "game": bench.game,
        "rules": game.rules,
        "players": bench.players,
        "options": dict(bench.options),
        "seed": bench.seed,
        "task": TASK,
        "how_to_play": teller.rules(),
        "card_facts": teller.cards(),
        "cards": list(beliefs_of(bench.game).cards),
        "prompts": asked,
    }


def prompt(question: Question, id: str, language: str) -> Json:
    """One prompt: the whole log of the seat, and the table in words."""
    match, seat = question.match, question.seat
    log = Teller(match.game, language, seat).log(match.view(seat)["log"])
    names = beliefs_of(match.game.name).places
    return {
        "id": id,
        "seat": seat,
        "text": f"{log}\n\n{match.text(seat, language)}",
        "places": [names[place] for place in question.places],
    }


# -- scores


def score(bench: BeliefsBench, answers: Mapping[str, Any] | None, progress: Progress = lambda done: None) -> Json:
    """The mean log loss in bits of uniform answers, of ours and of the given ones, with 95% intervals."""
    beliefs = beliefs_of(bench.game)
    even = np.full(len(beliefs.cards), 1 / len(beliefs.cards))
    columns: dict[str, list[float]] = {"uniform": [], "ours": []}
    if answers is not None:
        columns["answers"] = []
    exact, ids = 0, set()
    for number, question in enumerate(questions(bench)):
        ids.add(str(number))
        truth = [question.belief.table[place] / question.belief.table[place].sum() for place in question.places]
        given = {"uniform": [even] * len(truth), "ours": truth}
        if answers is not None:
            given["answers"] = _read_answer(bench.game, answers, str(number), question)
        for name, rows in given.items():
            columns[name].append(float(np.mean([_loss(one, other) for one, other in zip(truth, rows, strict=True)])))
        exact += question.belief.is_exact
        progress(number + 1)
    if answers is not None and (extra := set(answers) - ids):
        raise BadAnswers(f"There is no prompt {min(extra)!r}: prompts are numbered 0 to {bench.positions - 1}.")
    ours = np.array(columns["ours"])
    figures: Json = {
        "benchmark": f"beliefs {PROTOCOL}",
        "game": bench.game,
        "players": bench.players,
        "positions": bench.positions,
        "counted": exact,
        "seed": bench.seed,
        "bits": {name: _mean(np.array(losses)) for name, losses in columns.items()},
    }
    if answers is not None:
        figures["more_than_ours"] = _mean(np.array(columns["answers"]) - ours)
    return figures


def _loss(truth: NDArray[np.float64], answer: NDArray[np.float64]) -> float:
    """The expected log loss in bits of an answer, if our belief is true."""
    is_possible = truth > 0
    chances = (1 - FLOOR) * answer[is_possible] + FLOOR / len(answer)
    return float(-(truth[is_possible] * np.log2(chances)).sum())


def _mean(values: NDArray[np.float64]) -> Json:
    reach = Z_95 * float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else 0.0
    return {"mean": float(values.mean()), "low": float(values.mean()) - reach, "high": float(values.mean()) + reach}


def _read_answer(game: str, answers: Mapping[str, Any], id: str, question: Question) -> list[NDArray[np.float64]]:
    beliefs = beliefs_of(game)
    answer = answers.get(id)
    if not isinstance(answer, Mapping):
        raise BadAnswers(f"Prompt {id} has no answer: it must be an object with the chances of each place.")
    wanted = [beliefs.places[place] for place in question.places]
    if unknown := set(answer) - set(wanted):
        raise BadAnswers(f"The answer to prompt {id} has the place {min(unknown)!r}, which was not asked.")
    return [_read_chances(list(beliefs.cards), answer.get(place), id, place) for place in wanted]


def _read_chances(cards: list[str], chances: Any, id: str, place: str) -> NDArray[np.float64]:
    where = f"The answer to prompt {id}, place {place!r},"
    if not isinstance(chances, Mapping) or not chances:
        raise BadAnswers(f"{where} is missing: it must have a chance for each card.")
    row = np.zeros(len(cards))
    for card, chance in chances.items():
        if card not in cards:
            raise BadAnswers(f"{where} names {card!r}, which is no card of this game.")
        if isinstance(chance, bool) or not isinstance(chance, int | float) or not 0 <= chance <= 1:
            raise BadAnswers(f"{where} gives {card} the chance {chance!r}, which is not between 0 and 1.")
        row[cards.index(card)] = chance
    if not 0.98 <= row.sum() <= 1.02:
        raise BadAnswers(f"{where} adds up to {row.sum():.3f} and not to 1.")
    return row / row.sum()


def read_answers(path: Path) -> Mapping[str, Any]:
    """The answers of a file; BadAnswers if it holds none."""
    try:
        answers = json.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise BadAnswers(f"The answers {path} cannot be read: {problem.strerror}.") from None
    except ValueError:
        answers = None
    if not isinstance(answers, dict):
        raise BadAnswers(f"{path} is not an object of JSON with an answer for each prompt.")
    return answers
