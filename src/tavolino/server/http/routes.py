"""The HTTP routes that are not a feature's. That for commands is in `features/__init__.py`: it lists all of them."""

from __future__ import annotations

from typing import Any

from tavolino.server import protocol as p
from tavolino.server.http import addresses, content, people, tables
from tavolino.server.http.route import AT_TABLE, Route

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
    Route("GET", "/api/addresses", addresses.get_addresses, p.Addresses),
    Route("GET", "/api/games", content.list_games, list[p.Game]),
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
            "not-rated",
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
        "GET",
        f"{AT_TABLE}/play",
        tables.get_play,
        p.Play | p.PlayText,
        query=("lines", "turn", "wait", "text"),
        refusals=("no-such-table", "still-secret", "not-started", "no-such-language", "overloaded"),
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
        query=("perspective", "variation", "first"),
        refusals=(
            "no-such-table",
            "still-secret",
            "not-started",
            "still-playing",
            "no-such-seat",
            "no-such-variation",
            "overloaded",
        ),
    ),
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
