"""The CPU for which this package's own commands compile: a generic one of the same architecture.

So a cache can be built on one machine and used on another (an image, a wheel, a home folder on the network). On x86-64
the target is v2 (2009 and later), which NumPy's own wheels require too. `prefer_portable_code` works only before Numba
is imported; this module imports nothing that imports Numba.
"""

import os
import platform

PORTABLE_CPU = "x86-64-v2" if platform.machine() in ("x86_64", "AMD64") else "generic"


def prefer_portable_code() -> None:
    """Let this process and its children compile for the portable CPU, unless the environment names another."""
    if "NUMBA_CPU_NAME" not in os.environ:
        os.environ["NUMBA_CPU_NAME"] = PORTABLE_CPU
        os.environ.setdefault("NUMBA_CPU_FEATURES", "")
