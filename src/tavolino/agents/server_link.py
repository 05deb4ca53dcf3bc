"""Requests to one server: they come back after restarts and refusals for speed, and follow no redirect."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from tavolino.agents.tables import Trouble
from tavolino.engine.messages import fill

PATIENCE = 40.0  # seconds that a server may be away: clients give up a call after about a minute
PAUSE = 1.0
COMES_BACK = (429, 502, 503, 504)
Json = dict[str, Any]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to another address."""

    def redirect_request(self, *arguments: Any, **named: Any) -> None:
        return None


class Refusal(Trouble):
    """The server refuses; `code` is for programs."""

    def __init__(self, code: str, sentence: str):
        super().__init__(sentence)
        self.code = code


class ServerLink:
    """A server, as one program. Without a token it is made with the first request. The token of a person is refused."""

    def __init__(
        self,
        address: str,
        token: str | None = None,
        name: str = "Program",
        language: str = "en",
        pause: Callable[[float], None] = time.sleep,
    ):
        self.address = address.rstrip("/")
        if urlsplit(self.address).scheme not in ("http", "https") or not urlsplit(self.address).netloc:
            raise ValueError(f"{address!r} is not the address of a server: it begins with http:// or https://.")
        self.language = language
        self._token, self._name, self._pause = token, name, pause
        self._open = urllib.request.build_opener(_NoRedirects).open
        self._texts: dict[str, str] | None = None
        self._is_declared = False

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a request; Refusal if the server refuses for good."""
        if not self._is_declared:
            self._declare()
        return self._request(method, path, body)

    def read(self, path: str) -> Any:
        """What everybody may read: this needs no name."""
        return self._request("GET", path, None)

    def _declare(self) -> None:
        if self._token is None:
            self._token = self._request("POST", "/api/me", {"name": self._name, "program": True})["token"]
        elif not self._who_am_i().get("program"):
            raise Trouble(
                "This token is a person's, and a program plays under a name of its own: start without a token."
            )
        self._is_declared = True

    def _who_am_i(self) -> Json:
        try:
            found: Json = self._request("GET", "/api/me", None)
        except Refusal as refusal:
            if refusal.code != "no-identity":
                raise
            raise Trouble(
                "This server does not know the token: give that of a program there, or none; then a new one is made."
            ) from None
        return found

    def _request(self, method: str, path: str, body: Any) -> Any:
        headers = {"Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, content, headers, method=method)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with self._open(request, timeout=PATIENCE) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                wait = _seconds(error.headers.get("Retry-After"))
                if error.code not in COMES_BACK or time.monotonic() + wait > end:
                    raise self._refusal(error) from None
            except (OSError, http.client.HTTPException):
                wait = PAUSE
                if time.monotonic() + wait > end:
                    raise Trouble("The server does not answer.") from None
            except ValueError:
                raise Trouble("The server answers with something that is not JSON.") from None
            self._pause(wait)

    def _refusal(self, error: urllib.error.HTTPError) -> Trouble:
        try:
            problem = json.load(error)
            code, key, params = str(problem["code"]), str(problem["key"]), dict(problem.get("params") or {})
        except (ValueError, LookupError, TypeError):
            return Trouble(f"The server refuses with status {error.code}.")
        rule = f" [{problem['rule']}]" if problem.get("rule") else ""
        return Refusal(code, self._sentence(code, key, params) + rule)

    def _sentence(self, code: str, key: str, params: Json) -> str:
        """The sentence of a refusal, from the server's own texts; its code if there is none."""
        if self._texts is None:
            self._texts = {}  # if reading them is refused, there is no second try
            self._texts = self._request("GET", f"/api/texts/{self.language}", None)
        texts, family = self._texts, key.partition(".")[0]
        message = texts.get(key)
        find = lambda name: texts.get(f"{family}.{name}") or texts.get(f"common.{name}")  # noqa: E731
        return code if message is None else fill(message, params, self.language, find)


def _seconds(retry_after: str | None) -> float:
    text = (retry_after or "").strip()
    return float(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else PAUSE
