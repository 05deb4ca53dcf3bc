"""The version of the package.

`RELEASE` is the last release; the commit that last changed its line is that release (`hatch_version.py`). A build has
its version in `built.py`. A checkout has no such file and does not call git for it: it is the release, "+checkout".
"""

RELEASE = "0.2.0"  # 2026-11-18
try:
    from tavolino.built import VERSION as VERSION
except ImportError:
    VERSION = f"{RELEASE}+checkout"
__version__ = VERSION
