"""All HTTP routes of the interface. Each names its body, answer and refusals, for the OpenAPI description."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tavolino.server import protocol as p
from tavolino.server.http import addresses, calls, content, daily, people, practice, reviews, tables


class Route(Struct, frozen=True):
    method: str
    path: str
    handler: Any
    answer: Any
    body: Any = None
    query: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()


AT_TABLE = "/api/tables/{table}"
ROUTES = (
    Route("POST", "/api/me", people.set_name, p.Me, p.NewName, refusals=("bad-name", "too-many-people")),
    Route("GET", "/api/me", people.get_me, p.Me, refusals=("no-identity",)),
    Route("DELETE", "/api/me", people.forget_me, None, refusals=("no-identity",)),
    Route("POST", "/api/me/link", people.make_link, p.ReturnLink, refusals=("no-identity",)),
    Route("POST", "/api/me/return", people.come_back, p.Me, p.ReturnCode, refusals=("bad-return-code",)),
    Route("GET", "/api/me/profile", people.get_profile, p.Profile, refusals=("no-identity",)),
    Route("GET", "/api/me/devices", people.list_devices, list[p.Device], refusals=("no-identity",)),
    Route("DELETE", "/api/me/devices", people.sign_out_everywhere, None, refusals=("no-identity",)),
    Route(
        "DELETE",
        "/api/me/devices/{device}",
        people.sign_out_device,
        None,
        refusals=("no-identity", "no-such-device"),
    ),
    Route("GET", "/api/me/tables", tables.my_tables, p.MyTables, refusals=("no-identity",)),
    Route("GET", "/api/announcement", content.get_announcement, p.Announcement),
    Route("GET", "/api/me/calls", calls.get_calls, p.Calls, refusals=("no-identity",)),
    Route(
        "POST",
        "/api/me/calls",
        calls.add_browser,
        p.Calls,
        p.AddBrowser,
        refusals=("no-identity", "bad-subscription"),
    ),
    Route("POST", "/api/me/calls/quiet", calls.set_quiet_hours, p.Calls, p.QuietHours, refusals=("no-identity",)),
    Route("DELETE", "/api/me/calls", calls.stop_calls, None, refusals=("no-identity",)),
    Route("GET", "/api/addresses", addresses.get_addresses, p.Addresses),
    Route("GET", "/api/games", content.list_games, list[p.Game]),
    Route("GET", "/api/tables", tables.list_tables, list[p.TableCard]),
    Route(
        "POST",
        "/api/tables",
        tables.open_table,
        p.Table,
        p.OpenTable,
        refusals=(
            "no-identity",
            "no-such-game",
            "bad-option",
            "bad-players",
            "too-many-tables",
            "table-full",
            "overloaded",
        ),
    ),
    Route(
        "POST",
        "/api/play-now",
        tables.play_now,
        p.Table,
        p.PlayNow,
        refusals=("no-identity", "no-such-game", "bad-players", "too-many-tables", "overloaded"),
    ),
    Route("GET", AT_TABLE, tables.get_table, p.Table, refusals=("no-such-table", "still-secret")),
    Route(
        "POST",
        f"{AT_TABLE}/commands",
        tables.command,
        p.Accepted | p.Notebook | p.Hint | p.Offers | p.Pong,
        p.Command,
        refusals=(
            "no-identity",
            "no-such-table",
            "still-secret",
            "not-seated",
            "stale-move",
            "illegal-move",
            "too-fast",
        ),
    ),
    Route(
        "GET",
        f"{AT_TABLE}/play",
        tables.get_play,
        p.Play,
        query=("lines", "turn", "wait"),
        refusals=("no-such-table", "still-secret", "not-started", "overloaded"),
    ),
    Route(
        "GET",
        f"{AT_TABLE}/record",
        tables.get_record,
        dict[str, Any],
        refusals=("no-such-table", "still-secret", "not-started", "still-playing"),
    ),
    Route(
        "GET",
        f"{AT_TABLE}/frames",
        tables.get_frames,
        p.Frames,
        query=("eyes",),
        refusals=("no-such-table", "still-secret", "not-started", "still-playing", "no-such-seat", "overloaded"),
    ),
    Route(
        "GET",
        f"{AT_TABLE}/review",
        reviews.get_review,
        p.Review,
        query=("seat",),
        refusals=(
            "no-such-table",
            "still-secret",
            "not-started",
            "still-playing",
            "not-seated",
            "no-such-seat",
            "no-review",
            "busy",
            "overloaded",
        ),
    ),
    Route(
        "POST",
        f"{AT_TABLE}/play-on",
        reviews.play_on,
        p.Table,
        p.PlayOn,
        refusals=(
            "no-identity",
            "no-such-table",
            "not-started",
            "still-playing",
            "not-seated",
            "no-such-seat",
            "no-such-turn",
            "no-rules",
            "too-many-tables",
            "overloaded",
        ),
    ),
    Route(
        "GET",
        "/api/tutorials/{game}",
        content.get_tutorial,
        p.Tutorial,
        refusals=("no-such-game", "no-tutorial", "still-compiling"),
    ),
    Route("GET", "/api/daily", daily.list_daily, list[p.DailyDeal]),
    Route(
        "POST",
        "/api/daily/{game}",
        daily.play_daily,
        p.Table,
        refusals=("no-identity", "no-such-game", "too-many-tables", "overloaded"),
    ),
    Route("GET", "/api/puzzles/{game}", practice.list_puzzles, list[p.PuzzleCard], refusals=("no-such-game",)),
    Route(
        "GET",
        "/api/puzzles/{game}/{puzzle}",
        practice.get_puzzle,
        p.Position,
        refusals=("no-such-game", "no-such-puzzle", "still-compiling"),
    ),
    Route(
        "POST",
        "/api/puzzles/{game}/{puzzle}",
        practice.try_puzzle,
        p.Solution,
        p.Try,
        refusals=("no-such-game", "no-such-puzzle", "illegal-move", "still-compiling"),
    ),
    Route("GET", "/api/me/mistakes", practice.list_mistakes, p.Mistakes, refusals=("no-identity",)),
    Route(
        "GET",
        "/api/me/mistakes/{mistake}",
        practice.get_mistake,
        p.Position,
        refusals=("no-identity", "no-such-puzzle", "still-compiling"),
    ),
    Route(
        "POST",
        "/api/me/mistakes/{mistake}",
        practice.try_mistake,
        p.Solution,
        p.Try,
        refusals=("no-identity", "no-such-puzzle", "illegal-move"),
    ),
    Route(
        "DELETE",
        "/api/me/mistakes/{mistake}",
        practice.drop_mistake,
        None,
        refusals=("no-identity", "no-such-puzzle"),
    ),
    Route("DELETE", "/api/me/practice", practice.forget_practice, None, refusals=("no-identity",)),
    Route(
        "GET",
        "/api/rules/{game}/{language}",
        content.get_rules,
        p.RulesPage,
        refusals=("no-such-game", "no-such-language", "no-rules"),
    ),
    Route("GET", "/api/languages", content.list_languages, list[p.LanguageState]),
    Route("GET", "/api/texts/{language}", content.get_texts, dict[str, str], refusals=("no-such-language",)),
)
