"""What `tavolino mcp` does when a server refuses, restarts or loses an answer, with servers that are made for it."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tavolino.agents.server_link import PATIENCE, Refusal, ServerLink
from tavolino.agents.server_table import ServerTable
from tavolino.agents.tables import MAX_WAIT_SECONDS, Trouble

Answer = tuple[int, dict[str, str], bytes]


@contextlib.contextmanager
def answering(*answers: Answer) -> Iterator[str]:
    """A server with these answers, one after the other; the address."""
    left = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, content = left.pop(0)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def link_to(address: str, pauses: list[float]) -> ServerLink:
    link = ServerLink(address, token="token", pause=pauses.append)
    link._is_declared = True
    return link


def test_it_comes_back_after_the_time_that_the_server_names() -> None:
    pauses: list[float] = []
    with answering((429, {"Retry-After": "7"}, b""), (503, {}, b""), (200, {}, b'{"ok": 1}')) as address:
        assert link_to(address, pauses).call("GET", "/") == {"ok": 1}
    assert pauses == [7.0, 1.0]


def test_its_patience_ends_before_that_of_clients() -> None:
    """Clients give up a call after a minute; the sentence came after 59 seconds."""
    assert max(PATIENCE, MAX_WAIT_SECONDS) <= 50


def test_it_does_not_wait_for_longer_than_its_patience() -> None:
    pauses: list[float] = []
    later = (429, {"Retry-After": str(int(PATIENCE) + 1)}, b"{}")
    with answering(later) as address, pytest.raises(Trouble, match="status 429"):
        link_to(address, pauses).call("GET", "/")
    assert not pauses


def test_an_answer_that_breaks_off_is_asked_for_again() -> None:
    pauses: list[float] = []
    with answering((200, {"Content-Length": "50"}, b'{"ok"'), (200, {}, b"[]")) as address:
        assert link_to(address, pauses).call("GET", "/") == []
    assert pauses == [1.0]


def test_an_answer_that_is_not_json_is_a_sentence() -> None:
    with answering((200, {}, b"<html>")) as address, pytest.raises(Trouble, match="not JSON"):
        link_to(address, []).call("GET", "/")


def test_a_redirect_is_not_followed() -> None:
    with answering((302, {"Location": "/elsewhere"}, b"")) as address, pytest.raises(Trouble, match="status 302"):
        link_to(address, []).call("GET", "/")


class ScriptedLink(ServerLink):
    """A server that shows one table, and refuses every command with one code."""

    def __init__(self, table: dict[str, Any], play: dict[str, Any] | None = None, code: str = "no-such-seat"):
        super().__init__("http://127.0.0.1", "token")
        self._table, self._play, self._code = table, play, code
        self.commands: list[str] = []

    def call(self, method: str, path: str, body: Any = None) -> Any:
        if method == "POST":
            self.commands.append(body["type"])
            raise Refusal(self._code, "No.")
        if "/play" not in path:
            return self._table
        if self._play is None:
            raise Refusal("not-started", "No.")
        return self._play


@pytest.mark.parametrize(
    "kind", [{"rated": True}, {"daily": "2026-11-18"}, {"series": "abcdefgh"}, {"fairness": {"deal": "tournament/a/1"}}]
)
def test_where_results_are_compared_no_hint_and_no_review_is_even_asked_for(kind: dict[str, Any]) -> None:
    plain = {"id": "abcdefgh", "rated": False, "daily": None, "series": None, "fairness": {"deal": "abcdefgh"}}
    link = ScriptedLink({**plain, "you": {"seat": 0}, **kind})
    table = ServerTable(link, "abcdefgh")
    for help_with in (table.hint, table.review):
        with pytest.raises(Trouble, match="rated tables, daily deals, series and tournaments"):
            help_with()
    assert not link.commands


def test_a_move_whose_answer_was_lost_is_no_refusal() -> None:
    """Sent again, it is stale: then the table is shown as it is."""
    play = {"turn": 5, "legal": ["score"], "over": False, "text": "1. score: Score"}
    link = ScriptedLink({"seats": [{"seat": 0, "name": "Ada", "kind": "person"}]}, play, "stale-move")
    assert ServerTable(link, "abcdefgh").act(1).endswith("1. score: Score")
    assert link.commands == ["move"]


def test_before_the_deal_there_is_nothing_to_act_on() -> None:
    link = ScriptedLink({"seats": []})
    with pytest.raises(Trouble, match="has not started yet"):
        ServerTable(link, "abcdefgh").act(1)
    assert not link.commands
