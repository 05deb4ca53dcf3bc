"""Datasets of games for learning, with what the coach measures, and the benchmark of beliefs."""
