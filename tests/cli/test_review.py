"""`tavolino review`: a finished game in words and numbers, and a sentence for what cannot be reviewed."""

import json
from pathlib import Path

import pytest

from tavolino.cli.review import OWN_POINT, plot
from tavolino.coach.review import Step
from tests.cli.conftest import Run
from tests.coach.games import played


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
        ("pl", ("Analiza partii Mantis", "Szczęście:", "Punkt zwrotny", "Lepiej:")),
    ],
)
def test_a_review_in_words(run: Run, finished: Path, language: str, words: tuple[str, ...]) -> None:
    done = run("review", str(finished), "--seat", "0", "--language", language)
    assert done.returncode == 0, done.stderr
    assert all(word in done.stdout for word in words), done.stdout
    assert "100 % │" in done.stdout


@pytest.mark.slow
def test_a_review_as_json_for_all_seats(run: Run, finished: Path, tmp_path: Path) -> None:
    done = run("review", str(finished), "--json", "-")
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    assert [each["seat"] for each in written["reviews"]] == [0, 1]
    parts = written["reviews"][0]["parts"]
    assert sum(parts[name] for name in ("start", "luck", "own", "others")) == pytest.approx(parts["result"], abs=0.001)
    nowhere = run("review", str(finished), "--seat", "0", "--json", str(tmp_path / "no" / "folder.json"))
    assert nowhere.returncode == 1
    assert "could not be written" in nowhere.stderr


def test_people_are_reviewed_if_the_file_says_who_they_were(run: Run, finished: Path, tmp_path: Path) -> None:
    record = json.loads(finished.read_text())
    path = tmp_path / "saved.json"
    path.write_text(json.dumps(record | {"fairness": {"bots": [1]}}))
    done = run("review", str(path), "--json", "-")
    assert [each["seat"] for each in json.loads(done.stdout)["reviews"]] == [0]


@pytest.mark.parametrize(
    ("change", "sentence", "code"),
    [
        ({"actions": []}, "is not over: only finished games are reviewed", 1),
        ({"game": "chess"}, "There is no game 'chess'", 1),
        ({"rules": "0"}, "follows rules '0'", 1),
        ({"actions": ["fly"]}, "is not legal", 1),
    ],
)
def test_what_cannot_be_reviewed_is_said_in_a_sentence(
    run: Run, finished: Path, tmp_path: Path, change: dict[str, object], sentence: str, code: int
) -> None:
    record = {**json.loads(finished.read_text()), **change}
    record = {key: value for key, value in record.items() if key not in ("hash", "chain", "format")}
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(record))
    done = run("review", str(path))
    assert done.returncode == code
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_cut_file_and_a_seat_that_is_not_there(run: Run, finished: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.json"
    cut.write_text(finished.read_text()[:100])
    assert "it is not JSON" in run("review", str(cut)).stderr
    absent = run("review", str(finished), "--seat", "7")
    assert absent.returncode == 2
    assert "There is no seat 7" in absent.stderr


def test_a_plot_has_room_for_long_games() -> None:
    steps = tuple(Step(n, n, n % 2, 0.5, n / 300, 0.01, 0.0, 0.0, 0.0) for n in range(1, 301))
    lines = plot(steps, 0, set(), width=40)
    assert max(map(len, lines)) <= 48
    assert lines[0].endswith((OWN_POINT, "·"))
    assert plot((), 0, set()) == []
