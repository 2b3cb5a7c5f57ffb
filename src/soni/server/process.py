"""The process of `soni serve`: an app with what only a process of its own has."""

import asyncio
import errno
import ipaddress
import json
import os
import signal
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any, Final

import structlog
import uvicorn
from fastapi import FastAPI

from soni.audit.source import add_default_store
from soni.config.server_settings import Server
from soni.config.soni_config import SoniConfig
from soni.core.access_key import Role
from soni.core.errors import SoniError
from soni.observability.logs import configure_logs, make_logging_config
from soni.observability.metrics import share_metrics
from soni.persistence import store_for
from soni.server.app import create_app
from soni.server.services import ServerOptions, Services
from soni.server.sockets import GuardedProtocol

VARIABLE: Final = "SONI_SERVE"
WATCH_SECONDS: Final = 1.0
STOP_SECONDS: Final = 10
IDLE_SECONDS: Final = 20
MAX_SOCKET_BYTES: Final = 65_536
BACKLOG: Final = 1024
MAX_PORT: Final = 65_535

_log = structlog.get_logger("soni.server")


@dataclass(frozen=True)
class ServeOptions:
    """What `soni serve` was asked for."""

    folder: str
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    inspect: bool = False
    reload: bool = False
    mark: str | None = None
    """The file by which workers tell each other of a reload."""

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the address."""
        if self.host == "localhost":
            return True
        with suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return False


def check_options(options: ServeOptions) -> None:
    """Raise if the server would let in anybody without being told to."""
    config = add_default_store(SoniConfig.load(options.folder))
    auth = config.settings.server.auth
    if options.workers > 1 and config.settings.persistence.backend == "memory":
        raise SoniError(
            "several workers need a store that they share: set settings.persistence.backend to "
            "`sqlite` or `postgres`"
        )
    if options.is_local or auth.anonymous or auth.jwt is not None:
        return
    if not asyncio.run(_has_keys(config)):
        raise SoniError(
            f"{options.host} can be reached by others, and nobody needs a key. Make one with "
            "`soni keys add DIR`, set settings.server.auth.jwt, or let everybody talk with "
            "settings.server.auth.anonymous: true"
        )


def check_address(options: ServeOptions) -> None:
    """Raise if nobody can listen there, before anything is loaded."""
    where = f"{options.host}, port {options.port}"
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    try:
        socket.create_server((options.host, options.port), family=family).close()
    except OSError as error:
        raise SoniError(f"cannot listen on {where}: {_explain_address(error, options)}") from None


def _explain_address(error: OSError, options: ServeOptions) -> str:
    other = options.port + 1 if options.port < MAX_PORT else options.port - 1
    match error.errno:
        case errno.EADDRINUSE:
            return f"another program has it. Stop that one, or choose another: --port {other}"
        case errno.EACCES:
            return "that needs more rights. Choose a port from 1024 on: --port 8000"
        case errno.EADDRNOTAVAIL:
            return "this machine has no such address. Use --host 127.0.0.1, or 0.0.0.0 for all"
    reason = error.strerror or type(error).__name__
    return f"{reason}. Name an address of this machine by --host"


async def _has_keys(config: SoniConfig) -> bool:
    async with store_for(config) as store:
        return bool(await store.access_keys.list_keys())


def serve(options: ServeOptions) -> None:
    """Serve until the process is told to stop."""
    config = SoniConfig.load(options.folder)
    listening: dict[str, Any] = {
        "host": options.host,
        "port": options.port,
        "workers": options.workers,
        "log_config": make_logging_config(config.settings.observability),
    }
    with _pass_on(options), tempfile.TemporaryDirectory(prefix="soni-metrics-") as folder:
        if options.workers > 1:
            share_metrics(Path(folder))
        behaviour = make_uvicorn_options(config.settings.server)
        uvicorn.run(f"{__name__}:make_app", factory=True, **listening, **behaviour)


def make_uvicorn_options(settings: Server) -> dict[str, Any]:
    """How uvicorn is to behave whatever it serves."""
    return {
        "server_header": False,
        "proxy_headers": bool(settings.trusted_proxies),
        "forwarded_allow_ips": list(settings.trusted_proxies),
        "timeout_keep_alive": IDLE_SECONDS,
        "timeout_graceful_shutdown": STOP_SECONDS,
        "ws_max_size": MAX_SOCKET_BYTES,
        # Compression keeps buffers for each connection, and messages are small.
        "ws_per_message_deflate": False,
        "h11_max_incomplete_event_size": MAX_SOCKET_BYTES,
        "http": GuardedProtocol,
        "backlog": BACKLOG,
    }


@contextmanager
def _pass_on(options: ServeOptions) -> Iterator[None]:
    """Tell the processes that serve, which are started anew, what to serve."""
    with tempfile.NamedTemporaryFile("w", prefix="soni-reload-") as mark:
        os.environ[VARIABLE] = json.dumps(asdict(replace(options, mark=mark.name)))
        try:
            yield
        finally:
            del os.environ[VARIABLE]


def make_app() -> FastAPI:
    """The app of one worker."""
    options = ServeOptions(**json.loads(os.environ[VARIABLE]))
    config = SoniConfig.load(options.folder)
    configure_logs(config.settings.observability)
    roles = {Role.CLIENT} if options.is_local or config.settings.server.auth.anonymous else set()
    if options.is_local and options.inspect:
        roles |= {Role.AUTHOR, Role.AGENT}
    app = create_app(
        options.folder,
        options=ServerOptions(
            anonymous_roles=frozenset(roles),
            is_local=options.is_local,
            is_development=options.is_local and options.inspect,
            reload_mark=None if options.mark is None else Path(options.mark),
            keeps_sessions=None if options.workers == 1 else False,
        ),
    )
    opened = app.router.lifespan_context
    services: Services = app.state.soni

    @asynccontextmanager
    async def run(app: FastAPI) -> AsyncIterator[Any]:
        async with opened(app) as state:
            with end_streams(services):
                watcher = asyncio.create_task(watch_files(services, Path(options.folder)))
                if not options.reload:
                    watcher.cancel()
                try:
                    yield state
                finally:
                    watcher.cancel()
                    with suppress(asyncio.CancelledError):
                        await watcher

    app.router.lifespan_context = run
    return app


@contextmanager
def end_streams(services: Services) -> Iterator[None]:
    """End event streams when the process is told to stop: they would hold it up."""
    loop = asyncio.get_running_loop()
    before: dict[int, Any] = {}

    def stop(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(services.stopping.set)
        if callable(before[number]):
            before[number](number, frame)

    for number in (signal.SIGINT, signal.SIGTERM):
        before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for caught, handler in before.items():
            signal.signal(caught, handler)


async def watch_files(services: Services, folder: Path) -> None:
    """Load the assistant again whenever one of its files has changed."""
    seen = await asyncio.to_thread(_read_times, folder)
    while True:
        await asyncio.sleep(WATCH_SECONDS)
        now = await asyncio.to_thread(_read_times, folder)
        if now == seen:
            continue
        seen = now
        try:
            await services.reload()
            _log.info("assistant_reloaded")
        except SoniError as error:
            # As an exception: its lines stay lines, each problem as `soni check` shows it.
            _log.error("assistant_not_reloaded", exception=f"The one of before goes on: {error}")


def _read_times(folder: Path) -> dict[str, float]:
    kept = {".yaml", ".yml", ".py"}
    files = [folder] if folder.is_file() else [f for f in folder.rglob("*") if f.suffix in kept]
    times = {}
    for file in files:
        with suppress(OSError):  # it was removed meanwhile
            times[str(file)] = file.stat().st_mtime
    return times
