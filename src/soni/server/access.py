"""Access: what a route asks of the server that it is a part of."""

import ipaddress
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, Path
from starlette.requests import HTTPConnection

from soni.core.access_key import Role
from soni.server.conversations import Conversations, Right
from soni.server.models import Name
from soni.server.problems import ApiProblem
from soni.server.services import Services
from soni.server.subjects import Subject


def get_services(connection: HTTPConnection) -> Services:
    """What the app was made with."""
    services: Services = connection.app.state.soni
    return services


def read_credential(connection: HTTPConnection) -> str | None:
    """The bearer token of a request. A WebSocket of a browser has it among its protocols."""
    scheme, _, credential = connection.headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "bearer" and credential:
        return credential.strip()
    offered = connection.headers.get("sec-websocket-protocol", "").split(",")
    named = (each.strip().removeprefix("bearer.") for each in offered if "bearer." in each)
    return next(named, None)


def get_network(connection: HTTPConnection) -> str:
    """The address of the client. Whoever has one of IPv6 has the 2^64 beside it as well."""
    if connection.client is None:
        return "unknown"
    try:
        address = ipaddress.ip_address(connection.client.host.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ipaddress.ip_network((address, 64), strict=False))
    return str(address)


async def _identify(connection: HTTPConnection, *, is_new: bool) -> Subject:
    services = get_services(connection)
    # A mounted app has no lifespan of its own.
    await services.runtime.open()
    await services.limiter.count_request("address", get_network(connection))
    subject = await services.authenticator.identify(read_credential(connection), is_new=is_new)
    await services.limiter.count_request("subject", subject.id)
    return subject


async def identify_subject(connection: HTTPConnection) -> Subject:
    """Who makes the request."""
    return await _identify(connection, is_new=False)


async def identify_new_subject(connection: HTTPConnection) -> Subject:
    """Who makes the request; somebody unknown gets a token, where that is allowed."""
    return await _identify(connection, is_new=True)


async def may_still(connection: HTTPConnection, conversation_id: str, right: Right) -> bool:
    """Whether a long connection may go on: a key may be revoked, and a token expires."""
    services = get_services(connection)
    try:
        subject = await services.authenticator.identify(read_credential(connection))
        await services.conversations.require(subject, conversation_id, right)
    except ApiProblem as problem:
        return problem.kind.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return True


async def has_still(connection: HTTPConnection, role: Role) -> bool:
    """The same for one that is about no single conversation."""
    services = get_services(connection)
    try:
        subject = await services.authenticator.identify(read_credential(connection))
    except ApiProblem as problem:
        return problem.kind.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return subject.may(role)


def get_conversations(connection: HTTPConnection) -> Conversations:
    """The server's conversations."""
    return get_services(connection).conversations


class _Needs:
    """Somebody who has a role."""

    def __init__(self, role: Role) -> None:
        self._role = role

    async def __call__(self, connection: HTTPConnection) -> Subject:
        subject = await identify_subject(connection)
        subject.require(self._role)
        return subject


async def identify_developer(connection: HTTPConnection) -> Subject:
    """An author in development: whoever can reach the server sits at this machine."""
    subject = await _Needs(Role.AUTHOR)(connection)
    if not get_services(connection).options.is_development:
        raise ApiProblem("development_only")
    return subject


Server = Annotated[Services, Depends(get_services)]
Talks = Annotated[Conversations, Depends(get_conversations)]
Caller = Annotated[Subject, Depends(identify_subject)]
NewCaller = Annotated[Subject, Depends(identify_new_subject)]
Agent = Annotated[Subject, Depends(_Needs(Role.AGENT))]
Author = Annotated[Subject, Depends(_Needs(Role.AUTHOR))]
Developer = Annotated[Subject, Depends(identify_developer)]
Admin = Annotated[Subject, Depends(_Needs(Role.ADMIN))]
ConversationId = Annotated[Name, Path(description="As `POST /api/conversations` gave it")]
