"""`tavolino review FILE`: reviews a finished game from one seat: its decisions, its luck, the other players."""

import shutil
import sys
import textwrap
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.figures import write_json
from tavolino.cli.option_values import LANGUAGE_HELP, check_json_file, choose_language, warn_of_untranslated
from tavolino.cli.saved import KEY, read_record

if TYPE_CHECKING:
    from tavolino.coach.review import Decision, Review, Step
    from tavolino.engine.match import Match

PLOT_ROWS = 9
PLOT_WIDTH = 60
POINT, OWN_POINT, LOSS = "·", "●", "✕"
PER_CENT = 100.0
INDENT = "   "


def review(
    file: Annotated[Path, typer.Argument(help="The file of a finished game: from “tavolino play” or from a table.")],
    seat: Annotated[int | None, typer.Option(help="Review this seat; by default, the seats of people.")] = None,
    to_json: Annotated[
        str | None,
        typer.Option(
            "--json",
            callback=check_json_file,
            help="Write the review as JSON to this file; - is stdout.",
            metavar="FILE",
        ),
    ] = None,
    language: Annotated[str | None, typer.Option(help=LANGUAGE_HELP)] = None,
) -> None:
    """Review a finished game: what each decision cost, how lucky the seat was, and what is worth another look."""
    spoken = choose_language(language)
    record = read_record(file)
    match = _finished(record, file)
    if seat is not None and not 0 <= seat < match.players:
        raise WrongUse(f"There is no seat {seat}: seats are numbered 0 to {match.players - 1}.")
    seats = [seat] if seat is not None else _seats_of_people(record, match.players)
    reviews = [_review(record, one) for one in seats]
    if to_json is not None:
        _write_json(record, reviews, to_json)
    if to_json != "-":
        warn_of_untranslated(spoken, match.game)
        for number, each in enumerate(reviews):
            if number:
                print()
            _Page(match, each, spoken).show()


def _finished(record: dict[str, Any], file: Path) -> "Match":
    """The match at its end; raises a Failure for a record that cannot be reviewed."""
    import tavolino

    try:
        match = tavolino.replay(record)
    except tavolino.BadRecord as bad:
        raise Failure(f"The file {file} cannot be replayed. {bad}") from None
    if not match.over:
        raise Failure(f"The game in {file} is not over: only finished games are reviewed.")
    return match


def _seats_of_people(record: dict[str, Any], players: int) -> list[int]:
    """The seats of people, if the file says who sat where; otherwise all seats."""
    plan, fairness = record.get(KEY), record.get("fairness")
    people: Any = plan.get("people") if isinstance(plan, dict) else None
    if people is None and isinstance(fairness, dict) and isinstance(fairness.get("bots"), list):
        people = [seat for seat in range(players) if seat not in fairness["bots"]]
    known = [seat for seat in range(players) if isinstance(people, list) and seat in people]
    return known or list(range(players))


def _review(record: dict[str, Any], seat: int) -> "Review":
    import tavolino
    from tavolino.cli.progress import progress_bar
    from tavolino.coach.review import review as review_game
    from tavolino.engine.records import begin_replay

    actions = record["actions"]
    with progress_bar(len(actions), f"seat {seat}") as tell:
        start = begin_replay(record, tavolino.load)
        return review_game(start, actions, seat, progress=lambda done, total: tell(done))


def _write_json(record: dict[str, Any], reviews: list["Review"], to_json: str) -> None:
    from tavolino.coach.written import review_json

    about = {name: record[name] for name in ("game", "rules", "players")}
    write_json({**about, "reviews": [review_json(each) for each in reviews]}, to_json, "review")


