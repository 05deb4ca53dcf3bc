"""The picture of a review for links that are sent: the curve of the chance to win, as a PNG.

It has no words: title and text stand beside it wherever links are shown, in the reader's language. So it needs no font
and no library that draws (decision 092).
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tavolino.server.games.build_cache import let_loop_run
from tavolino.server.http.previews import HEIGHT, WIDTH

LEFT, RIGHT, TOP, BOTTOM = 90, 1110, 90, 540  # of the curve
CLOTH, PAPER, INK, EVEN = (235, 223, 198), (255, 250, 240), (31, 37, 54), (185, 165, 124)  # as on the page
MARKED = ("mistake", "blunder")
Pixels = NDArray[np.float32]


class _Step(Struct):
    before: float
    after: float


class _Decision(Struct):
    turn: int
    label: str


class Drawn(Struct):
    """What a preview says of a stored review (`coach/written.py`)."""

    skill: float | None
    luck: float
    moments: list[int]
    steps: list[_Step]
    decisions: list[_Decision]

    @property
    def chances(self) -> list[float]:
        return [self.steps[0].before, *(step.after for step in self.steps)]


read = msgspec.json.Decoder(Drawn).decode


def draw(review: Drawn) -> bytes:
    """The curve over the game, with the moments worth another look."""
    rows, columns = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32) + np.float32(0.5)
    picture = np.full((HEIGHT, WIDTH, 3), CLOTH, np.float32)
    frame = _to_rounded(rows, columns)
    _paint(picture, PAPER, -frame)
    _paint(picture, INK, 3 - np.abs(frame))
    let_loop_run()
    x = np.linspace(LEFT, RIGHT, len(review.chances))
    y = BOTTOM - (BOTTOM - TOP) * np.array(review.chances)
    curve = np.interp(columns[0], x, y).astype(np.float32)
    within = np.minimum(columns - LEFT, RIGHT - columns)
    _paint(picture, CLOTH, np.minimum(np.minimum(rows - curve, BOTTOM - rows), within))
    dashes = 8 - np.abs(columns % 28 - 14)
    _paint(picture, EVEN, np.minimum(np.minimum(2 - np.abs(rows - (TOP + BOTTOM) / 2), dashes), within))
    let_loop_run()
    _paint(picture, INK, _near_line(rows, columns, x, y, 4))
    for decision in review.decisions:
        if decision.label in MARKED and decision.turn in review.moments:
            far = np.hypot(rows - y[decision.turn - 1], columns - x[decision.turn - 1])
            _paint(picture, INK, 17 - far)
            if decision.label == "mistake":
                _paint(picture, PAPER, 11 - far)
        let_loop_run()
    return _png(picture.round().astype(np.uint8))


def _to_rounded(rows: Pixels, columns: Pixels) -> Pixels:
    """The distance from the edge of the paper, a rectangle with round corners; negative inside."""
    margin, radius = 28, 34
    across = np.abs(columns - WIDTH / 2) - (WIDTH / 2 - margin - radius)
    down = np.abs(rows - HEIGHT / 2) - (HEIGHT / 2 - margin - radius)
    outside = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    distance: Pixels = outside + np.minimum(np.maximum(across, down), 0) - radius
    return distance


def _near_line(rows: Pixels, columns: Pixels, x: NDArray[Any], y: NDArray[Any], reach: int) -> Pixels:
    """How far inside a line through these points each pixel is, if it reaches so far to both sides."""
    inside = np.full(rows.shape, -1, np.float32)
    for left, right, one, other in zip(x[:-1], x[1:], y[:-1], y[1:], strict=True):
        top, bottom = int(min(one, other)) - reach - 1, int(max(one, other)) + reach + 2
        near = slice(top, bottom), slice(int(left) - reach - 1, int(right) + reach + 2)
        across, down = columns[near] - left, rows[near] - one
        along = (across * (right - left) + down * (other - one)) / ((right - left) ** 2 + (other - one) ** 2)
        along = np.clip(along, 0, 1)
        far = np.hypot(across - along * (right - left), down - along * (other - one))
        inside[near] = np.maximum(inside[near], reach - far)
    return inside


def _paint(picture: Pixels, colour: tuple[int, int, int], inside: NDArray[Any]) -> None:
    """Paint where `inside`, a distance in pixels, is positive, with smooth edges."""
    covered = np.clip(inside + 0.5, 0, 1)
    touched = np.flatnonzero(covered.any(axis=1))
    if len(touched):
        band = slice(touched[0], touched[-1] + 1)
        picture[band] += (np.array(colour, np.float32) - picture[band]) * covered[band, :, None]


def _png(pixels: NDArray[np.uint8]) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        checked = kind + content
        return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

    height, width, _ = pixels.shape
    lines = np.zeros((height, 1 + 3 * width), np.uint8)  # each line begins with its filter: none
    lines[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits a channel, RGB
    packed = zlib.compress(lines.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
