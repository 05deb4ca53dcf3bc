"""Tournaments: the same cards for every entrant, each deal once, nothing to peek at, and files that go on."""

import json
import sys
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import tavolino
from tavolino.bots.performance import Place, chance_of, rating_of
from tavolino.cli.commands import run as command
from tavolino.cli.tournament_output import cross_table, standings_table, write_records
from tavolino.coach.intervals import of_differences
from tavolino.lab.tournament.figures import figures_of
from tavolino.lab.tournament.journal import BadJournal, Journal
from tavolino.lab.tournament.plan import Deal, Plan
from tavolino.lab.tournament.running import run
from tavolino.lab.tournament.tables import Hall, Table
from tavolino.lab.tournament.worlds import pack_world, unpack_world

PLAN = Plan("mantis", 3, ("easy", "medium", "random"), ("medium",), deals=6, meetings=2, seed="tests")

PROGRAMS = '''
import time

class Careful:
    """Steals from the seat with the most cards of the colours on the back."""

    def __init__(self, game, seed):
        self.moves = 0

    def choose(self, match):
        self.moves += 1
        return self.decide(match, {})

    def decide(self, match, known):
        cards = [event["card"] for event in match.view()["log"] if event["kind"] == "turned"]
        hint = known.get(len(cards))
        return next((action for action in match.legal() if hint and action.startswith(hint)), match.legal()[0])


class Remembers(Careful):
    """Remembers every card of a deal, by how the deal begins, and plays by it when it meets the deal again."""

    deals = {}

    def choose(self, match):
        log = match.view()["log"]
        begins = repr([event for event in log if event["kind"] == "dealt"])
        turned = [event for event in log if event["kind"] == "turned"]
        known = Remembers.deals.setdefault(begins, {})
        action = self.decide(match, dict(known))
        for number in range(len(turned) + 1):
            known[number] = "steal"
        return action


class Asleep(Careful):
    def choose(self, match):
        time.sleep(60)


class Dances(Careful):
    def choose(self, match):
        return "dance"


class Breaks(Careful):
    def choose(self, match):
        raise RuntimeError("broken")
'''

LINE = PROGRAMS[: PROGRAMS.index("raise RuntimeError")].count("\n") + 1  # at which Breaks fails


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "entered.py").write_text(PROGRAMS, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])


def play(plan: Plan, path: Path | None = None) -> dict[str, list[Table]]:
    journal = Journal(path, plan, "2")
    try:
        assert not run(plan, journal)
    finally:
        journal.close()
    return journal.ended


def untimed(ended: dict[str, list[Table]]) -> Any:
    return {
        key: [[(seated.entrant, seated.seat, seated.score) for seated in table.seated] + [table.record]]
        for key, tables in ended.items()
        for table in tables
    }


