"""Routes of tournaments."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import protocol as p
from tavolino.server.access import answer, identify, registry_of, require_person
from tavolino.server.errors import Refused
from tavolino.server.features.tournaments import protocol as m
from tavolino.server.features.tournaments.feature import TournamentsFeature
from tavolino.server.features.tournaments.games import Games
from tavolino.server.features.tournaments.overview import MAX_ENTRANTS, Overview
from tavolino.server.features.tournaments.stored import StoredTournament, StoredTournaments
from tavolino.server.http.route import Route

IN_TOURNAMENT = "/api/tournaments/{tournament}"


async def list_tournaments(request: Request) -> Response:
    """The tournaments of this server, the newest first."""
    return answer(await _overview(request).list())


async def get_tournament(request: Request) -> Response:
    """A tournament: who takes part, and the results of all deals that nobody can play any more."""
    person, tournament = await identify(request), await _tournament(request)
    return answer(await _overview(request).show(registry_of(request), tournament, person))


async def enter_tournament(request: Request) -> Response:
    """Take part. The server opens the tables of programs; people ask for theirs, one after the other."""
    person, tournament = await require_person(request), await _tournament(request)
    registry, stored = registry_of(request), _stored(request)
    registry.context.limits.changes.take(person.id)
    entrants = await stored.entrants(tournament.id)
    if person.id not in entrants:
        # The clock of this node may be late: whoever came in now could have learnt the cards of a deal.
        if registry.context.clock.wall() >= tournament.opens or await stored.has_begun(tournament.id):
            raise Refused("entries-closed")
        if len(entrants) >= MAX_ENTRANTS:
            raise Refused("tournament-full", {"most": MAX_ENTRANTS})
        await stored.enter(tournament.id, person.id)
        _overview(request).forget(tournament.id)
    return answer(await _overview(request).show(registry, tournament, person))


async def play_tournament(request: Request) -> Response:
    """Your table: the one that waits for you, or one for the next deal."""
    person, tournament = await require_person(request), await _tournament(request)
    if not await _stored(request).has_entered(tournament.id, person.id):
        raise Refused("not-entered")
    table = await Games(registry_of(request)).next_table(tournament, person)
    _overview(request).forget(tournament.id)
    return answer(table.table_for(person.id), 201)


async def get_deal(request: Request) -> Response:
    """The commitment of a deal, and once nobody can play it any more its secret, results and tables."""
    tournament = await _tournament(request)
    number = request.path_params["number"]
    found = int(number) if number.isascii() and number.isdigit() and len(number) <= 6 else 0
    return answer(await _overview(request).deal(registry_of(request), tournament, found))


async def _tournament(request: Request) -> StoredTournament:
    found = await _stored(request).get(request.path_params["tournament"])
    if found is None:
        raise Refused("no-such-tournament")
    return found


def _overview(request: Request) -> Overview:
    return TournamentsFeature.at(registry_of(request).features).overview


def _stored(request: Request) -> StoredTournaments:
    return StoredTournaments(registry_of(request).context.storage)


ROUTES = (
    Route("GET", "/api/tournaments", list_tournaments, list[m.TournamentCard]),
    Route("GET", IN_TOURNAMENT, get_tournament, m.Tournament, refusals=("no-such-tournament", "no-such-game")),
    Route(
        "POST",
        f"{IN_TOURNAMENT}/enter",
        enter_tournament,
        m.Tournament,
        refusals=(
            "no-identity",
            "no-such-tournament",
            "no-such-game",
            "entries-closed",
            "tournament-full",
            "too-fast",
        ),
    ),
    Route(
        "POST",
        f"{IN_TOURNAMENT}/play",
        play_tournament,
        p.Table,
        refusals=(
            "no-identity",
            "no-such-tournament",
            "no-such-game",
            "not-entered",
            "tournament-not-open",
            "all-deals-played",
            "still-compiling",
            "overloaded",
        ),
    ),
    Route("GET", f"{IN_TOURNAMENT}/deals/{{number}}", get_deal, m.TournamentDeal, refusals=("no-such-tournament",)),
)
