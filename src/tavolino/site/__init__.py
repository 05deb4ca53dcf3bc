"""Writes the page into a folder that any static host serves, without a server of ours (`tavolino site`).

Tables run in the page (`tavolino.local`, with the pack of `tavolino.offline`). `answers` are the files that are there
instead of a server's answers, made by the same code; `writing` puts them beside the page's files and the pack.
"""
