"""Interfaces for training and studying agents: OpenSpiel, PettingZoo, Gymnasium, all on the compiled rules.

Nothing is imported here: each interface is an extra of its own (`tavolino[openspiel]`, `tavolino[pettingzoo]`,
`tavolino[gymnasium]`), and players need none of them.
"""
