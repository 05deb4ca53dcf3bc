"""A game's metadata, readable without loading its rules or the compiler."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tavolino.engine.options import Option

TalkPolicy = Literal["text", "remarks"]


@dataclass(frozen=True)
class OneAgainstAll:
    """Teams: the seat that an option names plays against all others.

    The record has a field of the same name that holds the seat.
    """

    option: str
    one: str  # names of the two teams in the lab's reports: the single player, and the others
    others: str


@dataclass(frozen=True)
class Meta:
    """A game's name, its numbers of players and its options, and what its tables need."""

    name: str  # lower case English words joined with "-"
    rules: str  # the version of the rules; a changed rule or default is a new version
    players: range
    rule_prefix: str  # of the ids in rules/*.md: "AB" for AB-13
    # Earlier versions of the rules, oldest first, which records and running tables still use. The game's record
    # then has a field `rules`, which `setup` fills with the version's number (`version_number`).
    older_rules: tuple[str, ...] = ()
    options: Mapping[str, Option] = field(default_factory=dict)
    simple_options: Mapping[str, bool | int] = field(default_factory=dict)  # those that make a first game simpler
    seats: int | None = None  # the usual number of seats; None: the smallest
    minutes: tuple[int, int] = (10, 20)  # about how long people take for a game
    teams: OneAgainstAll | None = None
    payoffs: tuple[float, float] = (-1.0, 1.0)  # the lowest and the highest that a seat can get at the end
    # Whether the payoffs of two players always sum to 0. The default payoffs do; a game with its own says so here.
    zero_sum: bool = False
    # "remarks": no free text while a game runs, only sentences that the game offers; `talk_rule` is the rule for it.
    talk: TalkPolicy = "text"
    talk_rule: str | None = None

    @property
    def versions(self) -> tuple[str, ...]:
        """Every version of the rules that can be played, the newest last."""
        return (*self.older_rules, self.rules)

    def version_number(self, rules: str) -> int:
        """The number of a version for the compiled rules: its place among all versions, from 1."""
        return self.versions.index(rules) + 1

    @property
    def usual_seats(self) -> int:
        return self.players[0] if self.seats is None else self.seats

    @property
    def seat_option(self) -> str | None:
        """The option that names a seat (who is first, who plays alone), if there is one."""
        return next((name for name, option in self.options.items() if option.kind == "seat"), None)
