"""A bot that plays what a review would name the best action after the choice of `medium`, at the table's effort:
`tavolino arena GAME --players N --bots bench.judged_bot:Judged,hard --games N --iterations I` (those of `hard`).
"""

from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.judge import judge


class Judged:
    def __init__(self, game: str, seed: int):
        self._usual = make_bot("medium", game, seed)

    def choose(self, match: SeatMatch) -> str:
        chosen = self._usual.choose(match)
        # The judge uses only what the seat knows, so any world that is possible for the seat gets the same judgement.
        return judge(match.resample(0), match.seat, chosen).best
