"""Link previews: the head of the page as bytes, for home, tables and replays; nothing secret, everything escaped."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from PIL import Image

from tavolino.server.features.reviews.feature import ReviewsFeature
from tavolino.server.http import static
from tests.server.clients import Guest, dealt_table, seat_everybody, start
from tests.server.conftest import Server
from tests.server.test_play_on import finished as played_to_the_end
from tests.server.test_rematch import finished

MODULES = {
    "index.html": {"file": "assets/index.js", "imports": ["_shared.js"], "css": ["assets/index.css"]},
    "_shared.js": {"file": "assets/shared.js"},
    "src/i18n/texts/en.ts": {"file": "assets/en.js"},
    "src/i18n/texts/it.ts": {"file": "assets/it.js"},
    "src/pages/TablePage.svelte": {
        "file": "assets/table.js",
        "imports": ["_shared.js", "_cards.js", "index.html"],
        "css": ["assets/table.css"],
    },
    "src/room/WaitingRoom.svelte": {"file": "assets/waiting.js", "imports": ["_shared.js"]},
    "_cards.js": {"file": "assets/cards.js", "imports": ["_shared.js"], "css": ["assets/cards.css"]},
    "src/games/mantis/index.ts": {"file": "assets/mantis.js", "imports": ["_cards.js"], "css": ["assets/mantis.css"]},
    "src/games/mantis/texts/en.json": {"file": "assets/mantis-en.js"},
    "src/games/splendor-marvel/index.ts": {"file": "assets/splendor-marvel.js"},
}
STYLE = b"p{margin:0}"
INDEX = b"<!doctype html><html><head><title>Tavolino</title><style>%b</style></head><body></body></html>" % STYLE


@pytest.fixture
def site(start_server: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server with a page of its own, whether or not the real one is built."""
    page = tmp_path / "page"
    (page / "previews").mkdir(parents=True)
    (page / "index.html").write_bytes(INDEX)
    (page / "modules.json").write_text(json.dumps(MODULES), "utf-8")
    for name in ("home", "mantis"):
        (page / "previews" / f"{name}.png").write_bytes(b"a picture")
    monkeypatch.setattr(static.Page.__init__, "__defaults__", (page,))
    return start_server().ready("mantis")


def tags(server: Server, path: str, **headers: str) -> dict[str, str]:
    answer = httpx.get(server.address + path, headers=headers)
    assert answer.status_code == 200
    assert answer.content.startswith(INDEX[:30])
    return dict(re.findall(r'<meta (?:property|name)="([^"]*)" content="([^"]*)" />', answer.text))


def test_home_and_unknown_addresses_show_the_site(site: Server) -> None:
    for path in ("/", "/learn", "/table/no-such-table", "/table/" + "A" * 22, "/replay/" + "A" * 22):
        found = tags(site, path)
        assert found["og:title"] == "Tavolino"
        assert found["og:image"] == f"{site.address}/previews/home.png"
        assert found["og:url"] == site.address + path


def test_a_table_shows_its_game_and_what_one_can_do_there(site: Server) -> None:
    people = [Guest(site.address, name) for name in ("Ada", "Bruno")]
    table = people[0].open("mantis", 2)
    found = tags(site, f"/table/{table}")
    assert found["og:title"] == "Mantis · Tavolino"
    assert found["og:description"] == "One seat is free. Come and play!"
    assert found["og:image"] == f"{site.address}/previews/mantis.png"
    assert found["robots"] == "noindex"
    assert httpx.get(found["og:image"]).content == b"a picture"
    assert "posto libero" in tags(site, f"/table/{table}", **{"Accept-Language": "it-IT,en;q=0.5"})["og:description"]
    people[1].do(table, "join")
    start(people, table)
    with people[0].socket(table) as socket:
        socket.until("play")
    assert tags(site, f"/table/{table}")["og:description"] == "A game in progress. Come and watch."


def test_the_preview_of_a_running_game_is_the_same_whatever_the_cards(site: Server) -> None:
    """Two tables with other deals, people and moves: the heads differ in the table's address alone."""
    heads = []
    for name, salt in (("Ada", "1" * 64), ("<script>alert(1)</script>"[:24], "2" * 64)):
        people = [Guest(site.address, name), Guest(site.address, "Bruno")]
        table = seat_everybody(people, "mantis", first_seat=0)
        for person in people:
            person.do(table, "salt", salt=salt)
        people[0].do(table, "start")
        with people[0].socket(table) as socket:
            play = socket.until("play")
            if name == "Ada":
                people[0].do(table, "move", turn=0, action=play["view"]["legal"][0])
        for kind in ("table", "replay"):
            head = httpx.get(f"{site.address}/{kind}/{table}").content
            assert b"alert" not in head
            heads.append(head.replace(table.encode(), b"TABLE"))
    assert heads[0] == heads[2]
    assert heads[1] == heads[3]
    assert b"Mantis" not in heads[1]  # there is no replay before the end


