"""The CPU for which this package's own commands compile: any of its architecture, not only the one at hand.

So a cache can be made on one machine and used on another (an image, a wheel, a home folder on the network). On x86-64
that is v2 (2009 and later), which NumPy's own wheels ask for, too. `prefer_portable_code` works only before Numba is
imported; this module imports nothing that does.
"""

import os
import platform

PORTABLE_CPU = "x86-64-v2" if platform.machine() in ("x86_64", "AMD64") else "generic"


def prefer_portable_code() -> None:
    """Let this process and its children compile for the portable CPU, unless the environment names another."""
    if "NUMBA_CPU_NAME" not in os.environ:
        os.environ["NUMBA_CPU_NAME"] = PORTABLE_CPU
        os.environ.setdefault("NUMBA_CPU_FEATURES", "")
