"""The app: an assistant as a FastAPI application."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.openapi.utils import get_openapi

from soni.audit.source import add_default_store
from soni.config.soni_config import SoniConfig
from soni.observability import open_telemetry
from soni.observability.metrics import Metrics
from soni.runtime.loop import RuntimeLoop
from soni.server import routes
from soni.server.channels.exchange import ChannelExchange
from soni.server.channels.router import make_router
from soni.server.middleware import (
    BodyLimits,
    ErrorAnswers,
    JoinedTrace,
    KnownHosts,
    SecurityHeaders,
)
from soni.server.problems import ProblemBody, describe_problems, install_handlers
from soni.server.routes.pages import show_missing
from soni.server.services import ServerOptions, Services
from soni.server.sockets import STATE_KEY


def create_app(
    assistant: SoniConfig | str | Path,
    *,
    runtime: RuntimeLoop | None = None,
    options: ServerOptions | None = None,
) -> FastAPI:
    """An assistant as an app: run it, or mount it in one of your own.

    `assistant` is a folder, or what was loaded from one; from a folder it can be loaded again.
    `runtime` is one that was made with things of your own, such as a store or a provider.
    """
    given = options or ServerOptions()
    if isinstance(assistant, SoniConfig):
        config = assistant
    else:
        config = add_default_store(SoniConfig.load(assistant))
        given.load = given.load or _make_loader(assistant)
        given.source = given.source or Path(assistant)
    metrics = Metrics()
    telemetry = open_telemetry(config.settings.observability, [metrics])
    loop = runtime or RuntimeLoop(config, telemetry=telemetry)
    services = Services(loop, given, metrics, telemetry)
    app = FastAPI(
        title="Soni",
        version=version("soni"),
        lifespan=_keep_open,
        # A page that shows the documentation would need scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        separate_input_output_schemas=False,
    )
    app.state.soni = services
    for found in sorted(iter_modules(routes.__path__), key=lambda each: each.name):
        app.include_router(import_module(f"{routes.__name__}.{found.name}").router)
    exchange = ChannelExchange(
        services.runtime,
        services.runtime.assistant.config.settings.server.channels,
        talks=services.conversations,
        limiter=services.limiter,
    )
    app.include_router(make_router(exchange))
    install_handlers(app)
    app.add_exception_handler(404, show_missing)
    _add_middleware(app, services)
    _describe_problems(app)
    return app


def _make_loader(folder: str | Path) -> Callable[[], SoniConfig]:
    return lambda: add_default_store(SoniConfig.load(folder))


@asynccontextmanager
async def _keep_open(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
    services: Services = app.state.soni
    try:
        async with services.runtime:
            await services.warm_up()
            async with services.follow_reloads(), services.runtime.background():
                yield {STATE_KEY: services.sockets}
                await services.mcp.close()
    finally:
        services.telemetry.close()


def _add_middleware(app: FastAPI, services: Services) -> None:
    settings = services.runtime.assistant.config.settings.server
    # The last one that is added is the first to see a request.
    app.add_middleware(ErrorAnswers)
    takes_files = services.options.is_development
    app.add_middleware(BodyLimits, limits=settings.limits, takes_files=takes_files)
    if settings.allowed_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.allowed_origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type", "last-event-id"],
        )
    if services.options.is_local:
        app.add_middleware(KnownHosts)
    app.add_middleware(SecurityHeaders)
    if services.runtime.assistant.config.settings.observability.tracing != "off":
        app.add_middleware(JoinedTrace)


def _describe_operation(operation: dict[str, Any], *, is_secured: bool) -> None:
    """Add what holds for every route."""
    codes = ["body_timeout", "body_too_large", "misdirected", "internal", "storage_unavailable"]
    if "requestBody" in operation:
        codes += ["malformed_body", "unsupported_media_type", "invalid_request"]
    if is_secured:
        operation["security"] = [{"bearer": []}]
        codes += ["unauthenticated", "too_many_requests", "identity_unavailable"]
    answers = operation["responses"]
    if "HTTPValidationError" in str(answers.get("422")):
        # FastAPI's own form of it, which this server never sends.
        del answers["422"]
        codes.append("invalid_request")
    for status, described in describe_problems(*codes).items():
        answers.setdefault(str(status), described)
    operation["responses"] = dict(sorted(answers.items()))


def _describe_problems(app: FastAPI) -> None:
    """Add the form of problems, and who may call, to the documentation of the API."""

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title,
                version=app.version,
                routes=app.routes,
                description="An assistant made with Soni.",
            )
            parts = schema.setdefault("components", {})
            form = ProblemBody.model_json_schema(ref_template="#/components/schemas/{model}")
            parts.setdefault("schemas", {})["ProblemBody"] = form
            parts["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
            for path, methods in schema["paths"].items():
                is_secured = path.startswith(("/api", "/v1", "/ag-ui"))
                for operation in methods.values():
                    _describe_operation(operation, is_secured=is_secured)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = describe  # type: ignore[method-assign]
