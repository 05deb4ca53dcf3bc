"""The gradient of a net, in plain loops: the same bits with every number of threads and every library for matrices."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.policies import policy_of
from tavolino.engine.arithmetic import exp, log
from tavolino.engine.compiled import compiled, entry, float32
from tavolino.engine.entry_points import Arguments, declare
from tavolino.engine.game import Game
from tavolino.engine.net import (
    MAX_SEATS,
    NO_NET,
    NOTHING,
    Floats,
    Net,
    NetRoom,
    NetShape,
    add_products,
    apply_to_item,
    new_room,
    prospect_of,
)

SMALLEST = 1e-9  # of a chance, in its logarithm


class LearningRoom(NamedTuple):
    """Scratch memory: the net's own, the values of the layers for each seat, the slopes of the layers, and the weights
    by which the slopes of the first layer and of the pooled inputs are computed, row by row."""

    net: NetRoom
    values: Floats
    slopes: Floats
    turned_second: Floats
    turned_first: Floats


def learning_room(shape: NetShape) -> LearningRoom:
    return LearningRoom(
        new_room(shape, 1),
        np.zeros((MAX_SEATS, 4, shape.widest), np.float32),
        np.zeros((4, shape.widest), np.float32),
        np.zeros(shape.first * shape.second, np.float32),
        np.zeros(shape.first * shape.pooled, np.float32),
    )


@entry
def add_gradient(
    inputs: Floats,
    shares: Floats,
    net: Net,
    room: LearningRoom,
    gradient: NDArray[np.float64],
    losses: NDArray[np.float64],
) -> None:
    """Add the gradient of the log loss over these positions, and the losses to `losses[0]`.

    `inputs` is by position, seat and input. With an empty `gradient`, only the loss is computed.
    """
    seats = inputs.shape[1]
    prospects = np.empty(seats)
    total = 0.0
    if len(gradient) > 0:
        _turn(net, room)
    for row in range(len(inputs)):
        whole = 0.0
        for seat in range(seats):
            x, own = inputs[row, seat], _room_of(room, seat)
            prospects[seat] = exp(np.float64(x[len(x) - 1]) + np.float64(prospect_of(net, x, own)))
            whole += prospects[seat]
        for seat in range(seats):
            chance = prospects[seat] / whole
            if shares[row, seat] > 0.0:
                total -= shares[row, seat] * log(max(chance, SMALLEST))
            if len(gradient) > 0:
                _go_back(inputs[row, seat], net, room, seat, float32(chance - shares[row, seat]), gradient)
    losses[0] += total


@compiled
def _room_of(room: LearningRoom, seat: int) -> NetRoom:
    return NetRoom(room.net.inputs, room.values[seat], room.net.places, room.net.factors)


@compiled
def _turn(net: Net, room: LearningRoom) -> None:
    """The weights of the second layer, and those of the first for the pooled inputs, with rows for columns."""
    whole, per_item = net.sizes[0], net.sizes[2]
    pooled, first, second = net.sizes[3], net.sizes[4], net.sizes[5]
    to_first = (per_item + 1) * pooled
    to_second = to_first + (whole + pooled + 1) * first
    for i in range(first):
        for k in range(second):
            room.turned_second[k * first + i] = net.weights[to_second + i * second + k]
        for k in range(pooled):
            room.turned_first[i * pooled + k] = net.weights[to_first + (whole + k) * first + i]


@compiled
def _go_back(x: Floats, net: Net, room: LearningRoom, seat: int, slope: float, gradient: NDArray[np.float64]) -> None:
    """Add the gradient of one seat of one position. `slope` is that of its prospect."""
    whole, items, per_item = net.sizes[0], net.sizes[1], net.sizes[2]
    pooled, first, second = net.sizes[3], net.sizes[4], net.sizes[5]
    weights, values, slopes = net.weights, room.values[seat], room.slopes
    to_first = (per_item + 1) * pooled
    to_second = to_first + (whole + pooled + 1) * first
    to_last = to_second + (first + 1) * second
    for k in range(second):
        gradient[to_last + k] += slope * values[2][k]
        slopes[2][k] = slope * weights[to_last + k] if values[2][k] > 0.0 else NOTHING
    gradient[to_last + second] += slope
    _add_gradient_of_layer(gradient[to_second:to_last], values[1][:first], slopes[2][:second])
    _slopes_of_inputs(room.turned_second, slopes[2][:second], slopes[1][:first], room.net)
    for k in range(first):
        if values[1][k] <= 0.0:
            slopes[1][k] = 0.0
    _add_gradient_of_layer(gradient[to_first:to_second], values[0][: whole + pooled], slopes[1][:first])
    _slopes_of_inputs(room.turned_first, slopes[1][:first], slopes[0][:pooled], room.net)
    outputs, back = values[3][:pooled], slopes[3][:pooled]
    for item in range(items):
        at = whole + item * per_item
        if x[at] != 0.0:
            apply_to_item(weights[:to_first], x[at : at + per_item], outputs)
            for k in range(pooled):
                back[k] = slopes[0][k] if outputs[k] > 0.0 else NOTHING
            _add_gradient_of_layer(gradient[:to_first], x[at : at + per_item], back)


@compiled
def _slopes_of_inputs(turned: Floats, slopes: Floats, in_slopes: Floats, room: NetRoom) -> None:
    for i in range(len(in_slopes)):
        in_slopes[i] = 0.0
    add_products(turned, slopes, in_slopes, room)


@compiled
def _add_gradient_of_layer(gradient: NDArray[np.float64], inputs: Floats, slopes: Floats) -> None:
    n, m = len(inputs), len(slopes)
    for i in range(n):
        value = inputs[i]
        if value != 0.0:
            row = gradient[i * m : i * m + m]
            for k in range(m):
                row[k] += value * slopes[k]
    bias = gradient[n * m :]
    for k in range(m):
        bias[k] += slopes[k]


def _sample_gradient(game: Game) -> Arguments | None:
    shape = policy_of(game.name).net
    if shape is None:
        return None
    seats = game.players[0]
    inputs, shares = np.zeros((0, seats, shape.inputs), np.float32), np.zeros((0, seats), np.float32)
    return inputs, shares, NO_NET, learning_room(shape), np.zeros(0), np.zeros(1)


declare("training", add_gradient, _sample_gradient)
