"""Figures for Prometheus. They count; they never name a table, a person or a card."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.moves = Counter("tavolino_moves", "Moves made durable", ["game", "by"], registry=self.registry)
        self.refusals = Counter("tavolino_refusals", "Commands refused", ["code"], registry=self.registry)
        self.tables_opened = Counter("tavolino_tables_opened", "Tables opened", ["game"], registry=self.registry)
        self.games_ended = Counter("tavolino_games_ended", "Games that ended", ["game", "how"], registry=self.registry)
        self.crashes = Counter("tavolino_crashes", "Moves or tables that failed", registry=self.registry)
        self.sockets = Gauge("tavolino_sockets", "Open sockets", registry=self.registry)
        self.live_tables = Gauge("tavolino_live_tables", "Tables in memory", registry=self.registry)
        self.cut_off = Counter("tavolino_cut_off", "Sockets closed by us", ["code"], registry=self.registry)
        self.commit_seconds = Histogram(
            "tavolino_commit_seconds",
            "From a decision to its durable entry",
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
            registry=self.registry,
        )
        self.bots_waiting = Gauge("tavolino_bots_waiting", "Bots that think or wait", registry=self.registry)
        self.bots_too_late = Gauge("tavolino_bots_too_late", "Answers past the deadline", registry=self.registry)

    def text(self) -> bytes:
        return generate_latest(self.registry)
