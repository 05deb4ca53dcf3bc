"""Checks of a game file: was the deal fair, does the game replay, and what can nobody tell from the file.

`tavolino verify` and the page, in a worker of the browser (`tavolino.local.checking`), run the same code: `checks`
judges, `telling` says it in the languages of `texts`.
"""
