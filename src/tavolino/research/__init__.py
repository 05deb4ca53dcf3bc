"""The games for people who train and study agents: OpenSpiel, PettingZoo, Gymnasium, on the same compiled rules.

Nothing is imported here: each interface is an extra of its own (`tavolino[openspiel]`, `tavolino[pettingzoo]`,
`tavolino[gymnasium]`), and players need none of them.
"""
