"""A network namespace and a cable (a pair of veth devices) between it and here, which can be pulled. Only root can."""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import cache

CLONE_NEWNET = 0x40000000  # of linux/sched.h


class Network:
    def __init__(self) -> None:
        number, block = secrets.token_hex(4), f"10.213.{secrets.randbelow(256)}"
        self.name = f"tavolino{number}"
        self.here, self.there = f"{block}.1", f"{block}.2"  # addresses of the two ends
        self._end_here, self._end_there = f"tvh{number}", f"tvn{number}"

    def open(self) -> None:
        for command in (
            f"ip netns add {self.name}",
            f"ip link add {self._end_here} type veth peer name {self._end_there} netns {self.name}",
            f"ip addr add {self.here}/24 dev {self._end_here}", f"ip link set {self._end_here} up",
            f"ip -n {self.name} addr add {self.there}/24 dev {self._end_there}", f"ip -n {self.name} link set lo up",
        ):  # fmt: skip
            subprocess.run(command.split(), check=True, capture_output=True)
        self.plug_in()

    def pull(self) -> None:
        """From now on nothing arrives, and no end is notified."""
        self._set("down")

    def plug_in(self) -> None:
        self._set("up")

    def _set(self, state: str) -> None:
        subprocess.run(f"ip -n {self.name} link set {self._end_there} {state}".split(), check=True)

    def thread(self) -> ThreadPoolExecutor:
        """A thread whose connections come from the other end."""
        return ThreadPoolExecutor(1, initializer=self._enter)

    def _enter(self) -> None:
        with open(f"/run/netns/{self.name}") as namespace:
            assert ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) == 0, ctypes.get_errno()

    def close(self) -> None:
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", self._end_here], check=False, capture_output=True)


@cache
def are_permitted() -> bool:
    """Whether this machine allows network namespaces; a container may not, even for root."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        return False
    network = Network()
    try:
        network.open()
    except subprocess.CalledProcessError:
        return False
    finally:
        network.close()
    return True