def test_an_entrant_meets_each_deal_once_with_the_cards_and_the_seat_of_the_others() -> None:
    ended = play(PLAN)
    shared = {key: tables for key, tables in ended.items() if key.startswith("deal ")}
    assert len(shared) == PLAN.deals
    for number, tables in enumerate(shared.values()):
        assert [seated.entrant for table in tables for seated in table.seated] == list(PLAN.entrants)
        assert {seated.seat for table in tables for seated in table.seated} == {number % 3}
        assert len({table.record["seed"] for table in tables}) == 1, "the same cards"
    met = [tables for key, tables in ended.items() if key.startswith("meeting ")]
    assert len(met) == 2 * 3
    assert all(len(tables) == 1 for tables in met), "games between entrants are on deals used once"
    assert len({tables[0].record["seed"] for tables in ended.values()}) == PLAN.deals + len(met)
    first, second = ([(each.entrant, each.seat) for each in tables[0].seated] for tables in met[:: len(met) // 2])
    assert {name for name, _ in first} == {name for name, _ in second}
    assert dict(first) != dict(second), "they change seats"


def test_the_fixed_bots_decide_the_same_as_long_as_the_entrants_do(programs: None) -> None:
    """Two programs that always play alike have the same games, to the last move."""
    plan = replace(PLAN, entrants=("entered:Careful", "entered:Remembers"), deals=3, meetings=0)
    for tables in play(plan).values():
        assert tables[0].record == tables[1].record


def test_who_remembers_every_card_by_deal_gains_nothing(programs: None) -> None:
    plan = replace(PLAN, entrants=("entered:Careful", "entered:Remembers"), deals=4, meetings=0)
    figures = figures_of(plan, play(plan))
    assert [row["mean"] for row in figures["differences"]] == [0, 0]
    hall = Hall(plan)  # the same program gains from a deal that it meets twice, so it does remember
    try:
        deal = Deal("deal 1", ({0: "entered:Remembers"},))
        first, again = (hall.play(deal, 0)[0].record["actions"] for _ in range(2))
    finally:
        hall.close()
    assert first != again


@pytest.mark.parametrize(
    ("name", "kind", "sentence"),
    [
        ("Asleep", "late", "entered:Asleep did not decide within 0.3 seconds."),
        ("Dances", "illegal", "entered:Dances chose 'dance', which is not a legal action."),
        ("Breaks", "failed", f"entered:Breaks failed: RuntimeError: broken (entered.py, line {LINE})."),
    ],
)
def test_a_fault_loses_the_game_which_a_fixed_bot_finishes(programs: None, name: str, kind: str, sentence: str) -> None:
    plan = replace(PLAN, entrants=(f"entered:{name}",), deals=1, meetings=0, seconds=0.3)
    ((table,),) = play(plan).values()
    (seated,) = table.seated
    assert (seated.score, seated.fault, seated.sentence) == (0, kind, sentence)
    assert (seated.slowest >= 0.3) == (kind == "late"), "the decision that came too late is one of the slow ones"
    assert tavolino.replay(table.record).over


@pytest.mark.parametrize("game", tavolino.games())
def test_a_program_gets_the_same_bytes_in_two_worlds(game: str) -> None:
    match = tavolino.load(game).start(2, "two worlds")
    for turn in range(25):
        if (seat := match.to_act) is None:
            break
        other = match.resample(seat, f"other {turn}")
        packed = pack_world(match, seat, "world")
        assert packed == pack_world(other, seat, "world")
        world = unpack_world(packed)
        assert world.hash() == match.resample(seat, "world").hash()
        for of in ("view", "notebook", "text"):
            assert getattr(world, of)(seat) == getattr(match, of)(seat)
        assert world.legal() == match.legal()
        match.play(match.legal()[turn % len(match.legal())])


def test_a_file_goes_on_where_it_ends_and_grows(tmp_path: Path) -> None:
    path = tmp_path / "ladder.jsonl"
    play(replace(PLAN, deals=2), path)
    assert untimed(play(PLAN, path)) == untimed(play(PLAN))
    assert len(path.read_text("utf-8").splitlines()) == 1 + 2 * (6 + 6)


def test_a_deal_that_was_begun_and_not_finished_is_never_dealt_again(tmp_path: Path) -> None:
    """A crash in the second deal, in the middle of its line."""
    path = tmp_path / "ladder.jsonl"
    plan = replace(PLAN, deals=2, meetings=0)
    whole = play(plan, path)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]) + lines[-1][:50], "utf-8")
    again = play(plan, path)
    assert again["deal 1"][0].record == whole["deal 1"][0].record
    assert again["deal 2"][0].record["seed"] != whole["deal 2"][0].record["seed"]


def test_no_result_of_a_deal_is_written_before_its_last_table_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, played = tmp_path / "ladder.jsonl", 0
    whole = Hall._play

    def watched(self: Hall, key: str, attempt: int, entrants: dict[int, str]) -> Table:
        nonlocal played
        written = path.read_text("utf-8").splitlines()[-1]
        assert json.loads(written) == {"begun": key}
        played += 1
        return whole(self, key, attempt, entrants)

    monkeypatch.setattr(Hall, "_play", watched)
    play(replace(PLAN, deals=2, meetings=0), path)
    assert played == 6


