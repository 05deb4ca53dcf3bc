"""`tavolino export`: the games themselves, nothing that a seat may not know, and the same bytes however it is made."""

from __future__ import annotations

import glob
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

from tavolino.bots import SeatMatch
from tavolino.cli import main
from tavolino.coach.decision import Effort
from tavolino.coach.review import ReviewEffort, review
from tavolino.datasets import export as exporting
from tavolino.datasets import labels as labelling
from tavolino.datasets.export import columns_of, export, make_shard
from tavolino.datasets.files import TornShard, read_shard, shard_bytes
from tavolino.datasets.labels import label_decision, labels
from tavolino.datasets.plan import ExportFailed, ExportPlan
from tavolino.datasets.playing import GamePlayer
from tavolino.engine.game import Game
from tavolino.engine.match import Match
from tavolino.games import part_of
from tavolino.lab.own_bots import BotFailed
from tavolino.research.encodings import encoding_of
from tavolino.research.observing import encode
from tavolino.research.recording import Rows

QUICK = ReviewEffort(Effort(1, 1, 1, 1, 1, 1, error=1.0, value_error=1.0, search=1), 1, 1, 1.0, 1.0)


class FirstLegal:
    """A bot from outside."""

    def __init__(self, game: str, seed: int):
        self.game = game

    def choose(self, match: SeatMatch) -> str:
        return match.legal()[0]


class Cheat:
    """A bot that chooses what is not legal."""

    def __init__(self, game: str, seed: int):
        pass

    def choose(self, match: Any) -> str:
        return "win"


def positions(player: GamePlayer, rows: Rows) -> Iterator[tuple[int, Match]]:
    """Each row with its game as a table has it."""
    match = None
    for row, turn in enumerate(rows.turns.tolist()):
        match = player.start(int(rows.games[row])) if turn == 0 else match
        assert match is not None
        yield row, match
        match.advance(match.game.action_text(match._reading, int(rows.choices[row])))


def seen(match: Match, seat: int, size: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    encoding = encoding_of(match.game.name)
    mask, out = np.zeros(encoding.action_count, np.int8), np.zeros(size, np.uint8)
    numbers = np.zeros(encoding.action_count, np.int32)
    encode(match._states, 0, seat, encoding.turned(match.players)[1], numbers, mask, out)
    return out, mask


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


# -- the games


@pytest.mark.parametrize("bots", [("random",), ("medium", "easy"), (f"{__name__}:FirstLegal", "random")])
def test_rows_are_the_decisions_of_games_that_can_be_dealt_again(game: Game, bots: tuple[str, ...]) -> None:
    player = GamePlayer(ExportPlan(game.name, 3, bots, seed="again"))
    rows = player.play(5, 4)
    assert sorted(set(rows.games.tolist())) == [5, 6, 7, 8]
    to_rules = encoding_of(game.name).turned(3)[0]
    last = None
    for row, match in positions(player, rows):
        seat = int(rows.seats[row])
        assert match.to_act == seat
        assert to_rules[seat, rows.actions[row]] == rows.choices[row]
        assert rows.masks[row, rows.actions[row]] == 1
        assert rows.masks[row].sum() == len(match.legal())
        if bots[0].endswith("FirstLegal") and player.seating(int(rows.games[row])).players[seat] == 0:
            assert match.game.action_text(match._reading, int(rows.choices[row])) == match.legal()[0]
        last = match
    assert last is not None
    assert last.outcome is not None
    mine = rows.games == 8
    for seat in range(3):
        got = set(rows.returns[mine & (rows.seats == seat)].tolist())
        won = seat in last.outcome.winners
        assert all((value > -1) == won for value in got) or not last.outcome.winners


def test_searching_bots_take_part() -> None:
    rows = GamePlayer(ExportPlan("mantis", 2, ("hard", "random"), iterations=8)).play(0, 2)
    assert len(set(rows.games.tolist())) == 2


def test_games_do_not_depend_on_where_a_shard_begins(game: Game) -> None:
    player = GamePlayer(ExportPlan(game.name, 2, ("medium", "random")))
    whole, parts = player.play(0, 6), [player.play(first, 2) for first in (0, 2, 4)]
    for name in Rows._fields:
        assert (getattr(whole, name) == np.concatenate([getattr(part, name) for part in parts])).all()


# -- what a seat may not know


@pytest.mark.parametrize("knowledge", [False, True])
def test_in_worlds_that_the_seat_cannot_tell_apart_the_exported_bytes_are_the_same(game: Game, knowledge: bool) -> None:
    player = GamePlayer(ExportPlan(game.name, 3, ("medium",), seed="worlds", knowledge=knowledge))
    rows = player.play(0, 2)
    files = [shard_bytes(columns_of(rows), format) for format in ("parquet", "npz")]
    hidden = 0
    for number in range(2):
        other = Rows._make(column.copy() for column in rows)
        for row, match in positions(player, rows):
            seat = int(rows.seats[row])
            world = match.resample(seat, f"{number} {row}")
            hidden += world._states.tobytes() != match._states.tobytes()
            other.observations[row], other.masks[row] = seen(world, seat, rows.observations.shape[1])
        assert [shard_bytes(columns_of(other), format) for format in ("parquet", "npz")] == files
    assert hidden > 0


def test_values_and_beliefs_are_the_same_in_those_worlds(game: Game) -> None:
    player = GamePlayer(ExportPlan(game.name, 3, values=True, beliefs=True, worlds=4))
    rows = player.play(1, 1)
    columns = labels(player, rows)
    again = {
        name: np.zeros_like(column) + np.nan if column.dtype != bool else column.copy()
        for name, column in columns.items()
    }
    taken = []
    for row, match in positions(player, rows):
        if row % 7 == 3:
            seat = int(rows.seats[row])
            label_decision(match.resample(seat, row), seat, 4, player.own_numbers(seat), again, row)
            taken.append(row)
    assert taken
    for name, column in columns.items():
        assert column[taken].tobytes() == again[name][taken].tobytes(), name


def test_every_legal_action_has_a_value_and_no_other(game: Game) -> None:
    player = GamePlayer(ExportPlan(game.name, 2, values=True, worlds=2))
    rows = player.play(2, 1)
    columns = labels(player, rows)
    assert (np.isnan(columns["value"]) == (rows.masks == 0)).all()
    assert np.nanmin(columns["value"]) >= 0
    assert np.nanmax(columns["value"]) <= 1
    assert np.nanmin(columns["value_error"]) > 0


def test_luck_start_own_and_others_add_up_to_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Luck is that of reviews: the same steps."""
    monkeypatch.setattr(labelling, "EFFORT", QUICK)
    player = GamePlayer(ExportPlan("mantis", 2, luck=True))
    rows = player.play(0, 1)
    columns = labels(player, rows)
    texts = [match.game.action_text(match._reading, int(rows.choices[row])) for row, match in positions(player, rows)]
    for seat in range(2):
        found = review(player.start(0), texts, seat, QUICK)
        distance = (seat - rows.seats) % 2
        assert np.allclose(columns["luck"][np.arange(len(texts)), distance], [step.luck for step in found.steps])
    assert (columns["luck_error"] >= 0).all()


# -- files


@pytest.mark.parametrize("format", ["parquet", "npz"])
def test_a_shard_is_read_as_it_was_written(format: str, tmp_path: Path) -> None:
    player = GamePlayer(ExportPlan("splendor-marvel", 2, values=True, beliefs=True, worlds=1, format=format))
    rows = player.play(0, 1)
    columns = {**columns_of(rows), **labels(player, rows)}
    path = tmp_path / f"shard.{format}"
    path.write_bytes(shard_bytes(columns, format))
    found = read_shard(path)
    assert list(found) == list(columns)
    for name, column in columns.items():
        assert found[name].dtype == column.dtype, name
        assert found[name].tobytes() == column.tobytes(), name
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(TornShard, match="not a whole shard"):
        read_shard(path)


@pytest.mark.parametrize("format", ["parquet", "npz"])
def test_an_interrupted_export_goes_on_and_gives_the_same_bytes(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = ExportPlan("mantis", 4, ("random", "medium"), games=25, seed="é 1", games_per_shard=10, format=format)
    assert not export(plan, tmp_path / "whole")["stopped"]
    made: list[int] = []

    def interrupted(work: tuple[ExportPlan, int]) -> Any:
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(work[1])
        return make_shard(work)

    with monkeypatch.context() as patch:
        patch.setattr(exporting, "make_shard", interrupted)
        assert export(plan, tmp_path / "parts")["stopped"]
    assert (tmp_path / "parts" / plan.file_name(10)).is_file()
    (tmp_path / "parts" / plan.file_name(20)).write_bytes(b"a file that was interrupted before it was listed")
    counts: list[int] = []
    index = export(plan, tmp_path / "parts", progress=counts.append)
    assert made == [0, 10]
    assert counts == [20, 25]
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    assert [shard["games"] for shard in index["shards"]] == [10, 10, 5]


@pytest.mark.slow
def test_the_same_bytes_with_any_number_of_workers_and_on_ray(tmp_path: Path) -> None:
    plan = ExportPlan("infinity-gauntlet", 3, ("medium",), games=9, beliefs=True, worlds=8, games_per_shard=2)
    for workers, ray in ((1, None), (2, None), (1, "local")):
        export(plan, tmp_path / f"{workers} {ray}", workers, ray)
    assert contents(tmp_path / "1 None") == contents(tmp_path / "2 None") == contents(tmp_path / "1 local")


# -- bad input: one sentence, nothing lost


SMALL = ExportPlan("mantis", 2, games=4, games_per_shard=2, format="npz")


def refused(plan: ExportPlan, folder: Path) -> str:
    before = contents(folder) if folder.is_dir() else {}
    with pytest.raises((ValueError, LookupError)) as refusal:
        export(plan, folder)
    assert (contents(folder) if folder.is_dir() else {}) == before
    sentence = str(refusal.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": "1"}, "seed"),
        ({"games": 6}, "games"),
        ({"options": {"first": 1}}, "options"),
        ({"values": True}, "values"),
    ],
)
def test_a_resume_with_other_settings_is_refused(change: dict[str, Any], named: str, tmp_path: Path) -> None:
    export(SMALL, tmp_path / "data")
    assert f"(with other {named})" in refused(replace(SMALL, **change), tmp_path / "data")


def test_a_torn_or_missing_shard_is_named(tmp_path: Path) -> None:
    export(SMALL, tmp_path)
    shard = tmp_path / SMALL.file_name(2)
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-1])
    assert SMALL.file_name(2) in refused(SMALL, tmp_path)
    shard.unlink()
    assert "damaged or missing" in refused(SMALL, tmp_path)
    index = json.loads((tmp_path / "dataset.json").read_text())
    index["shards"] = index["shards"][:1]
    (tmp_path / "dataset.json").write_text(json.dumps(index))
    export(SMALL, tmp_path)
    assert shard.read_bytes() == whole


def test_a_folder_of_other_files_and_a_broken_index_are_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("all of it")
    assert "holds other files" in refused(SMALL, tmp_path)
    (tmp_path / "dataset.json").write_text("{")
    assert "cannot be read" in refused(SMALL, tmp_path)
    assert "cannot be used" in refused(SMALL, tmp_path / "thesis.tex")


@pytest.mark.parametrize(
    "change",
    [
        {"players": 9},
        {"format": "csv"},
        {"worlds": 0},
        {"games": 0},
        {"games_per_shard": -1},
        {"bots": ("nobody",)},
        {"options": {"icons": 3}},
        {"game": "whist"},
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    refused(replace(SMALL, **change), tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(("part", "change"), [("encoding", {}), ("beliefs", {"beliefs": True})])
def test_a_game_without_the_part_is_named(
    part: str, change: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("tavolino.research.encodings", "tavolino.coach.beliefs"):
        monkeypatch.setattr(f"{module}.part_of", lambda name, wanted: None if wanted == part else part_of(name, wanted))
    assert f"mantis.{part} is missing" in refused(replace(SMALL, **change), tmp_path / "new")


def test_a_bot_that_chooses_what_is_not_legal_is_named(tmp_path: Path) -> None:
    with pytest.raises(BotFailed, match=r"in game 0, seat [01], which is not a legal action"):
        export(replace(SMALL, bots=(f"{__name__}:Cheat",)), tmp_path)


def test_the_exit_code_says_whether_the_command_or_the_bot_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["export", "mantis", str(tmp_path / "new"), "--games", "2"]
    assert main([*words, "--format", "csv"]) == 2
    assert "no format 'csv'" in capsys.readouterr().err
    assert main([*words, "--bots", f"{__name__}:Cheat"]) == 1
    assert "not a legal action" in capsys.readouterr().err


def test_a_full_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(SMALL, tmp_path / "whole")

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(ExportFailed, match="could not be written: No space left"):
            export(SMALL, tmp_path / "new")
    export(SMALL, tmp_path / "new")
    assert contents(tmp_path / "new") == contents(tmp_path / "whole")


def test_all_files_of_a_folder_are_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the data card says."""
    index = export(replace(SMALL, format="parquet", beliefs=True), tmp_path)
    monkeypatch.chdir(tmp_path)
    (written,) = re.findall(r"`(pyarrow\.parquet\.read_table.*)`", (tmp_path / "README.md").read_text("utf-8"))
    table = eval(written, {"pyarrow": pyarrow, "glob": glob})
    shards = [read_shard(tmp_path / shard["file"]) for shard in index["shards"]]
    assert len(shards) > 1
    assert set(table.column_names) == set(shards[0])
    assert table.column("action").to_pylist() == np.concatenate([each["action"] for each in shards]).tolist()
    assert table.column("belief").to_pylist() == np.concatenate([each["belief"] for each in shards]).tolist()


# -- the command


def test_the_command_writes_a_card_and_says_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "data"
    words = ["export", "mantis", str(folder), "--players", "2", "--games", "3", "--beliefs", "--format", "npz"]
    assert main(words) == 0
    assert "3 games" in capsys.readouterr().out
    card = (folder / "README.md").read_text("utf-8")
    columns = read_shard(folder / "games-000000000.npz")
    assert all(f"| `{name}` |" in card for name in columns)
    assert card.count("| `") == len(columns)
    assert "`blue:red+green`" in card
    assert main([*words, "--seed", "other"]) == 1
    assert "another export (with other seed)" in capsys.readouterr().err
    assert main(["export", "whist", str(folder)]) == 2
