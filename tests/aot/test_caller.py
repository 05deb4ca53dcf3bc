"""The caller of code compiled ahead: what it refuses, and that nothing which it is given ends the process."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tavolino.engine.modes import AHEAD, platform_name
from tests.aot.libraries import ROOT, libraries, run
from tests.pythons import other_pythons
from tests.sampling import few_or_many

GAME = "mantis"
# What needs neither NumPy nor anything else of the package: that the extension module loads and refuses.
BARE = """
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
loader = ExtensionFileLoader("tavolino.engine._caller", sys.argv[1])
caller = module_from_spec(spec_from_file_location("tavolino.engine._caller", sys.argv[1], loader=loader))
loader.exec_module(caller)
class Numbers(bytearray):
    dtype = "bytes"
handle = caller.load(sys.argv[2])
call = caller.bind(handle, "choose_edge", "whole", [("array", "bytes", 8), ("real",)])
refusals = 0
for given in ((), (1, 2), (Numbers(4), 1.0), (Numbers(9), "x"), (Numbers(9), 1.0, 2)):
    try:
        call(*given)
    except (TypeError, ValueError):
        refusals += 1
for wrong in (("no_such_symbol", "whole", []), ("choose_edge", "sound", []), ("choose_edge", "whole", [("array",)]),
              ("choose_edge", "whole", [("index", 3)]), ("choose_edge", "whole", [("whole",)] * 99)):
    try:
        caller.bind(handle, *wrong)
    except (OSError, ValueError):
        refusals += 1
try:
    caller.load("/nowhere.so")
except OSError:
    refusals += 1
print(refusals)
"""


def test_wrong_arguments_are_refused_and_never_end_the_process() -> None:
    folder = libraries(GAME, platform_name())
    done = run(AHEAD, "-m", "tests.aot.fuzz", GAME, "1", str(few_or_many(150, 20_000)), folder=folder)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 1000


def test_a_wrong_argument_is_named() -> None:
    program = "import tavolino, numpy as np; from tavolino.engine import loops; game = tavolino.load('mantis')\n"
    program += "room = np.zeros(game.action_count, np.int32)\n"
    program += "loops.draw_world(game.new_states(), {index}, 0, np.zeros(8, {key}), room)"
    folder = libraries(GAME, platform_name())
    for index, key, sentence in (
        (0, "np.int32", "TypeError: draw_world: argument 4 is not an array of int64"),
        (1, "np.int64", "IndexError: draw_world: 1 is out of range for an array of length 1"),
        ("'a'", "np.int64", "TypeError: draw_world: argument 2 is not a whole number of 64 bits"),
    ):
        done = run(AHEAD, "-c", program.format(index=index, key=key), folder=folder)
        assert done.stderr.splitlines()[-1] == sentence


def test_the_module_loads_in_every_python_there_is() -> None:
    folder = libraries(GAME, platform_name())
    files = [str(folder / f"{name}.{platform_name()}.so") for name in ("caller", GAME)]
    for version, python in other_pythons().items():
        done = subprocess.run([python, "-I", "-c", BARE, *files], capture_output=True, text=True, cwd=ROOT)
        assert done.stdout == "11\n", f"{version}: {done.stderr}"


def test_python_runs_on_while_the_code_runs() -> None:
    program = """
import threading, time
import numpy as np, tavolino
from tavolino.engine.batches import Batch
game = tavolino.load("mantis")
batch = Batch(game, 4)
batch.play(0, 10, 1)
worker = threading.Thread(target=batch.play, args=(0, 200_000, 1))
worker.start()
steps = 0
while worker.is_alive():
    steps += 1
    time.sleep(0.001)
print(steps > 3)
"""
    done = run(AHEAD, "-c", program, folder=libraries(GAME, platform_name()))
    assert done.stdout == "True\n", done.stderr


def test_nothing_of_this_machine_is_in_the_library() -> None:
    folder = libraries(GAME, platform_name())
    for path in folder.glob(f"*.{platform_name()}.*"):
        content = path.read_bytes()
        for place in (str(ROOT), str(folder), str(Path.home()), "/tmp/"):
            assert place.encode() not in content or place == "/", path
