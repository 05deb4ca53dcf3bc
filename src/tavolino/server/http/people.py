"""Routes about identities: `/api/me` and below."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import access
from tavolino.server import protocol as p
from tavolino.server.access import answer, registry_of, require_person
from tavolino.server.errors import Refused
from tavolino.server.http.requests import body
from tavolino.server.people.identities import RETURN_SECONDS
from tavolino.server.tables import deletion
from tavolino.server.tables.history import History


async def set_name(request: Request) -> Response:
    """Make an identity, or change the name of yours; with `only_new` an existing one keeps its name."""
    wanted: p.NewName = await body(request, p.NewName)
    context = registry_of(request).context
    person = await access.identify(request)
    if person is not None and wanted.only_new:
        return await get_me(request)
    if person is not None:
        return answer(await registry_of(request).rename(person, wanted.name))
    context.limits.people.take(access.subscriber_of(request))
    arrived, token = await context.people.add(wanted.name, wanted.program)
    if wanted.program:
        return answer(p.Me(arrived.name, token, program=True), 201)
    response = answer(p.Me(arrived.name), 201)
    _set_cookie(response, token, context.settings.is_secure)
    return response


async def get_me(request: Request) -> Response:
    """Your name."""
    person, context = await require_person(request), registry_of(request).context
    response = answer(p.Me(person.name, new_name=await context.people.waiting_name(person), program=person.is_program))
    if (token := access.cookie_of(request)) is not None:  # used again: the browser keeps it from now on
        _set_cookie(response, token, context.settings.is_secure)
    return response


async def get_profile(request: Request) -> Response:
    """Your finished games, and your figures in each game."""
    person = await require_person(request)
    return answer(await History(registry_of(request)).of(person))


async def list_devices(request: Request) -> Response:
    """Where you are signed in."""
    person, people = await require_person(request), registry_of(request).context.people
    found = await people.devices(person, access.token_of(request))
    return answer([p.Device(each.id, each.made, each.used, each.is_this) for each in found])


async def sign_out_everywhere(request: Request) -> Response:
    """Sign out all devices but this one."""
    await _sign_out(request, None)
    return Response(status_code=204)


async def sign_out_device(request: Request) -> Response:
    """Sign out one device; your own, too."""
    if not await _sign_out(request, request.path_params["device"]):
        raise Refused("no-such-device")
    return Response(status_code=204)


async def _sign_out(request: Request, device: str | None) -> bool:
    person, registry = await require_person(request), registry_of(request)
    registry.context.limits.changes.take(person.id)
    is_out = await registry.context.people.sign_out(person, access.token_of(request), device)
    await deletion.publish_sign_out(registry, person.id)
    registry.connections.close_all_of(person.id, "reload")  # those that may still come back do so by themselves
    return is_out


async def forget_me(request: Request) -> Response:
    """Get up from your tables, and remove your name and identity."""
    registry = registry_of(request)
    person = await registry.context.people.recognise(access.token_of(request))  # banned people may be forgotten, too
    if person is None:
        raise Refused("no-identity")
    await deletion.delete(registry, person)
    response = Response(status_code=204)
    secure = registry.context.settings.is_secure
    name = access.cookie_name(secure)
    response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="lax")
    return response


async def make_link(request: Request) -> Response:
    """A link that opens once, on another device, as you."""
    person, context = await require_person(request), registry_of(request).context
    context.limits.links.take(person.id)
    code = await context.people.make_return_code(person)
    return answer(p.ReturnLink(f"/return#{code}", code, RETURN_SECONDS), 201)


async def come_back(request: Request) -> Response:
    """What a return link does."""
    wanted: p.ReturnCode = await body(request, p.ReturnCode)
    context = registry_of(request).context
    context.limits.people.take(access.subscriber_of(request))
    person, token = await context.people.come_back(wanted.code)
    response = answer(p.Me(person.name, program=person.is_program))
    _set_cookie(response, token, context.settings.is_secure)
    return response


def _set_cookie(response: Response, token: str, secure: bool) -> None:
    response.set_cookie(
        access.cookie_name(secure),
        token,
        max_age=access.COOKIE_SECONDS,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )
