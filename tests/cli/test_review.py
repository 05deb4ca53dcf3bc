"""`tavolino review`: a finished game in words and numbers, and a sentence for what cannot be reviewed."""

import json
from pathlib import Path

import pytest

from tavolino.cli.review import INDENT, OWN_POINT, _error, _points, plot, tell
from tavolino.coach.review import Step
from tests.cli.conftest import Run
from tests.coach.games import played

OLD_RECORDS = Path(__file__).parents[1] / "corpus" / "mantis.1.jsonl"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "game.json"
    path.write_text(json.dumps(played("mantis", 2, "review", ("random", "medium")).record()))
    return path


@pytest.mark.parametrize(
    ("language", "words"),
    [
        pytest.param("en", ("Review of Mantis", "Luck:", "Turning point: move", "Better:"), marks=pytest.mark.long),
        pytest.param("it", ("Analisi per", "Fortuna:", "Momento decisivo", "Meglio:"), marks=pytest.mark.long),
        ("pl", ("Analiza partii „Mantis”", "Szczęście:", "Punkt zwrotny", "Lepiej –")),
    ],
)
def test_a_review_in_words(run_here: Run, finished: Path, language: str, words: tuple[str, ...]) -> None:
    done = run_here("review", str(finished), "--seat", "0", "--language", language)
    assert done.returncode == 0, done.stderr
    assert all(word in done.stdout for word in words), done.stdout
    assert "100% │" in done.stdout


def test_only_what_is_exact_has_no_error() -> None:
    assert [_error(error) for error in (0.0, 0.002, 0.011, 0.25)] == [0, 1, 2, 25]


@pytest.mark.slow
def test_a_review_as_json_for_all_seats(run_here: Run, finished: Path, tmp_path: Path) -> None:
    done = run_here("review", str(finished), "--json", "-")
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    assert [each["seat"] for each in written["reviews"]] == [0, 1]
    parts = written["reviews"][0]["parts"]
    assert sum(parts[name] for name in ("start", "luck", "own", "others")) == pytest.approx(parts["result"], abs=0.001)
    nowhere = run_here("review", str(finished), "--seat", "0", "--json", str(tmp_path / "no" / "folder.json"))
    assert nowhere.returncode == 1
    assert "could not be written" in nowhere.stderr


def test_people_are_reviewed_if_the_file_says_who_they_were(run_here: Run, finished: Path, tmp_path: Path) -> None:
    record = json.loads(finished.read_text())
    path = tmp_path / "saved.json"
    path.write_text(json.dumps(record | {"fairness": {"bots": [1]}}))
    done = run_here("review", str(path), "--json", "-")
    assert [each["seat"] for each in json.loads(done.stdout)["reviews"]] == [0]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"actions": []}, "is not over: only finished games are reviewed"),
        ({"actions": ["fly"]}, "is not legal"),
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": "splendor-marvel"}, "follows rules '2' of splendor-marvel; known here: '1'"),
        ({"game": "splendor-marvel", "rules": "1"}, "start does not fit"),
        ({"rules": "0"}, "follows rules '0'"),
        ({"rules": None}, "follows rules None"),
        ({"players": "two"}, "start does not fit"),
        ({"options": []}, "start does not fit"),
        ({"seed": {"bytes": "no"}}, "start does not fit"),
        ({"actions": "score"}, "must be a list of texts"),
    ],
)
def test_what_cannot_be_reviewed_is_said_in_a_sentence(
    run_here: Run, finished: Path, tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    record = {**json.loads(finished.read_text()), **change}
    record = {key: value for key, value in record.items() if key not in ("hash", "chain", "format")}
    assert_refused(run_here, tmp_path, json.dumps(record), sentence)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('[Event "?"]\n\n1. e4 e5 *\n', "it is not JSON"),
        ("", "it is not JSON"),
        ("[1, 2]", "it is not a JSON object"),
        ('{"version": 3, "moves": []}', "The game file lacks the key 'game'"),
    ],
)
def test_files_of_other_programs_are_no_records(run_here: Run, tmp_path: Path, content: str, sentence: str) -> None:
    assert_refused(run_here, tmp_path, content, sentence)


def test_a_cut_file_and_a_seat_that_is_not_there(run_here: Run, finished: Path, tmp_path: Path) -> None:
    whole = finished.read_text()
    assert_refused(run_here, tmp_path, whole[:100], "it is not JSON")
    record = json.loads(whole)
    cut = {**record, "actions": record["actions"][:-1]}
    assert_refused(run_here, tmp_path, json.dumps(cut), "it was changed, or made elsewhere")
    absent = run_here("review", str(finished), "--seat", "7")
    assert absent.returncode == 2
    assert "There is no seat 7" in absent.stderr


def assert_refused(run_here: Run, folder: Path, content: str, sentence: str) -> None:
    path = folder / "bad.json"
    path.write_text(content)
    done = run_here("review", str(path))
    assert done.returncode == 1
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_a_record_of_version_0_1_by_the_rules_of_then_is_reviewed(run_here: Run, tmp_path: Path) -> None:
    """It has no format number, no chain, and the first version of the rules."""
    old = json.loads(OLD_RECORDS.read_text("utf-8").splitlines()[0])
    assert old["rules"] == "1"
    assert not {"format", "chain"} & set(old)
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old))
    done = run_here("review", str(path), "--seat", "0", "--json", "-")
    assert done.returncode == 0, done.stderr
    (review,) = json.loads(done.stdout)["reviews"]
    assert len(review["steps"]) == len(old["actions"])
    assert review["parts"]["result"] in (0.0, 0.5, 1.0)


def test_a_plot_has_room_for_long_games() -> None:
    steps = tuple(Step(n, n, n % 2, 0.5, n / 300, 0.01, 0.0, 0.0, 0.0) for n in range(1, 301))
    lines = plot(steps, 0, set(), width=40)
    assert max(map(len, lines)) <= 48
    assert lines[0].endswith((OWN_POINT, "·"))
    assert plot((), 0, set()) == []


def test_sentences_are_broken_between_words_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = "Two of the three possible cards match your tank: " + "red and purple, " * 5 + "each once.  [MA-11]"
    tell(sentence, INDENT)
    assert capsys.readouterr().out == f"{INDENT}{sentence}\n", "one line in a file"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    tell(sentence, INDENT)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all(line.startswith(INDENT) and len(line) <= 80 for line in lines)
    assert " ".join(" ".join(lines).split()) == " ".join(sentence.split()), "no word is broken"


def test_a_change_of_nothing_has_no_sign() -> None:
    assert [_points(change) for change in (0.184, -0.04, 0.001, -0.001)] == ["+18", "−4", "0", "0"]
