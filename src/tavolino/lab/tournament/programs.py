"""An entrant that is a Python class plays in a process of its own, which can be stopped when its time is over.

It gets worlds that its seat cannot tell from the true one (`worlds.py`), and nothing else: no name, no number of a
deal, no result.
"""

import multiprocessing
import pickle
import signal
import sys
import time
from multiprocessing.connection import Connection
from typing import Any

import tavolino
from tavolino.bots import SeatMatch
from tavolino.engine.match import Match
from tavolino.lab.own_bots import bot_class, sentence_of
from tavolino.lab.tournament.worlds import pack_world, unpack_world

START_SECONDS = 300.0  # to import the class and to compile, which no decision is charged for
LATE, FAILED, ILLEGAL = "late", "failed", "illegal"
_context = multiprocessing.get_context("spawn")


class Fault(Exception):
    """Why a program loses a game: it was late, it failed, or its action was not legal."""

    def __init__(self, kind: str, sentence: str, seconds: float):
        super().__init__(sentence)
        self.kind, self.sentence, self.seconds = kind, sentence, seconds


class Program:
    """The process of an entrant. It starts when it is first needed, and anew after it was stopped."""

    def __init__(self, name: str, game: str, seconds: float):
        self._name, self._game, self._seconds = name, game, seconds
        self._process: Any = None
        self._pipe: Any = None
        self._seed = 0

    def sit_down(self, seed: int) -> None:
        """A new game: the class is constructed anew, in the time of its first decision."""
        if self._process is None or not self._process.is_alive():
            self._start()
        self._seed = seed
        self._pipe.send(seed)

    def choose(self, match: Match, seat: int, seed: str) -> tuple[str, float]:
        """The program's action and the seconds that it took; Fault if there is none."""
        self._pipe.send_bytes(pickle.dumps((seat, pack_world(match, seat, seed))))
        began = time.perf_counter()
        if not self._pipe.poll(self._seconds):
            self.stop()
            raise Fault(LATE, f"{self._name} did not decide within {self._seconds:g} seconds.", self._seconds)
        try:
            is_action, answer = self._pipe.recv()
        except (EOFError, OSError):
            self.stop()
            raise Fault(FAILED, f"The process of {self._name} has ended.", time.perf_counter() - began) from None
        seconds = time.perf_counter() - began
        if not is_action:
            raise Fault(FAILED, f"{self._name} failed: {answer}", seconds)
        if answer not in match.legal():
            raise Fault(ILLEGAL, f"{self._name} chose {str(answer)[:60]!r}, which is not a legal action.", seconds)
        return answer, seconds

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def _start(self) -> None:
        self._pipe, theirs = _context.Pipe()
        self._process = _context.Process(target=_serve, args=(theirs, self._name, self._game), daemon=True)
        self._process.start()
        theirs.close()
        problem: Any = f"The bot {self._name} cannot be loaded: it did not start within {START_SECONDS:g} seconds."
        if self._pipe.poll(START_SECONDS):
            try:
                problem = self._pipe.recv()
            except EOFError:
                problem = f"The bot {self._name} cannot be loaded: its process has ended."
        if problem is not None:
            self.stop()
            raise ValueError(problem)


def _serve(pipe: Connection, name: str, game: str) -> None:
    """The process: decides until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the process that collects handles Ctrl-C
    sys.stdout = sys.stderr  # the figures of the command may go to stdout
    try:
        own = bot_class(name)
        _warm_up(game)
    except ValueError as problem:
        pipe.send(str(problem))
        return
    except Exception as problem:  # whatever a program does when it is imported
        pipe.send(f"The bot {name} cannot be loaded: {type(problem).__name__}: {problem}")
        return
    pipe.send(None)
    bot, seed = None, 0
    while True:
        try:
            message = pickle.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            return
        if isinstance(message, int):
            bot, seed = None, message
            continue
        seat, packed = message
        try:
            bot = own(game, seed) if bot is None else bot
            action = bot.choose(SeatMatch(unpack_world(packed), seat))
            pipe.send((True, action if isinstance(action, str) else repr(action)))
        except Exception as problem:  # a program may raise anything
            pipe.send((False, sentence_of(problem)[:500]))


def _warm_up(game: str) -> None:
    """Compile what a match does, so that no decision is charged for it."""
    match = tavolino.load(game).start(tavolino.load(game).players[0], 0)
    while match.to_act is not None:
        world = unpack_world(pack_world(match, match.to_act, 0))
        world.notebook(match.to_act)
        match.play(match.legal()[0])
