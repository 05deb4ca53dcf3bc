"""A player who uses only Chromium's accessibility tree (roles, names, states) and the keyboard, like a screen reader.

It uses neither the sockets nor the drawing, and chooses by the names of the buttons.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

PATIENCE = 60.0
QUESTION = "What to do now"  # the name of the region, in English
EXPLANATION = "explanation"  # the id of what explains the chosen answer


@dataclass(frozen=True)
class Node:
    """A node of the accessibility tree."""

    id: int
    role: str
    name: str
    states: dict[str, Any]
    inside: tuple[str, ...]  # roles and names of its ancestors, outermost first

    @property
    def is_choice(self) -> bool:
        """A button that can be pressed to choose something."""
        return self.role == "button" and "pressed" in self.states and not self.states.get("disabled")

    @property
    def is_pressed(self) -> bool:
        return self.states.get("pressed") == "true"


class ScreenReader:
    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self._protocol = page.context.new_cdp_session(page)
        self._protocol.send("Accessibility.enable")
        self._chance = random.Random(seed)
        self.heard: list[str] = []

    # -- listening

    def tree(self) -> list[Node]:
        found = self._protocol.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in found}
        inside: dict[str, tuple[str, ...]] = {}

        def path(node: dict[str, Any]) -> tuple[str, ...]:
            """The path from the root to the node's parent."""
            if node["nodeId"] not in inside:
                parent = by_id.get(node.get("parentId", ""))
                step = () if parent is None or parent["ignored"] else (f"{_role(parent)} {_name(parent)}".strip(),)
                inside[node["nodeId"]] = (*path(parent), *step) if parent is not None else ()
            return inside[node["nodeId"]]

        return [
            Node(
                id=node["backendDOMNodeId"],
                role=_role(node),
                name=_name(node),
                states={each["name"]: each["value"].get("value") for each in node.get("properties", ())},
                inside=path(node),
            )
            for node in found
            if not node["ignored"] and "backendDOMNodeId" in node
        ]

    def listen(self, tree: list[Node]) -> None:
        """Read what the live region has announced since the last time."""
        said = [
            node.name
            for node in tree
            if node.role == "StaticText" and any(each.split(" ")[0] == "log" for each in node.inside)
        ]
        known = next((n for n in range(len(said), 0, -1) if self.heard[-n:] == said[:n]), 0)
        self.heard += said[known:]

    # -- deciding

    def wait_for_question(self) -> list[Node] | None:
        """The tree once this player is asked something and it was announced; None when the game is over."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            tree = self.tree()
            self.listen(tree)
            if any(node.role == "heading" and _ends(node.name) for node in tree):
                return None
            if self.heard and self.heard[-1] in paragraphs(tree) and _is_asked(tree):
                return tree
            self.page.wait_for_timeout(30)
        raise TimeoutError(f"nothing was asked, or it was not said: {paragraphs(self.tree())}, {self.heard[-3:]}")

    def decide(self, tree: list[Node], preferred: tuple[str, ...]) -> str:
        """Choose by name until the confirm button is enabled; returns the name that was read.

        Where an answer is selected from the start, confirm it; where all answers are words, one of them is played at
        once."""
        said, tried = len(self.heard), set[str]()
        confirm = _waiting(tree)
        if chosen := _chosen(tree):
            assert chosen.name, "a button without a name"
            self._press(chosen)
            self._wait_for_more_than(said)
            return chosen.name
        for _ in range(8):
            choices = [node for node in tree if node.is_choice and not node.is_pressed and node.name not in tried]
            liked = [node for word in preferred for node in choices if word in node.name]
            choice = (liked or self._chance.sample(choices, len(choices)))[0]
            assert choice.name, "a button without a name"
            tried.add(choice.name)
            self._press(choice)
            tree = self.tree()
            now = next((node for node in tree if confirm is not None and node.id == confirm.id), None)
            if now is None:  # it was played at once
                self._wait_for_more_than(said)
                return choice.name
            if not now.states.get("disabled"):
                assert now.name
                self._press(now)
                self._wait_for_more_than(said)
                return now.name
        raise AssertionError(f"nothing of {sorted(tried)} could be confirmed")

    def _press(self, node: Node) -> None:
        self._protocol.send("DOM.focus", {"backendNodeId": node.id})
        self.page.keyboard.press("Enter")

    def _wait_for_more_than(self, said: int) -> None:
        end = time.monotonic() + PATIENCE
        while len(self.heard) <= said:
            assert time.monotonic() < end, "a move was played and nothing was said"
            self.page.wait_for_timeout(20)
            self.listen(self.tree())


def _waiting(tree: list[Node]) -> Node | None:
    """The button that confirms while nothing is chosen: the disabled one beside the question."""
    waiting = [node for node in tree if node.role == "button" and node.states.get("disabled") and _in_question(node)]
    return waiting[-1] if waiting else None


def _chosen(tree: list[Node]) -> Node | None:
    """The button that confirms an answer which is chosen from the start: the one that its explanation describes."""
    return next(
        (node for node in tree if node.role == "button" and node.states.get("describedby") == EXPLANATION), None
    )


def _is_asked(tree: list[Node]) -> bool:
    """Something waits to be chosen, is chosen already, or is a word beside the question."""
    in_words = any(node.is_choice and _in_question(node) for node in tree)
    return _waiting(tree) is not None or _chosen(tree) is not None or in_words


def paragraphs(tree: list[Node]) -> list[str]:
    """The sentences in the region of the question, outside of buttons: the question, and what explains an answer."""
    return [
        node.name.strip()
        for node in tree
        if node.role == "StaticText" and _in_question(node) and node.inside[-1].split(" ")[0] == "paragraph"
    ]


def _in_question(node: Node) -> bool:
    return f"region {QUESTION}" in node.inside


def _ends(heading: str) -> bool:
    return heading.endswith((" won", "You won!", "Nobody won"))


def _role(node: dict[str, Any]) -> str:
    return str(node.get("role", {}).get("value", ""))


def _name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()
