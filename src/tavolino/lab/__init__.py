"""Experiments with many games: simulation, arena, balance."""
