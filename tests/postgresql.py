"""A PostgreSQL for the tests: Debian's program, with its own folder, port and unprivileged user."""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.ports import lasting_port

PASSWORD = "open-sesame"  # the tests look for it in logs
MISSING = "PostgreSQL is missing: scripts/install-system-packages storage says how to install it"


def programs() -> Path:
    """The folder of initdb and postgres, which Debian keeps out of the path."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if versions:
        return versions[-1].parent
    found = shutil.which("initdb")
    assert found, MISSING
    return Path(found).resolve().parent


class Postgres:
    """A server that can be stopped, killed and started again on the same data."""

    def __init__(self, folder: Path, copy_of: Postgres | None = None) -> None:
        """`copy_of`: a standby of that one, with all its data."""
        self.port = lasting_port()
        self.log = folder / "log"
        self._folder, self._programs = folder / "data", programs()
        self._process: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root.
        self._user = "nobody" if os.geteuid() == 0 else None
        if self._user is not None:
            os.chown(folder, pwd.getpwnam(self._user).pw_uid, -1)
        if copy_of is not None:
            self._run(
                "pg_basebackup", f"--pgdata={self._folder}", f"--dbname={copy_of.url()}", "--write-recovery-conf",
                "--checkpoint=fast", "--no-sync",
            )  # fmt: skip
            return
        secret = folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        self._run(
            "initdb", "--no-sync", "--username=tavolino", "--auth=scram-sha-256", f"--pwfile={secret}",
            "--encoding=UTF8", "--no-locale", f"--pgdata={self._folder}",
        )  # fmt: skip

    def url(self, database: str = "postgres", password: str = PASSWORD) -> str:
        return f"postgresql://tavolino:{password}@127.0.0.1:{self.port}/{database}"

    def new_database(self, name: str | None = None) -> str:
        """The address of a new database, with a name of its own unless one is given."""
        name = name or f"tests-{secrets.token_hex(4)}"
        self._run("createdb", f"--maintenance-db={self.url()}", name)
        return self.url(name)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            user=self._user,
            cwd="/",
            check=True,
            capture_output=True,
            timeout=120,
        )

    def start(self, **settings: str) -> None:
        options = {
            "port": str(self.port), "listen_addresses": "127.0.0.1", "unix_socket_directories": str(self._folder),
            "shared_buffers": "16MB", "max_connections": "60", **settings,
        }  # fmt: skip
        arguments = [f"--{name}={value}" for name, value in options.items()]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._folder, *arguments],
                user=self._user, cwd="/", stdout=log, stderr=log,
            )  # fmt: skip
        end = time.monotonic() + 60
        ask = [str(self._programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(ask, check=False).returncode != 0:
            assert self._process.poll() is None, self.log.read_text()[-500:]
            assert time.monotonic() < end, self.log.read_text()[-500:]
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: disconnect clients and stop. SIGQUIT: stop at once, and recover at the next start."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def promote(self) -> None:
        """A standby takes over; it is the primary when this returns."""
        self._run("pg_ctl", "promote", f"--pgdata={self._folder}", "--wait")


@contextlib.contextmanager
def postgres(**settings: str) -> Iterator[Postgres]:
    # Not pytest's folder: the user that PostgreSQL runs as cannot read it.
    folder = Path(tempfile.mkdtemp(prefix="tavolino-postgresql-"))
    server = Postgres(folder)
    try:
        server.start(**settings)
        yield server
    finally:
        server.stop(signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)