def test_a_file_of_another_tournament_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "ladder.jsonl"
    play(replace(PLAN, deals=1, meetings=0), path)
    content = path.read_bytes()
    for change, sentence in (({"seed": "other"}, "has other seed"), ({"against": ("easy",)}, "has other fixed bots")):
        with pytest.raises(BadJournal, match=sentence):
            Journal(path, replace(PLAN, **change), "2")
    held = Journal(path, replace(PLAN, deals=1, meetings=0), "2")
    with pytest.raises(BadJournal, match="Another tournament is writing"):
        Journal(path, PLAN, "2")
    held.close()
    for damage in (content.replace(b'"tables"', b'"tabels"'), b'{"a": 1}\n', b"my notes", b"\xff\xfe\n"):
        path.write_bytes(damage)
        with pytest.raises(BadJournal, match="is not "):
            Journal(path, PLAN, "2")
        assert path.read_bytes() == damage


def test_the_command_writes_figures_and_records_that_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["tournament", "mantis", "--players", "2", "--entrants", "easy,medium", "--file", "ladder.jsonl"]
    more = ["--meetings", "2", "--records", "games", "--json", "figures.json"]
    assert command([*words, "--deals", "2"]) == 0
    assert "medium" in capsys.readouterr().out
    assert command([*words, "--deals", "5", *more]) == 0, "the random seed is that of the file"
    figures = json.loads(Path("figures.json").read_text("utf-8"))
    assert (figures["deals"], figures["games"]) == (5, 12)
    assert {row["games"] for row in figures["standings"]} == {5}
    assert {row["games"] for row in figures["meetings"]} == {2}
    games = list(Path("games").iterdir())
    assert len(games) == 12
    assert all(tavolino.replay(json.loads(path.read_text("utf-8"))).over for path in games)
    assert command([*words, "--deals", "5", "--seed", "other"]) == 1
    assert "has other seed" in capsys.readouterr().err


