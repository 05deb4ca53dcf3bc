"""Compiles a game ahead of time, with Numba as the compiler and `ziglang` as the linker: `python -m tavolino.aot`.

One source gives a shared library for each platform (`engine.ahead` loads it), a WebAssembly module, and a side module
for Pyodide. `entry_points` of the engine is the list of what is compiled; `lowering` lets Numba translate it to LLVM's
language and writes the exported functions (`wrappers`); `emitting` optimises and links it for each of the `targets`.

Nothing in the result depends on the machine that makes it: the same sources give the same bytes.
"""
