"""The gradient of a net, in plain loops: the same bits with every number of threads and every library for matrices."""

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.policies import policy_of
from tavolino.engine.arithmetic import exp, log
from tavolino.engine.compiled import compiled, entry, float32
from tavolino.engine.entry_points import Arguments, declare
from tavolino.engine.game import Game
from tavolino.engine.net import NO_NET, NOTHING, Floats, Net, apply_layer, new_room, prospect_of

SMALLEST = 1e-9  # of a chance, in its logarithm


@entry
def add_gradient(
    inputs: Floats,
    shares: Floats,
    net: Net,
    values: Floats,
    slopes: Floats,
    gradient: NDArray[np.float64],
    losses: NDArray[np.float64],
) -> None:
    """Add the gradient of the log loss over these positions, and the losses to `losses[0]`.

    `inputs` is by position, seat and input. With an empty `gradient`, only the loss is computed.
    """
    seats = inputs.shape[1]
    prospects = np.empty(seats)
    total = 0.0
    for row in range(len(inputs)):
        whole = 0.0
        for seat in range(seats):
            x = inputs[row, seat]
            prospects[seat] = exp(np.float64(x[len(x) - 1]) + np.float64(prospect_of(net, x, values)))
            whole += prospects[seat]
        for seat in range(seats):
            chance = prospects[seat] / whole
            if shares[row, seat] > 0.0:
                total -= shares[row, seat] * log(max(chance, SMALLEST))
            if len(gradient) > 0:
                prospect_of(net, inputs[row, seat], values)
                _go_back(inputs[row, seat], net, values, slopes, float32(chance - shares[row, seat]), gradient)
    losses[0] += total


@compiled
def _go_back(x: Floats, net: Net, values: Floats, slopes: Floats, slope: float, gradient: NDArray[np.float64]) -> None:
    """Add the gradient of one seat of one position. `values` are those of the layers, `slope` that of the prospect."""
    whole, items, per_item = net.sizes[0], net.sizes[1], net.sizes[2]
    pooled, first, second = net.sizes[3], net.sizes[4], net.sizes[5]
    weights = net.weights
    to_first = (per_item + 1) * pooled
    to_second = to_first + (whole + pooled + 1) * first
    to_last = to_second + (first + 1) * second
    for k in range(second):
        gradient[to_last + k] += slope * values[2][k]
        slopes[2][k] = slope * weights[to_last + k] if values[2][k] > 0.0 else NOTHING
    gradient[to_last + second] += slope
    hidden, back = values[1][:first], slopes[1][:first]
    _layer_back(weights[to_second:to_last], gradient[to_second:to_last], hidden, back, slopes[2][:second])
    for k in range(first):
        if values[1][k] <= 0.0:
            slopes[1][k] = 0.0
    mixed = values[0][: whole + pooled]
    _layer_back(weights[to_first:to_second], gradient[to_first:to_second], mixed, slopes[0], back)
    for item in range(items):
        at = whole + item * per_item
        if x[at] != 0.0:
            one, back = values[3][:pooled], slopes[3][:pooled]
            apply_layer(weights[:to_first], x[at : at + per_item], one)
            for k in range(pooled):
                back[k] = slopes[0][whole + k] if one[k] > 0.0 else NOTHING
            _add_products(gradient[:to_first], x[at : at + per_item], back)


@compiled
def _layer_back(
    weights: Floats, gradient: NDArray[np.float64], inputs: Floats, in_slopes: Floats, slopes: Floats
) -> None:
    """The gradient of a layer, and the slopes of its inputs."""
    m = len(slopes)
    for i in range(len(inputs)):
        slope, row = NOTHING, weights[i * m : i * m + m]
        for k in range(m):
            slope += slopes[k] * row[k]
        in_slopes[i] = slope
    _add_products(gradient, inputs, slopes)


@compiled
def _add_products(gradient: NDArray[np.float64], inputs: Floats, slopes: Floats) -> None:
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
    seats, room = game.players[0], new_room(shape).values
    inputs, shares = np.zeros((0, seats, shape.inputs), np.float32), np.zeros((0, seats), np.float32)
    return inputs, shares, NO_NET, room, room, np.zeros(0), np.zeros(1)


declare("training", add_gradient, _sample_gradient)
