"""`tavolino serve`: runs a server, alone or as one of several on one database."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tavolino.cli.data import BusOption, DatabaseOption, check_bus, check_database, check_public_url
from tavolino.cli.errors import Failure
from tavolino.cli.option_values import PackOption, bad_parameter, split_names
from tavolino.engine.extras import require

if TYPE_CHECKING:
    from tavolino.server.settings import ServerSettings


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.", envvar="TAVOLINO_HOST")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="The port to listen on.", envvar=["TAVOLINO_PORT", "PORT"], min=1, max=65535)
    ] = 8000,
    data: Annotated[Path | None, typer.Option(help="The folder for tables and people.", envvar="TAVOLINO_DATA")] = None,
    database: DatabaseOption = None,
    bus: BusOption = None,
    drain_seconds: Annotated[
        float,
        typer.Option(
            help="How long a stopping server takes to send its players to the other servers.",
            envvar="TAVOLINO_DRAIN_SECONDS",
            min=0,
            max=600,
        ),
    ] = 5.0,
    public_url: Annotated[
        str | None,
        typer.Option(help="The address people use to get here, behind a proxy.", envvar="TAVOLINO_PUBLIC_URL"),
    ] = None,
    trusted_proxies: Annotated[
        str | None,
        typer.Option(
            help="Proxies whose X-Forwarded-For counts and whose connections are not limited as those of one address: "
            "addresses and networks, separated by commas. By default this machine.",
            envvar="FORWARDED_ALLOW_IPS",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="Another name that this server answers to; can be repeated.", envvar="TAVOLINO_ALLOW_HOST"),
    ] = None,
    call_host: Annotated[
        list[str] | None,
        typer.Option(
            help="A host that may be notified when it is somebody's turn, instead of the usual push and chat services; "
            "can be repeated.",
            envvar="TAVOLINO_CALL_HOST",
        ),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            help="A limit, as in tables_per_hour=600; can be repeated. A wrong name lists them all.",
            envvar="TAVOLINO_LIMIT",
            metavar="NAME=NUMBER",
        ),
    ] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        typer.Option(help="How much to log; no level logs secrets.", envvar="TAVOLINO_LOG_LEVEL"),
    ] = "info",
    log_format: Annotated[
        Literal["auto", "human", "json"],
        typer.Option(help="auto: readable on a terminal, otherwise JSON.", envvar="TAVOLINO_LOG_FORMAT"),
    ] = "auto",
    keep_days: Annotated[
        int | None,
        typer.Option(help="Remove finished tables after this many days.", envvar="TAVOLINO_KEEP_DAYS", min=0),
    ] = None,
    abandon_days: Annotated[
        int,
        typer.Option(help="Close tables without a move for this many days.", envvar="TAVOLINO_ABANDON_DAYS", min=1),
    ] = 30,
    compact_days: Annotated[
        int,
        typer.Option(
            help="Store only what still matters of finished tables after this many days.",
            envvar="TAVOLINO_COMPACT_DAYS",
            min=0,
        ),
    ] = 7,
    bot_seconds: Annotated[
        float,
        typer.Option(
            help="How long bots wait before a move; 0: not at all.", envvar="TAVOLINO_BOT_SECONDS", min=0, max=60
        ),
    ] = 0.4,
    bot_workers: Annotated[
        int | None,
        typer.Option(help="Number of threads for bots.", envvar="TAVOLINO_BOT_WORKERS", min=1, max=64),
    ] = None,
    without: Annotated[
        str | None,
        typer.Option(
            help="Features to switch off, separated by commas: chat,circles. A wrong name lists them all.",
            envvar="TAVOLINO_WITHOUT",
        ),
    ] = None,
    audience: Annotated[
        str | None,
        typer.Option(
            "--for",
            help="Whom the server is for. class: no chat, no public tables, no notifications, no daily deals.",
            envvar="TAVOLINO_FOR",
        ),
    ] = None,
    offline_pack: PackOption = None,
    metrics: Annotated[
        bool,
        typer.Option(
            "--metrics", help="Show /metrics to everyone, not only to this machine.", envvar="TAVOLINO_METRICS"
        ),
    ] = False,
) -> None:
    """Serve the tables and the page on one address, until Ctrl-C."""
    require("server", "uvicorn")
    from tavolino.server.features import CannotSwitchOff, UnknownProfile, not_for, switched_on
    from tavolino.server.main import CannotStart, run
    from tavolino.server.proxies import check_trusted_proxies
    from tavolino.server.settings import (
        CALL_HOSTS,
        Pace,
        ServerSettings,
        default_bot_workers,
        default_data_folder,
        limits_from,
    )

    check_public_url(public_url)
    if trusted_proxies is not None and (wrong := check_trusted_proxies(trusted_proxies)) is not None:
        raise typer.BadParameter(wrong, param_hint="--trusted-proxies")
    off = split_names(without)
    with bad_parameter("--without", CannotSwitchOff):
        switched_on(off)
    if audience is not None:
        with bad_parameter("--for", UnknownProfile):
            off = tuple(dict.fromkeys((*off, *not_for(audience))))
    with bad_parameter("--limit", ValueError):
        limits = limits_from(limit or ())
    check_database(database)
    check_bus(bus, database)
    try:
        data = data or default_data_folder()
    except RuntimeError:  # no HOME, and no entry for this user in the system's list
        raise Failure("You have no home folder here. Say where to keep the data: --data FOLDER.") from None
    pack, problems = (offline_pack, ()) if offline_pack is not None else _installed_pack()
    settings = ServerSettings(
        host=host,
        port=port,
        data=data,
        database=database,
        bus=bus,
        drain_seconds=drain_seconds,
        public_url=public_url,
        trusted_proxies=trusted_proxies,
        allow_hosts=tuple(allow_host or ()),
        call_hosts=tuple(call_host) if call_host else CALL_HOSTS,
        limits=limits,
        log_level=log_level,
        log_format=log_format,
        keep_days=keep_days,
        abandon_days=abandon_days,
        compact_days=compact_days,
        bot_workers=bot_workers or default_bot_workers(),
        metrics=metrics,
        without=off,
        offline_pack=pack,
        pace=Pace(seconds=bot_seconds, spread=0.3 if bot_seconds else 0.0),
    )
    where = public_url or f"http://{host}:{port}"
    kept = settings.data if database is None else _place_of(database)
    welcome = (f"Tavolino is at {where} (Ctrl-C to stop). Data: {kept}", _reachability(settings), *problems)
    try:
        has_run = run(settings, on_open=lambda: _say(welcome, log_format))
    except CannotStart as reason:
        raise Failure(str(reason)) from None
    if not has_run:
        raise typer.Exit(1)


def _installed_pack() -> tuple[Path | None, tuple[str, ...]]:
    """The installed offline pack, and why it cannot be used: everything else works without it."""
    from tavolino.server.features.local_tables.installed import installed_pack
    from tavolino.server.features.local_tables.serving import BadPack

    try:
        return installed_pack(), ()
    except BadPack as problem:
        return None, (str(problem),)


def _say(sentences: Sequence[str], log_format: str) -> None:
    """On stderr; where the log is JSON, as a part of it, so that every line can be parsed."""
    import structlog

    from tavolino.server.observability import writes_json

    for sentence in sentences:
        if writes_json(log_format, sys.stderr):
            structlog.get_logger("tavolino").info(sentence)
        else:
            typer.echo(sentence, err=True)


def _reachability(settings: "ServerSettings") -> str:
    from tavolino.server.http.addresses import urls_of

    if urls := urls_of(settings):
        return f"Others can reach it at {', '.join(urls)}"
    return (
        "Only this machine can reach it. To let others on your network in: HOST=0.0.0.0 make play "
        "(or tavolino serve --host 0.0.0.0)"
    )


def _place_of(database: str) -> str:
    require("cluster", "asyncpg")
    from tavolino.server.storage.postgres.connections import place_of

    return place_of(database)
