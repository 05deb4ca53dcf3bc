"""Calls code compiled ahead, as the extension module `_caller` does (`aot/caller.c`), with `ctypes` alone.

For WebAssembly, where a call takes a few microseconds longer and needs no thread. Arguments are checked against the
types that the code was compiled for, in the same way and with the same errors.
"""

import ctypes
from collections.abc import Callable
from struct import Struct
from typing import Any

Words = list[int]
Pack = Callable[[Any, Words, list[Any], int], None]
_double, _whole = Struct("d"), Struct("q")
WHOLE_RANGE = range(-(1 << 63), 1 << 63)


def load(path: str) -> ctypes.CDLL:
    """A shared library, which is never closed."""
    return ctypes.CDLL(path)


def bind(library: ctypes.CDLL, symbol: str, result: str, described: list[Any]) -> Callable[..., Any]:
    """A function that calls an entry point. `described`: the kinds of the arguments, as `aot.wrappers` writes them."""
    try:
        function = library[symbol]
    except AttributeError:
        raise OSError(f"the library has no entry point {symbol}") from None
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_int
    packs = [_pack_of(symbol, each) for each in described]

    def call(*arguments: Any) -> Any:
        if len(arguments) != len(packs):
            much = "many" if len(arguments) > len(packs) else "few"
            raise TypeError(f"{symbol}: {len(arguments)} arguments are too {much}")
        words: Words = [0]
        arrays: list[Any] = []
        limited: list[tuple[int, int, bool]] = []
        for nth, (pack, argument) in enumerate(zip(packs, arguments, strict=True)):
            pack(argument, words, arrays, nth)
            kind, *details = described[nth]
            if kind in ("index", "count"):
                limited.append((words[-1], details[0], kind == "index"))
        for value, number, is_index in limited:
            length = arrays[number].shape[0]
            if not 0 <= value <= length - is_index:
                raise IndexError(f"{symbol}: {value} is out of range for an array of length {length}")
        room = (ctypes.c_int64 * len(words))(*words)
        status = function(ctypes.addressof(room))
        if status:
            raise RuntimeError(f"{symbol}: the compiled code ended with status {status}")
        return None if result == "none" else room[0] != 0 if result == "truth" else room[0]

    return call


def _pack_of(symbol: str, described: tuple[Any, ...]) -> Pack:
    kind, *details = described

    def refuse(nth: int, what: str) -> TypeError:
        return TypeError(f"{symbol}: argument {nth + 1} is not {what}")

    def pack_array(one: Any, words: Words, arrays: list[Any], nth: int) -> None:
        dtype, *least = details
        if not hasattr(one, "dtype"):
            raise refuse(nth, "an array")
        if one.dtype != dtype:
            raise refuse(nth, f"an array of {dtype}")
        interface = one.__array_interface__
        address, is_readonly = interface["data"]
        if is_readonly or interface["strides"] is not None:
            raise refuse(nth, "an array in C order that can be written")
        if len(one.shape) != len(least):
            raise refuse(nth, "an array of so many dimensions")
        for dimension, (length, lowest) in enumerate(zip(one.shape, least, strict=True), 1):
            if length < lowest:
                raise ValueError(
                    f"{symbol}: argument {nth + 1} is too small: {length} instead of at least {lowest} in dimension"
                    f" {dimension}"
                )
        words.append(address)
        words.extend(one.shape)
        arrays.append(one)

    def pack_tuple(one: Any, words: Words, arrays: list[Any], nth: int) -> None:
        if not isinstance(one, tuple) or len(one) != len(items):
            raise refuse(nth, "the tuple of arrays")
        for pack, item in zip(items, one, strict=True):
            pack(item, words, arrays, nth)

    def pack_real(one: Any, words: Words, arrays: list[Any], nth: int) -> None:
        try:
            words.append(_whole.unpack(_double.pack(one))[0])
        except Exception:
            raise refuse(nth, "a number") from None

    def pack_none(one: Any, words: Words, arrays: list[Any], nth: int) -> None:
        if one is not None:
            raise refuse(nth, "None")

    def pack_truth(one: Any, words: Words, arrays: list[Any], nth: int) -> None:
        if not isinstance(one, bool):
            raise refuse(nth, "True or False")
        words.append(int(one))

    def pack_whole(one: Any, words: Words, arrays: list[Any], nth: int) -> None:
        if not hasattr(one, "__index__") or (value := one.__index__()) not in WHOLE_RANGE:
            raise refuse(nth, "a whole number of 64 bits")
        words.append(value)

    items = [_pack_of(symbol, each) for each in details] if kind == "tuple" else []
    packs: dict[str, Pack] = {
        "array": pack_array, "tuple": pack_tuple, "real": pack_real, "none": pack_none, "truth": pack_truth,
    }  # fmt: skip
    return packs.get(kind, pack_whole)