def test_a_replay_is_shown_once_the_game_is_over(site: Server) -> None:
    _, table = finished(site, 2)
    assert tags(site, f"/replay/{table}")["og:description"] == "A finished game: watch it move by move."


def test_a_review_of_a_public_table_has_a_picture_of_its_own_and_that_of_a_private_one_has_not(site: Server) -> None:
    review = {
        "skill": 0.8234,
        "luck": -0.1049,
        "moments": [2],
        "steps": [{"before": 0.5, "after": 0.25}, {"before": 0.25, "after": 0.9}, {"before": 0.9, "after": 1.0}],
        "decisions": [{"turn": 2, "label": "blunder"}],
    }
    people = [Guest(site.address, name) for name in ("Ada", "Bruno", "Celina")]
    tables = {public: played_to_the_end(site, lambda _: people, public=public)[1] for public in (True, False)}
    shown = f"/review/{tables[True]}?seat=1"
    assert tags(site, shown)["og:image"] == f"{site.address}/previews/mantis.png", "nobody has reviewed it"
    for table in tables.values():
        site.run(lambda table=table: site.feature(ReviewsFeature).reviews.keep((table, 1), json.dumps(review).encode()))  # type: ignore[misc]
    found = tags(site, shown)
    assert found["og:description"] == (
        "A finished game, reviewed: skill 82%, luck −10 percentage points. What would you have played?"
    )
    assert found["og:url"] == site.address + shown
    answer = httpx.get(found["og:image"])
    assert answer.headers["content-type"] == "image/png"
    picture = Image.open(io.BytesIO(answer.content)).convert("RGB")
    assert picture.size == (int(found["og:image:width"]), int(found["og:image:height"]))
    ink = picture.getpixel((430, 427))  # the decision after a third of the game, at a chance of a quarter
    assert ink == (31, 37, 54)
    assert picture.getpixel((600, 100)) == (255, 250, 240)
    again = httpx.get(found["og:image"], headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    private = tags(site, f"/review/{tables[False]}?seat=1")
    assert private["og:image"] == f"{site.address}/previews/mantis.png"
    assert "82" not in private["og:description"]
    for address, code in (
        (f"{tables[False]}/1", "not-seated"),
        (f"{tables[True]}/0", "no-review"),
        (f"{tables[True]}/5", "no-such-seat"),
        ("A" * 22 + "/0", "no-such-table"),
    ):
        assert httpx.get(f"{site.address}/previews/review/{address}.png").json()["code"] == code
    running = dealt_table(people[:2], "mantis", public=True)
    assert httpx.get(f"{site.address}/previews/review/{running}/0.png").json()["code"] == "still-playing"


def test_what_an_address_holds_is_escaped(site: Server) -> None:
    head = httpx.get(f'{site.address}/learn/"><script>alert(1)</script>').text
    assert "<script>alert" not in head
    assert "&quot;" in head or "%22" in head


def test_a_cache_keeps_the_head_of_each_language_apart(site: Server) -> None:
    heads = {language: httpx.get(site.address, headers={"accept-language": language}) for language in ("en", "it")}
    assert heads["en"].text != heads["it"].text
    assert all("Accept-Language" in each.headers["vary"] for each in heads.values())


def test_the_same_head_is_not_sent_twice(site: Server) -> None:
    first = httpx.get(f"{site.address}/")
    again = httpx.get(f"{site.address}/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def early(server: Server, path: str, language: str = "en") -> list[str]:
    text = httpx.get(server.address + path, headers={"Accept-Language": language}).text
    return re.findall(r'<link rel="(?:modulepreload|preload)"[^>]* href="([^"]*)" />', text)


def test_a_page_names_what_it_will_need_and_the_first_script_does_not(site: Server) -> None:
    assert early(site, "/") == ["/assets/en.js"]
    assert early(site, "/learn", "it-IT") == ["/assets/it.js"]
    table = Guest(site.address, "Ada").open("mantis", 2)
    assert early(site, f"/table/{table}") == [
        "/assets/en.js",
        "/assets/table.js",
        "/assets/mantis.js",
        "/assets/mantis-en.js",
        "/assets/waiting.js",
        "/assets/cards.js",
        "/assets/table.css",
        "/assets/mantis.css",
        "/assets/cards.css",
        "/api/texts/en",
        f"/api/tables/{table}",
    ]
    played = dealt_table([Guest(site.address, name) for name in ("Bea", "Carl")], "mantis")
    assert "/assets/waiting.js" not in early(site, f"/table/{played}"), "a game in play needs no waiting room"
    assert early(site, "/table/" + "A" * 22) == ["/assets/en.js"], "there is no such table"
    assert early(site, f"/replay/{table}") == ["/assets/en.js"], "nothing is said about a game that is not over"


def test_the_policy_allows_the_style_sheet_in_the_page_by_its_hash_and_no_other(site: Server) -> None:
    policy = httpx.get(f"{site.address}/").headers["content-security-policy"]
    allowed = base64.b64encode(hashlib.sha256(STYLE).digest()).decode()
    assert f"style-src-elem 'self' 'sha256-{allowed}';" in policy
