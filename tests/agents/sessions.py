"""Calls of the MCP server's tools by the SDK's client, and whole games with them."""

import random
import re
from typing import Any

from mcp import Client

from tavolino.agents.mcp_server import Player, make_server

OVER = "The game is over."


async def call(client: Any, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    text: str = result.content[0].text
    return text


async def refused(client: Any, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.content[0].text
    text: str = result.content[0].text
    return text.removeprefix(f"Error executing tool {tool}: ")


async def play_to_the_end(client: Any, text: str, chance: random.Random) -> str:
    for _ in range(1_000):
        if OVER in text:
            return text
        choices = re.findall(r"^(\d+)\. (.+?): ", text, re.M)
        assert choices, text
        number, action = chance.choice(choices)
        text = await call(client, "act", choice=int(number) if chance.random() < 0.5 else action)
    raise AssertionError("the game does not end")


def local_client(player: Player | None = None) -> Client:
    one = player or Player("en", None)
    return Client(make_server(lambda request: one))