@dataclass
class _Page:
    """A review as lines of text."""

    match: "Match"
    review: "Review"
    language: str

    def show(self) -> None:
        from tavolino.cli.words import Words

        self._words: Words = Words(self.match.game, self.language, range(self.match.players), self.review.seat)
        words, review = self._words, self.review
        tell(words.own("review.title", game=words.say("name"), name=words.name(review.seat)))
        print()
        for line in plot(review.steps, review.seat, {each.turn for each in review.moments}):
            print(line)
        tell(words.own("review.legend", own=OWN_POINT, loss=LOSS))
        print()
        self._show_parts()
        if review.turning_point is not None:
            print()
            self._show_turning_point(review.turning_point)
        print()
        if not review.moments:
            tell(words.own("review.no-moments"))
            return
        tell(words.own("review.moments"))
        for decision in review.moments:
            self._show_moment(decision)

    def _show_parts(self) -> None:
        words, parts, review = self._words, self.review.parts, self.review
        tell(words.own("review.start", start=_percent(parts.start)))
        for key, value, error in (
            ("luck", parts.luck, parts.luck_error),
            ("own", parts.own, parts.own_error),
            ("others", parts.others, parts.others_error),
        ):
            tell(words.own(f"review.{key}", points=_points(value), error=_error(error)))
        tell(words.own("review.result", result=_percent(parts.result)))
        print()
        if review.skill is not None:
            tell(words.own("review.skill", skill=_percent(review.skill), lost=_percent(review.given_away)))
        tell(words.own("review.difficulty", points=_percent(review.difficulty)))

    def _show_turning_point(self, step: "Step") -> None:
        words = self._words
        change = {"turn": step.turn, "before": _percent(step.before), "after": _percent(step.after)}
        tell(words.own("review.turning-point", **change))
        following = [each.line for each in self.review.steps if each.line > step.line]
        log = self.match.view(self.review.seat)["log"]
        for event in log[step.line : following[0] if following else len(log)]:
            tell(words.tell(event), INDENT)

    def _show_moment(self, decision: "Decision") -> None:
        words, judged = self._words, decision.judgement
        cost = {"cost": _percent(judged.cost), "error": _error(judged.cost_error)}
        label = words.own(f"review.label.{judged.label}")
        tell(words.own("review.moment", turn=decision.turn, action=words.label(judged.chosen), label=label, **cost))
        tell(words.own("review.better", action=words.label(judged.best)), INDENT)
        for fact in decision.reasons:
            rule = f"  [{fact.rule}]" if fact.rule else ""
            tell(f"{words.say(f'reason.{fact.key}', fact.params)}{rule}", INDENT)


def tell(text: str, indent: str = "") -> None:
    """Print a sentence: on a terminal broken between words, elsewhere as one line."""
    if not sys.stdout.isatty():
        print(indent + text)
        return
    width = shutil.get_terminal_size().columns
    print(textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False))


def _percent(chance: float) -> int:
    return round(chance * PER_CENT)


def _error(error: float) -> int:
    """Rounded up: a measured figure is never exact."""
    return ceil(error * PER_CENT)


def _points(change: float) -> str:
    """A change of the winning chance, with its sign; zero has none."""
    points = round(change * PER_CENT)
    return f"{points:+d}".replace("-", "−") if points else "0"


def plot(steps: "tuple[Step, ...]", seat: int, losses: set[int], width: int = PLOT_WIDTH) -> list[str]:
    """The winning chance from the deal to the end; a column for each step, or for several steps in long games."""
    if not steps:
        return []
    columns: list[tuple[float, str]] = [(steps[0].before, POINT)]
    share = max(1.0, (len(steps) + 1) / width)
    for step in steps:
        sign = LOSS if step.turn in losses else OWN_POINT if step.seat == seat else POINT
        if int(step.turn / share) < len(columns):  # the last column is shared: the more important sign stays
            sign = max(columns[-1][1], sign, key=(POINT, OWN_POINT, LOSS).index)
            columns[-1] = (step.after, sign)
        else:
            columns.append((step.after, sign))
    top = PLOT_ROWS - 1
    rows = [[" "] * len(columns) for _ in range(PLOT_ROWS)]
    for at, (chance, sign) in enumerate(columns):
        rows[top - round(min(max(chance, 0.0), 1.0) * top)][at] = sign
    labels = {0: "100%", top // 2: "50%", top: "0%"}
    return [f"{labels.get(number, ''):>4} │{''.join(row)}".rstrip() for number, row in enumerate(rows)]
