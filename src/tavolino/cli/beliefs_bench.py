"""`tavolino beliefs-bench`: how well somebody who reads knows where the hidden cards are."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.figures import write_json
from tavolino.cli.option_values import (
    LANGUAGE_HELP,
    GameOptions,
    JsonOption,
    PlayersOption,
    check_game_name,
    choose_language,
    list_games,
    players_or_usual,
    read_options,
)
from tavolino.cli.progress import progress_bar


def beliefs_bench(
    game: Annotated[str, typer.Argument(help=list_games())],
    prompts: Annotated[str | None, typer.Option(metavar="FILE|-", help="Write the prompts to this file.")] = None,
    answers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Score these answers to the same prompts.")
    ] = None,
    players: PlayersOption = None,
    positions: Annotated[int, typer.Option(min=1, help="Number of prompts, each from another game.")] = 100,
    seed: Annotated[str, typer.Option(help="Of the games; leave it as it is to compare with others.")] = "beliefs 1",
    language: Annotated[str | None, typer.Option(help=LANGUAGE_HELP)] = None,
    option: GameOptions = None,
    to_json: JsonOption = None,
) -> None:
    """From the words that a seat has read: how likely is each card in each hidden place?

    Write the prompts, answer them, and score the answers with the same options. Without prompts or answers it prints
    the scores of the baselines.
    """
    check_game_name(game)
    options = read_options(option or [])
    spoken = choose_language(language)
    from tavolino.datasets.beliefs_bench import BadAnswers, BeliefsBench, read_answers, score
    from tavolino.datasets.beliefs_bench import prompts as make

    bench = BeliefsBench(game, players_or_usual(game, players), positions, seed, spoken, options)
    try:
        with progress_bar(positions, "positions") as tell:
            if prompts is not None:
                write_json(make(bench, tell), prompts, "prompts", 1)
                return
            figures = score(bench, None if answers is None else read_answers(answers), tell)
    except BadAnswers as bad:
        raise Failure(bad) from None
    except (ValueError, LookupError) as wrong:
        raise WrongUse(wrong) from None
    if to_json is not None:
        write_json(figures, to_json, "figures")
    if to_json != "-":
        _show(figures)


def _show(figures: dict[str, Any]) -> None:
    print(f"{figures['game']}, {figures['players']} players, {figures['positions']} positions; mean log loss in bits:")
    for name, each in figures["bits"].items():
        print(f"{name:8} {each['mean']:.3f} ({each['low']:.3f} to {each['high']:.3f})")
    if apart := figures.get("more_than_ours"):
        print(f"more than ours, paired: {apart['mean']:+.3f} ({apart['low']:+.3f} to {apart['high']:+.3f})")
