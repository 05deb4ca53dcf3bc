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
GROUP = 4  # rows of weights that are added at once


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
    """Scratch memory of a net: the inputs of each seat, the values of the layers, and the inputs that are not 0."""

    inputs: Floats
    values: Floats
    places: NDArray[np.int64]  # of the rows of weights
    factors: Floats


NO_NET = Net(np.zeros(SIZES, np.int64), np.zeros(0, np.float32))


def net_of_weights(shape: NetShape, weights: Floats) -> Net:
    sizes = (shape.whole, shape.items, shape.per_item, shape.pooled, shape.first, shape.second)
    # A copy: weights read from a file are read-only, and code compiled ahead takes only arrays that can be written.
    return Net(np.array(sizes, np.int64), np.array(weights, np.float32, order="C"))


def new_room(shape: NetShape | None, seats: int = MAX_SEATS) -> NetRoom:
    inputs, widest = (1, 1) if shape is None else (shape.inputs, shape.widest)
    return NetRoom(
        np.zeros((seats, inputs), np.float32),
        np.zeros((4, widest), np.float32),
        np.zeros(widest + GROUP, np.int64),
        np.zeros(widest + GROUP, np.float32),
    )


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
        chances[seat] = exp(np.float64(inputs[len(inputs) - 1]) + np.float64(prospect_of(net, inputs, room)))
        total += chances[seat]
    for seat in range(s.players):
        chances[seat] /= total


@compiled
def prospect_of(net: Net, inputs: Floats, room: NetRoom) -> float:
    """What the net adds to the prospect of a seat. `room.values` holds the hidden layers afterwards, for training."""
    whole, items, per_item = net.sizes[0], net.sizes[1], net.sizes[2]
    pooled, first, second = net.sizes[3], net.sizes[4], net.sizes[5]
    weights, values = net.weights, room.values
    mixed = values[0]
    for i in range(whole):
        mixed[i] = inputs[i]
    for k in range(pooled):
        mixed[whole + k] = 0.0
    start = (per_item + 1) * pooled
    sums, outputs = mixed[whole : whole + pooled], values[3][:pooled]
    for item in range(items):
        at = whole + item * per_item
        if inputs[at] != 0.0:
            apply_to_item(weights[:start], inputs[at : at + per_item], outputs)
            for k in range(pooled):
                sums[k] += max(outputs[k], NOTHING)
    end = start + (whole + pooled + 1) * first
    apply_layer(weights[start:end], mixed[: whole + pooled], values[1][:first], room)
    start, end = end, end + (first + 1) * second
    apply_layer(weights[start:end], values[1][:first], values[2][:second], room)
    last = weights[end:]
    prospect = last[second]
    for i in range(second):
        prospect += values[2][i] * last[i]
    return prospect


# The loops below take four rows of weights at a time: so each output is read and written once for four inputs, and
# still summed in the order of the inputs. The inner loops run over slices from 0 on, so that they are vectorised.


@compiled
def apply_to_item(weights: Floats, inputs: Floats, outputs: Floats) -> None:
    """The layer of an item that is there; outputs may be below 0. Few inputs are 0, so that none is left out."""
    n, m = len(inputs), len(outputs)
    bias, there, value = weights[n * m : n * m + m], weights[:m], inputs[0]
    for k in range(m):
        outputs[k] = bias[k] + value * there[k]
    for i in range(1, n - GROUP + 1, GROUP):
        a, b, c, d = inputs[i], inputs[i + 1], inputs[i + 2], inputs[i + 3]
        at = i * m
        row_a, row_b = weights[at : at + m], weights[at + m : at + 2 * m]
        row_c, row_d = weights[at + 2 * m : at + 3 * m], weights[at + 3 * m : at + 4 * m]
        for k in range(m):
            outputs[k] = outputs[k] + a * row_a[k] + b * row_b[k] + c * row_c[k] + d * row_d[k]
    for i in range(1 + (n - 1) // GROUP * GROUP, n):
        value, row = inputs[i], weights[i * m : i * m + m]
        for k in range(m):
            outputs[k] += value * row[k]


@compiled
def apply_layer(weights: Floats, inputs: Floats, outputs: Floats, room: NetRoom) -> None:
    """Outputs below 0 are 0. Inputs that are 0 are left out: about half of them."""
    n, m = len(inputs), len(outputs)
    bias = weights[n * m : n * m + m]
    for k in range(m):
        outputs[k] = bias[k]
    add_products(weights, inputs, outputs, room)
    for k in range(m):
        outputs[k] = max(outputs[k], NOTHING)


@compiled
def add_products(weights: Floats, inputs: Floats, outputs: Floats, room: NetRoom) -> None:
    """Add to the outputs each input times its row of the weights."""
    places, factors, m = room.places, room.factors, len(outputs)
    count = 0
    for i in range(len(inputs)):
        places[count], factors[count] = i * m, inputs[i]
        count += 1 if inputs[i] != 0.0 else 0
    for i in range(count, count + GROUP - 1):
        places[i], factors[i] = 0, NOTHING
    for i in range(0, count, GROUP):
        a, b, c, d = factors[i], factors[i + 1], factors[i + 2], factors[i + 3]
        row_a, row_b = weights[places[i] : places[i] + m], weights[places[i + 1] : places[i + 1] + m]
        row_c, row_d = weights[places[i + 2] : places[i + 2] + m], weights[places[i + 3] : places[i + 3] + m]
        for k in range(m):
            outputs[k] = outputs[k] + a * row_a[k] + b * row_b[k] + c * row_c[k] + d * row_d[k]
