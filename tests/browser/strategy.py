"""How the players of these tests choose actions: well enough that games end, from the view alone."""

from __future__ import annotations

from typing import Any

COLOURS = ("yellow", "blue", "red", "orange", "purple")


def choose(view: dict[str, Any]) -> str:
    """One of the legal actions."""
    legal: list[str] = view["legal"]
    if view["game"] == "splendor-marvel":
        return _splendor(view, legal)
    if view["game"] == "infinity-gauntlet":
        return _gauntlet(view, legal)
    return _mantis(view, legal)


def _mantis(view: dict[str, Any], legal: list[str]) -> str:
    """Score the colour of the back that the tank has most of; steal it where another tank has more."""
    if legal[0].startswith("take"):
        return legal[0]
    back = view["draw"]["back"]
    reach = [sum(seat["tank"][colour] for colour in back) for seat in view["seats"]]
    rivals = [int(action.split()[1]) for action in legal if action.startswith("steal")]
    best = max(rivals, key=lambda seat: reach[seat])
    return f"steal {best}" if reach[best] > reach[view["seat"]] + 2 else "score"


def _gauntlet(view: dict[str, Any], legal: list[str]) -> str:
    """Snap, fight, and otherwise choose the actions in turn, so that every kind of question comes up."""
    for action in ("snap", "fight"):
        if action in legal:
            return action
    orders = [action for action in legal if action.startswith("order")]
    if orders:
        return orders[0]
    spread = sum(len(seat["face_up"]) for seat in view["seats"]) + sum(view["decks"].values())
    offered = [action for action in legal if action not in ("decline", "end-turn")] or legal
    return offered[spread % len(offered)]


def _splendor(view: dict[str, Any], legal: list[str]) -> str:
    """Recruit the most points that can be paid; else take tokens for the card that lacks the fewest."""
    recruits = [action for action in legal if action.startswith("recruit")]
    if recruits:
        return max(recruits, key=lambda action: sum(view["prices"][action.split()[1]].values()))
    for verb in ("pay", "visit", "pass"):
        chosen = [action for action in legal if action.split()[0] == verb]
        if chosen:
            return chosen[0]
    mine = view["seats"][view["seat"]]
    returns = [action.split()[1] for action in legal if action.startswith("return")]
    if returns:
        return f"return {max(returns, key=lambda colour: mine['tokens'][colour])}"
    target = min(view["prices"].values(), key=lambda price: price["grey_needed"])
    missing = {colour: target[colour] - mine["tokens"][colour] for colour in COLOURS}
    takes = [action for action in legal if action.startswith("take")]
    if takes:
        return max(takes, key=lambda action: sum(min(1, max(0, missing[c])) for c in action.split()[1:]))
    return legal[0]
