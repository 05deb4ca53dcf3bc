"""A small net that estimates the chances to win: plain loops in a fixed order, the same bits on every machine.

A game describes each seat by numbers (`features`): some of the seat as a whole, and the same few for each of several
items, such as cards. A layer that all items share is summed over them; two more layers give the seat's prospect, which
is added to the prospect that the game's own evaluation gives. The chances are the softmax of the prospects over the
seats. `tavolino train` makes the weights; a search uses them where a playout is cut off.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.arithmetic import exp
from tavolino.engine.compiled import compiled
from tavolino.engine.dispatch import ByRecord
from tavolino.engine.record import State

Floats = NDArray[np.float32]
MAX_SEATS = 8
NOTHING = np.float32(0.0)
SIZES = 6  # of a shape, in the order of its fields


@dataclass(frozen=True)
class NetShape:
    """The inputs of a seat and the sizes of the layers. An item's first input says whether the item is there."""

    whole: int  # inputs of the seat as a whole
    items: int
    per_item: int
    pooled: int = 16  # outputs of the layer that the items share
    first: int = 48
    second: int = 24
    features: int = 1  # the version of the features: raise it when an input gets another meaning

    @property
    def inputs(self) -> int:
        """For one seat; the last one is the prospect by the game's own evaluation."""
        return self.whole + self.items * self.per_item + 1

    @property
    def layers(self) -> tuple[tuple[int, int], ...]:
        """Rows and columns of the weights; the last row of each layer is its bias."""
        return (
            (self.per_item + 1, self.pooled),
            (self.whole + self.pooled + 1, self.first),
            (self.first + 1, self.second),
            (self.second + 1, 1),
        )

    @property
    def size(self) -> int:
        return sum(rows * columns for rows, columns in self.layers)

    @property
    def widest(self) -> int:
        return max(self.whole + self.pooled, self.first, self.second)


class Net(NamedTuple):
    """A net for compiled code: its sizes, and its weights layer by layer. Without weights there is none."""

    sizes: NDArray[np.int64]
    weights: Floats


class NetRoom(NamedTuple):
    """Scratch memory of a net: the inputs of each seat, and the values of the layers."""

    inputs: Floats
    values: Floats


NO_NET = Net(np.zeros(SIZES, np.int64), np.zeros(0, np.float32))


def net_of_weights(shape: NetShape, weights: Floats) -> Net:
    sizes = (shape.whole, shape.items, shape.per_item, shape.pooled, shape.first, shape.second)
    # A copy: weights read from a file are read-only, and code compiled ahead takes only arrays that can be written.
    return Net(np.array(sizes, np.int64), np.array(weights, np.float32, order="C"))


def new_room(shape: NetShape | None) -> NetRoom:
    if shape is None:
        return NetRoom(np.zeros((1, 1), np.float32), np.zeros((1, 1), np.float32))
    inputs = np.zeros((MAX_SEATS, shape.inputs), np.float32)
    return NetRoom(inputs, np.zeros((4, shape.widest), np.float32))


@ByRecord
def features(s: Any, inputs: Any) -> None:
    """Write the inputs of every seat into the rows of `inputs`.

    `s` is a world that is possible for the seat that searches; the numbers may depend on all of it.
    """


@compiled
def no_features(s: State, inputs: Floats) -> None:
    """The default of `features`: the game has no net."""


@compiled
def evaluate_by_net(s: State, net: Net, room: NetRoom, chances: NDArray[np.float64]) -> None:
    """Each seat's estimated chance to win."""
    features(s, room.inputs)
    total = 0.0
    for seat in range(s.players):
        inputs = room.inputs[seat]
        chances[seat] = exp(np.float64(inputs[len(inputs) - 1]) + np.float64(prospect_of(net, inputs, room.values)))
        total += chances[seat]
    for seat in range(s.players):
        chances[seat] /= total


@compiled
def prospect_of(net: Net, inputs: Floats, values: Floats) -> float:
    """What the net adds to the prospect of a seat. `values` holds the three hidden layers afterwards, for training."""
    whole, items, per_item = net.sizes[0], net.sizes[1], net.sizes[2]
    pooled, first, second = net.sizes[3], net.sizes[4], net.sizes[5]
    weights = net.weights
    mixed, item_values = values[0], values[3]
    for i in range(whole):
        mixed[i] = inputs[i]
    for k in range(pooled):
        mixed[whole + k] = 0.0
    sums = mixed[whole : whole + pooled]
    for item in range(items):
        at = whole + item * per_item
        if inputs[at] != 0.0:
            apply_layer(weights[: (per_item + 1) * pooled], inputs[at : at + per_item], item_values[:pooled])
            for k in range(pooled):
                sums[k] += item_values[k]
    start = (per_item + 1) * pooled
    end = start + (whole + pooled + 1) * first
    apply_layer(weights[start:end], mixed[: whole + pooled], values[1][:first])
    start, end = end, end + (first + 1) * second
    apply_layer(weights[start:end], values[1][:first], values[2][:second])
    last = weights[end:]
    prospect = last[second]
    for i in range(second):
        prospect += values[2][i] * last[i]
    return prospect


@compiled
def apply_layer(weights: Floats, inputs: Floats, outputs: Floats) -> None:
    """Outputs below 0 are 0. The inner loops run over slices from 0 on, so that they are vectorised."""
    n, m = len(inputs), len(outputs)
    bias = weights[n * m :]
    for k in range(m):
        outputs[k] = bias[k]
    for i in range(n):
        value = inputs[i]
        if value != 0.0:
            row = weights[i * m : i * m + m]
            for k in range(m):
                outputs[k] += value * row[k]
    for k in range(m):
        outputs[k] = max(outputs[k], NOTHING)
