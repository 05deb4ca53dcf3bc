"""Every kind of game file has the result that it must have, in all languages, and `tavolino verify` says the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tavolino
from tavolino.cli.commands import run
from tavolino.cli.streams import printable
from tavolino.engine.messages import LANGUAGES
from tavolino.server.verify.telling import FOLDER, told_file
from tests.verify.files import files

STATES = {True: "yes", False: "no", None: "open"}
SIGNS = {True: "ok  ", False: "FAIL", None: "--  "}
HOLDS = ("sealed", "consistent")


def test_each_kind_of_file_has_its_result(game: tavolino.Game) -> None:
    all_files = list(files(game.name))
    found = {each.name: told_file(each.content, each.kept)["result"] for each in all_files}
    assert found == {each.name: each.expected for each in all_files}
    assert len(found) == len(all_files) > 180


def test_every_sentence_is_whole_in_every_language_and_said_of_some_file() -> None:
    said = set()
    for name in tavolino.games():
        for each in files(name):
            for language in LANGUAGES:
                told = told_file(each.content, each.kept, language)
                checks, limits = told["checks"], told["limits"]
                for text in (told["text"], *(each["text"] for each in [*checks, *limits])):
                    assert text[-1] in ".!?", (each.name, text)
                    assert len(text) < 600, text
            said |= {f"check.{check['key']}.{STATES[check['holds']]}" for check in checks}
            said |= {f"limit.{limit['key']}" for limit in limits}
            said.add(f"result.{told['result']}" if checks else f"refusal.{told['result']}")
    texts = json.loads((FOLDER / "texts" / "en.json").read_text("utf-8"))
    assert sorted(texts) == sorted(said)


def test_the_command_says_what_the_checks_have_found(
    game: tavolino.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    for each in files(game.name):
        path.write_bytes(each.content)
        kept = {"--commitment": each.kept.commitment, "--salt": each.kept.salt}
        options = [text for name, value in kept.items() if value for text in (name, value)]
        told = told_file(each.content, each.kept)
        code = run(["verify", str(path), *options])
        out, err = capsys.readouterr()
        lines = [f"{SIGNS[check['holds']]}  {printable(check['text'])}" for check in told["checks"]]
        lines += [f"      {limit['text']}" for limit in told["limits"]]
        if told["result"] == "not-kept":
            assert (code, out) == (2, ""), each.name
        elif told["result"] in HOLDS:
            assert (code, out.splitlines(), err) == (0, [*lines, told["text"]], ""), each.name
        else:
            assert (code, out.splitlines()) == (1, lines), each.name
            assert told["text"] in err, each.name
