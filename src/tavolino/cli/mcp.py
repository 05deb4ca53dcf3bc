"""`tavolino mcp`: games for language models, over the Model Context Protocol."""

import os
import socket
import sys
from ipaddress import ip_address
from typing import Annotated

import typer

from tavolino.cli.errors import Failure, WrongUse
from tavolino.cli.option_values import LANGUAGE_HELP, choose_language

TOKEN = "TAVOLINO_TOKEN"
SESSIONS = "TAVOLINO_MCP_TOKENS"
SHORTEST_TOKEN = 22  # 128 bits in base 64


def mcp(
    server: Annotated[
        str | None,
        typer.Option(help=f"Play on this server, not in this process; {TOKEN} may hold a program's token there."),
    ] = None,
    name: Annotated[str, typer.Option(help="The program's name on the server.")] = "Program",
    language: Annotated[str | None, typer.Option(help=LANGUAGE_HELP)] = None,
    http: Annotated[bool, typer.Option("--http", help="Streamable HTTP instead of stdin and stdout.")] = False,
    host: Annotated[str, typer.Option(help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --http: the port; 0 is any free one.")] = 8765,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="With --http: another host name by which clients may call.")
    ] = None,
    sessions: Annotated[
        int,
        typer.Option(
            min=1, max=100, help=f"With --http: how many tokens to make, one for each player; or set {SESSIONS}."
        ),
    ] = 1,
) -> None:
    """Let language models play, as an MCP server: against bots here, or at tables of a server."""
    from tavolino.agents.mcp_server import Player, make_server
    from tavolino.agents.server_link import ServerLink

    spoken = choose_language(language)

    def make_player() -> Player:
        try:
            link = server and ServerLink(server, os.environ.get(TOKEN) or None, name, spoken)
        except ValueError as wrong:
            raise WrongUse(wrong) from None
        return Player(spoken, link or None)

    if not http:
        player = make_player()
        make_server(lambda request: player, spoken).run("stdio")
        return
    import uvicorn

    from tavolino.agents.mcp_http import PATH, Players, application, new_tokens

    names = allow_host or []
    if not _is_loopback(host) and not names:
        raise WrongUse("To listen beyond this machine, name the hosts by which clients call: --allow-host NAME.")
    given = _given_tokens()
    if server and os.environ.get(TOKEN) and len(given or [1] * sessions) > 1:
        raise WrongUse(f"{TOKEN} is one person: with it there can be one session only.")
    tokens = given or new_tokens(sessions)
    players = Players(tokens, make_player)
    if not given:
        for token in tokens:
            print(f"token: {token}", file=sys.stderr)
    app = application(make_server(players.of, spoken), players, names)
    with _listener(host, port) as listener:
        shown = f"[{host}]" if ":" in host else host
        print(f"http://{shown}:{listener.getsockname()[1]}{PATH}", file=sys.stderr, flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


def _given_tokens() -> list[str]:
    """The tokens that the environment names: hard to guess, and each of one player."""
    tokens = [token.strip() for token in os.environ.get(SESSIONS, "").split(",") if token.strip()]
    if any(len(token) < SHORTEST_TOKEN or not token.isascii() for token in tokens):
        raise WrongUse(f"A token in {SESSIONS} must have at least {SHORTEST_TOKEN} characters of ASCII.")
    if len(set(tokens)) < len(tokens):
        raise WrongUse(f"Each token in {SESSIONS} is one player: no two may be the same.")
    return tokens


def _listener(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise Failure(f"Cannot listen on {host}, port {port}: {error.strerror}.") from None


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
