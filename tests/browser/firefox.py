"""Firefox without a window, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi) over a plain WebSocket."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

# It calls nobody: what is not on this machine goes to a proxy that is not there.
PREFERENCES = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "intl.locale.requested": "en-US",
}
LISTENS = "WebDriver BiDi listening on "
# As tests/browser/packs.py overhears the worker of local tables; the page keeps the last view itself.
OVERHEAR = """() => {
  if (location.protocol !== 'http:') return
  localStorage.setItem('tavolino.settings', JSON.stringify({ speed: 'instant', introduced: ['mantis'] }))
  const Native = Worker
  window.Worker = class extends Native {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', ({ data }) => {
        const news = data.type === 'heard' ? JSON.parse(data.text) : {}
        if (news.type === 'play') window.lastPlay = { view: news.view, turn: news.turn }
      })
    }
  }
}"""
TIMEOUT = 300.0  # seconds, on a busy machine


@contextmanager
def open_firefox(profile: Path) -> Iterator[Firefox]:
    """A browser with a new profile in an empty folder."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    assert program is not None, "scripts/install-system-packages firefox"
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines), "utf-8")
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            address = next(line.partition(LISTENS)[2].strip() for line in process.stderr if LISTENS in line)
            with connect(f"{address}/session", max_size=None, proxy=None) as socket:
                yield Firefox(socket)
        finally:
            process.terminate()


class Firefox:
    """One page of it."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._last = socket, 0
        self.errors: list[str] = []
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        self._context = self._send("browsingContext.getTree")["contexts"][0]["context"]
        self._send("script.addPreloadScript", functionDeclaration=OVERHEAR)

    def _send(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        self._socket.send(json.dumps({"id": self._last, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(TIMEOUT))
            if message["type"] == "event":
                entry = message["params"]
                if entry.get("level") == "error":
                    self.errors.append(str(entry.get("text")))
            elif message["id"] == self._last:
                assert message["type"] == "success", message
                result: dict[str, Any] = message["result"]
                return result

    def goto(self, url: str) -> None:
        self._send("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def reload(self) -> None:
        self._send("browsingContext.reload", context=self._context, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of the page, which JSON can hold."""
        done = self._send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()",
            target={"context": self._context},
            awaitPromise=True,
        )
        assert done["type"] == "success", done
        return json.loads(done["result"]["value"])

    def wait_for(self, selector: str) -> None:
        """Until an element is there, and can be clicked."""
        self.wait_until(f"document.querySelector({json.dumps(selector)})?.matches(':enabled, :not(button)')")

    def wait_until(self, condition: str) -> None:
        deadline = time.monotonic() + TIMEOUT
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{condition}: {self.evaluate('document.body.innerText')}")
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        self.wait_for(selector)
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def fill(self, selector: str, text: str) -> None:
        self.wait_for(selector)
        change = f"one.value = {json.dumps(text)}; one.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        self.evaluate(f"((one) => {{ {change} }})(document.querySelector({json.dumps(selector)}))")
