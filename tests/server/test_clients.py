"""The clients of the tests themselves."""

from __future__ import annotations

import contextlib
import socket
import ssl
import subprocess
import threading
from pathlib import Path

import pytest

from tests.server import clients


@pytest.mark.timeout(60)
def test_a_handshake_without_an_answer_fails_over_tls_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As from a proxy whose node says nothing: the test must fail and tell, not hang."""
    monkeypatch.setattr(clients, "TIMEOUT", 0.5)
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"]
    subprocess.run([*make, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listener, contextlib.ExitStack() as accepted:

        def accept() -> None:
            with contextlib.suppress(OSError):
                accepted.enter_context(context.wrap_socket(listener.accept()[0], server_side=True))

        threading.Thread(target=accept, daemon=True).start()
        with pytest.raises((TimeoutError, OSError)):
            clients.Socket(f"wss://127.0.0.1:{listener.getsockname()[1]}/", {})
