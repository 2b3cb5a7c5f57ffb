"""Subjects: who a request comes from, and what they may do."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import jwt
from jwt import PyJWKClient

from soni.config.server_settings import JwtAuth, ServerAuth
from soni.core.access_key import KEY_PREFIX, Role, compute_digest
from soni.core.errors import InvalidInputError
from soni.core.service_storage import AccessKeys
from soni.runtime.inputs import check_id
from soni.server.problems import ApiProblem

ANONYMOUS_PREFIX: Final = "anon_"
MAX_CREDENTIAL: Final = 4096
MAX_NAME: Final = 100
RETRY_SECONDS: Final = 5.0
CONTEXT_CLAIM: Final = "soni_context"


@dataclass(frozen=True)
class Subject:
    """Somebody whose conversations are nobody else's."""

    id: str
    roles: frozenset[Role] = frozenset({Role.CLIENT})
    name: str | None = field(default=None, compare=False)
    """What people call them, if anybody has said."""

    token: str | None = None
    """A token that was made for this request, to be given back."""

    speaks_for_users: bool = False
    """It is a program of the operator's, not somebody's browser: what it says of a user is true."""

    context: Mapping[str, Any] | None = field(default=None, compare=False)
    """What the signer of a token says of its user."""

    def may(self, role: Role) -> bool:
        """Whether they have a role: an admin has all."""
        return role is Role.CLIENT or role in self.roles or Role.ADMIN in self.roles

    def require(self, role: Role) -> None:
        """Raise unless they have a role."""
        if not self.may(role):
            raise ApiProblem("forbidden", f"this needs the role `{role}`")

    def accept_context(self, context: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """What is known of the user in a turn: flows decide by it, so users must not say it."""
        if self.speaks_for_users:
            return context
        if context:
            detail = f"`context` is for keys; of a token, use the claim `{CONTEXT_CLAIM}`"
            raise ApiProblem("forbidden", detail)
        return self.context

    def require_application(self) -> None:
        """Raise unless it may do what is the application's to do."""
        if not self.speaks_for_users:
            raise ApiProblem("forbidden", "this needs a key: it is the application that does it")


class Authenticator:
    """Tells subjects by their credentials: a key, a JWT, or a token of somebody unknown."""

    def __init__(
        self,
        auth: ServerAuth,
        keys: Callable[[], AccessKeys],
        clock: Callable[[], float],
        anonymous_roles: frozenset[Role] = frozenset(),
        *,
        is_local: bool = False,
    ) -> None:
        self._keys = keys
        self._clock = clock
        self._jwt = None if auth.jwt is None else JwtReader(auth.jwt)
        # Nobody unknown is let in if there are none.
        self._anonymous_roles = anonymous_roles
        self._is_local = is_local

    async def identify(self, credential: str | None, *, is_new: bool = False) -> Subject:
        """The subject of a request. `is_new`: somebody unknown may be given a token."""
        if credential is None:
            if is_new and self._anonymous_roles:
                return self._make_anonymous(
                    f"{ANONYMOUS_PREFIX}{secrets.token_urlsafe(32)}", new=True
                )
            raise ApiProblem("unauthenticated", "there are no credentials")
        if len(credential) > MAX_CREDENTIAL:
            raise ApiProblem("unauthenticated")
        if credential.startswith(KEY_PREFIX):
            return await self._find_key(credential)
        if credential.startswith(ANONYMOUS_PREFIX) and self._anonymous_roles:
            return self._make_anonymous(credential)
        if self._jwt is not None and credential.count(".") == 2:
            return await self._jwt.read(credential)
        raise ApiProblem("unauthenticated")

    async def _find_key(self, credential: str) -> Subject:
        key = await self._keys().find(compute_digest(credential))
        if key is None or (key.expires_at is not None and key.expires_at <= self._clock()):
            raise ApiProblem("unauthenticated")
        roles = frozenset({Role(key.role)})
        return Subject(f"key:{key.key_id}", roles, key.label or None, speaks_for_users=True)

    def _make_anonymous(self, token: str, *, new: bool = False) -> Subject:
        # The id is made of the token, so nothing need be kept, and nobody can turn it back.
        name = f"anon:{compute_digest(token)[:32]}"
        # Whoever is on this machine only tries the assistant out.
        return Subject(
            name,
            self._anonymous_roles,
            token=token if new else None,
            speaks_for_users=self._is_local,
        )


class JwtReader:
    """Reads tokens that another system signed."""

    def __init__(self, settings: JwtAuth) -> None:
        self._settings = settings
        self._jwks: PyJWKClient | None = None
        if settings.jwks_url is not None:
            self._jwks = PyJWKClient(settings.jwks_url, cache_keys=True, timeout=5)

    async def read(self, token: str) -> Subject:
        """The subject that a token names, or a problem."""
        try:
            # The public keys may have to be fetched.
            claims = await asyncio.to_thread(self._decode, token)
        except jwt.PyJWKClientConnectionError:
            # Clients throw tokens away that are said to be wrong.
            raise ApiProblem("identity_unavailable", retry_after=RETRY_SECONDS) from None
        except jwt.PyJWTError as error:
            raise ApiProblem("unauthenticated", _explain_token(error)) from None
        named = claims.get(self._settings.role_claim, Role.CLIENT)
        roles = named if isinstance(named, list) else [named]
        known = frozenset(Role(each) for each in roles if each in tuple(Role))
        subject_id = f"user:{claims['sub']}"
        try:
            check_id("sub", subject_id)
        except InvalidInputError:
            raise ApiProblem("unauthenticated", "the token's `sub` cannot be used") from None
        context, name = claims.get(CONTEXT_CLAIM), claims.get("name")
        return Subject(
            subject_id,
            known or frozenset({Role.CLIENT}),
            name[:MAX_NAME] if isinstance(name, str) and name.strip() else None,
            context=context if isinstance(context, dict) else None,
        )

    def _decode(self, token: str) -> dict[str, Any]:
        settings = self._settings
        key: Any
        if self._jwks is not None:
            key = self._jwks.get_signing_key_from_jwt(token).key
            algorithms = ["RS256", "ES256", "EdDSA", "PS256"]
        else:
            key = settings.secret.get_secret_value() if settings.secret else ""
            algorithms = ["HS256"]
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=algorithms,
            audience=settings.audience,
            issuer=settings.issuer,
            options={"require": ["exp", "sub"], "verify_aud": settings.audience is not None},
        )
        return claims


def _explain_token(error: Exception) -> str:
    reasons = {
        "ExpiredSignatureError": "the token has expired",
        "InvalidAudienceError": "the token is for another audience",
        "InvalidIssuerError": "the token is of another issuer",
        "InvalidSignatureError": "the token's signature is wrong",
        "MissingRequiredClaimError": "the token lacks `exp` or `sub`",
    }
    return reasons.get(type(error).__name__, "the token cannot be read")
