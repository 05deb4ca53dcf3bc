"""Builds the offline pack: everything that a browser needs to run local tables without a server (`make offline`).

`modules` finds the Python that a local table loads, `freezing` writes it again for an interpreter without NumPy and
Numba, `small_numpy` is the part of NumPy that it uses, and `building` puts it all into versioned files with Pyodide and
the games' compiled modules. The build fails for what it cannot freeze.
"""