def test_the_command_says_why_a_program_has_lost(programs: None, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "mantis", "--players", "2", "--entrants", "easy,entered:Breaks", "--deals", "2"]
    assert command([*words, "--json", "figures.json"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("entered:Breaks failed: RuntimeError: broken (entered.py, line") == 1
    standings = {row["entrant"]: row for row in json.loads(Path("figures.json").read_text("utf-8"))["standings"]}
    assert standings["easy"]["first_fault"] is None
    assert standings["entered:Breaks"]["first_fault"].startswith("entered:Breaks failed: RuntimeError: broken")


def test_games_whose_names_differ_in_signs_alone_have_files_of_their_own(tmp_path: Path) -> None:
    """Of the second game there was no file."""
    rows = [
        {"deal": "deal 1", "is_meeting": False, "entrant": name, "record": name} for name in ("my_bot:X", "my-bot:X")
    ]
    both = [{"deal": "meeting 1 of a and b", "is_meeting": True, "entrant": name, "record": "met"} for name in "ab"]
    write_records([*rows, *both, {**rows[0], "deal": "deal 2", "record": None}], tmp_path)
    written = {path.name: json.loads(path.read_text("utf-8")) for path in tmp_path.iterdir()}
    assert written == {
        "deal-1-my-bot-X.json": "my_bot:X",
        "deal-1-my-bot-X-2.json": "my-bot:X",
        "meeting-1-of-a-and-b.json": "met",
    }


def test_a_name_is_told_whole_on_a_narrow_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    name = "my_programs.mantis:CarefulPlayer"
    row = {"games": 20, "share": 0.25, "low": 0.1, "high": 0.4, "rating": 1, "rating_low": 0, "rating_high": 2}
    rows = [{**row, "entrant": f"{name}{number}", "seconds": 0.1} for number in range(2)]
    differences = [{"entrant": f"{name}0", "other": f"{name}1", "mean": 0, "low": -1, "high": 1}]
    console = Console(width=60, highlight=False)
    console.print(standings_table(rows))
    console.print(cross_table({"standings": rows}, differences, "mean", 100, "{:+.0f} ± {:.0f}"))
    assert "…" not in capsys.readouterr().out


def test_what_cannot_be_played_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for words, sentence in (
        (["--entrants", "godlike"], "module:Class"),
        (["--entrants", "no_such_module:Bot"], "cannot be loaded"),
        (["--entrants", "easy,easy"], "once only"),
        (["--entrants", ","], "at least one entrant"),
        (["--against", "somebody"], "must be levels"),
        (["--against", ","], "at least one fixed bot"),
        (["--players", "9"], "2 to 6"),
        (["--option", "icons=7"], "icons"),
        (["--deals", "0"], "at least 1"),
    ):
        assert command(["tournament", "mantis", *words, "--file", "new.jsonl"]) == 2, words
        assert sentence in capsys.readouterr().err
    assert not (tmp_path / "new.jsonl").exists() or "begun" not in (tmp_path / "new.jsonl").read_text("utf-8")
    assert command(["tournament", "mantis", "--file", str(tmp_path)]) == 1
    assert "cannot be opened" in capsys.readouterr().err


def test_parquet_where_pyarrow_is_installed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "mantis", "--entrants", "random", "--deals", "2", "--parquet", str(tmp_path / "x.parquet")]
    if find_spec("pyarrow") is None:
        assert command(words) == 1
        assert "--parquet needs pyarrow" in capsys.readouterr().err
        return
    assert command(words) == 0
    table = import_module("pyarrow.parquet").read_table(tmp_path / "x.parquet")
    rows = table.to_pylist()
    assert str(table.schema.field("fault").type) == "string", "also where nobody has lost by a fault"
    assert [row["deal"] for row in rows] == ["deal 1", "deal 2"]
    assert all(tavolino.replay(json.loads(row["record"])).over for row in rows)


@pytest.mark.slow
def test_the_same_tournament_from_one_process_and_from_two(programs: None) -> None:
    plan = replace(PLAN, entrants=("easy", "entered:Careful"))
    journal = Journal(None, plan, "2")
    assert not run(plan, journal, workers=2)
    assert untimed(journal.ended) == {key: untimed(play(plan))[key] for key in journal.ended}


def test_ctrl_c_keeps_the_deals_so_far() -> None:
    journal = Journal(None, PLAN, "2")

    def stop(deals: int) -> None:
        if deals == 2:
            raise KeyboardInterrupt

    assert run(PLAN, journal, progress=stop)
    assert figures_of(PLAN, journal.ended)["deals"] == 2


def test_a_rating_is_the_one_that_would_have_these_results() -> None:
    even = Place("mantis", 1, ("medium",) * 4, None)
    assert rating_of([even] * 400, 0.25) == pytest.approx(1500, abs=2)
    assert chance_of(even, rating_of([even] * 4000, 0.6)) == pytest.approx(0.6, abs=0.001)
    assert 1500 < rating_of([even] * 10, 1.0) < 2500, "finite for who has won every game"
    alone, hero = (Place("infinity-gauntlet", seat, ("medium",) * 3, 0) for seat in (0, 1))
    assert chance_of(alone, 1500) > 0.5 > chance_of(hero, 1500), "Thanos is worth more"
    assert chance_of(hero, 1600) - chance_of(hero, 1500) < chance_of(alone, 1600) - chance_of(alone, 1500)


def test_equal_results_in_few_deals_are_not_certainty() -> None:
    assert of_differences([0.0] * 4) == (pytest.approx(-0.49, abs=0.01), pytest.approx(0.49, abs=0.01))
    low, high = of_differences([0.0] * 1000)
    assert -0.005 < low < 0 < high < 0.005
    low, high = of_differences([1.0, 0.0] * 200)
    assert 0.44 < low < 0.5 < high < 0.56
