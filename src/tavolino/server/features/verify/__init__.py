"""Checks of a game file in the browser: the page loads the offline pack, which has their code (`server.verify`)."""

from __future__ import annotations

from tavolino.server.kernel.feature import Feature, NoSlice


class Verify(Feature[NoSlice]):
    name = "verify"
    depends = ("local_tables",)


FEATURE = Verify
PAGES = {"verify": (1, 2)}
