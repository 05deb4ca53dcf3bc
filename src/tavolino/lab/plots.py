"""Plots of the lab's figures. Matplotlib is imported when the first plot is drawn."""

from pathlib import Path
from typing import Any

from tavolino.engine.extras import require

INK, EVEN = "#2f5d8a", "#9a9a9a"
PER_CENT = 100.0


def _figure(width: float, height: float) -> tuple[Any, Any]:
    require("lab", "matplotlib")
    import matplotlib

    matplotlib.use("Agg")
    # The same figures give the same bytes: no date, no random ids.
    matplotlib.rcParams["svg.hashsalt"] = "tavolino"
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def save(figure: Any, path: Path) -> None:
    """Save as PNG or SVG, by the ending of the name."""
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
    figure.savefig(path, dpi=150, metadata=metadata)


def plot_arena(figures: dict[str, Any], path: Path) -> None:
    """The share of wins of each side with its interval, and the even share."""
    rows = list(reversed(figures["standings"]))
    figure, axes = _figure(7, 1.2 + 0.5 * len(rows))
    for at, row in enumerate(rows):
        _interval(axes, row, at)
        axes.plot([row["even"] * PER_CENT] * 2, [at - 0.3, at + 0.3], color=EVEN, linestyle=":")
    axes.set_yticks(range(len(rows)), [row["bot"] for row in rows])
    axes.set_xlim(0, 100)
    axes.set_xlabel("games won, % (95% interval; dotted: even)")
    axes.set_title(f"{figures['game']}, {figures['players']} players, {figures['games']:,} games", fontsize=10)
    save(figure, path)


def _interval(axes: Any, row: dict[str, Any], at: float) -> None:
    share = row["share"] * PER_CENT
    reach = [[share - row["low"] * PER_CENT], [row["high"] * PER_CENT - share]]
    axes.errorbar(share, at, xerr=reach, fmt="o", color=INK, capsize=4)


def plot_seats(figures: dict[str, Any], path: Path) -> None:
    """Who wins by seat or side, for each number of players."""
    tables = figures["tables"]
    figure, axes = _figure(7, 4)
    at = 0.0
    ticks, labels = [], []
    for table in tables:
        for row in table["wins"]:
            share = row["share"] * PER_CENT
            reach = [[share - row["low"] * PER_CENT], [row["high"] * PER_CENT - share]]
            axes.errorbar(at, share, yerr=reach, fmt="o", color=INK, capsize=3)
            axes.plot([at - 0.3, at + 0.3], [row["even"] * PER_CENT] * 2, color=EVEN, linestyle=":")
            ticks.append(at)
            labels.append(row["who"])
            at += 1
        at += 1
    axes.set_xticks(ticks, labels, rotation=45, ha="right", fontsize=8)
    axes.set_ylabel("games won, % (95%; dotted: even)")
    players = ", ".join(str(table["players"]) for table in tables)
    axes.set_title(f"{figures['game']}: {figures['level']} against {figures['level']}, {players} players", fontsize=10)
    save(figure, path)


def plot_actions(figures: dict[str, Any], path: Path) -> None:
    """How often each action was chosen, against how often by somebody who won."""
    figure, axes = _figure(7, 5)
    for row in figures["actions"]:
        axes.plot(row["per_game"], row["won"] * PER_CENT, "o", color=INK, markersize=3, alpha=0.6)
    for row in figures["actions"][:14]:
        axes.annotate(row["action"], (row["per_game"], row["won"] * PER_CENT), fontsize=6, alpha=0.8)
    axes.set_xscale("log")
    axes.set_xlabel("times a game")
    axes.set_ylabel("chosen by somebody who won, %")
    axes.set_title(f"{figures['game']}: choices of {figures['level']} players", fontsize=10)
    save(figure, path)


def plot_varied(figures: dict[str, Any], path: Path) -> None:
    """How often the first side wins by the value of an option, for each number of players."""
    first = figures["varied"][0]
    figure, axes = _figure(7, 4)
    for players in dict.fromkeys(row["players"] for row in figures["varied"]):
        rows = [row for row in figures["varied"] if row["players"] == players]
        shares = [row["share"] * PER_CENT for row in rows]
        reach = [
            [share - row["low"] * PER_CENT for share, row in zip(shares, rows, strict=True)],
            [row["high"] * PER_CENT - share for share, row in zip(shares, rows, strict=True)],
        ]
        axes.errorbar(
            [row["value"] for row in rows], shares, yerr=reach, marker="o", capsize=3, label=f"{players} players"
        )
    axes.axhline(first["even"] * PER_CENT, color=EVEN, linestyle=":")
    axes.set_xlabel(first["option"])
    axes.set_ylabel(f"games won by {first['who']}, % (95%)")
    axes.set_title(f"{figures['game']}: {figures['level']} against {figures['level']}", fontsize=10)
    axes.legend(fontsize=8)
    save(figure, path)


def plot_training(game: str, reports: Any, path: Path) -> None:
    """The loss after each round of a training, by number of players."""
    figure, axes = _figure(6, 3.5)
    for players in sorted({report.players for report in reports}):
        rows = [report for report in reports if report.players == players]
        axes.plot([row.round + 1 for row in rows], [row.loss for row in rows], marker="o", label=f"{players} players")
    axes.set_xlabel("round")
    axes.set_ylabel("log loss of the chances")
    axes.set_title(f"{game}: training", fontsize=10)
    axes.legend(frameon=False)
    save(figure, path)
