"""Fuzzing: whatever comes in is refused with a sentence or ignored; nothing breaks, grows or changes.

`python -m tests.fuzz --inputs 1000000` for a long run, `test_fuzz.py` for a short one. `corpus/` holds inputs to begin
with, one file for each target, an input in each line as a Python bytes literal; what once broke something is added.
"""
