"""Pages: the chat, the inspector and the desk, and the files that they are made of."""

import gzip
import hashlib
import mimetypes
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from soni.config.server_settings import ChatPage
from soni.config.soni_config import SoniConfig
from soni.server.access import Server
from soni.server.models import MAX_TEXT
from soni.server.problems import ApiProblem, explain_http

PAGES: Final = {"inspect": "inspect.html", "desk": "desk.html"}
KINDS: Final = {".css": "text/css", ".html": "text/html", ".js": "text/javascript"}
"""What the machine's own list of media types may have otherwise."""

ACCENT: Final = "#2f5bea"
"""The colour where an author has named none; theme.css and widget.js have it too."""

LUMINANCE_SPLIT: Final = 0.179
"""Below it white is easier to read on a colour than black."""

router = APIRouter(include_in_schema=False)


class WebFile(NamedTuple):
    """A file as it is sent."""

    body: bytes
    compressed: bytes
    media_type: str
    etag: str


def make_web_file(name: str, body: bytes) -> WebFile:
    """A file with its kind and a tag that changes with what is in it."""
    kind = KINDS.get(PurePosixPath(name).suffix) or mimetypes.guess_type(name)[0]
    etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    media_type = kind or "application/octet-stream"
    return WebFile(body, gzip.compress(body, 9, mtime=0), media_type, etag)


@cache
def load_web_files() -> dict[str, WebFile]:
    """All files that pages consist of, by name. Nothing else can be asked for."""
    folder = files("soni.server").joinpath("web")
    found = [each for each in folder.iterdir() if each.is_file()]
    return {each.name: make_web_file(each.name, each.read_bytes()) for each in found}


def make_policy(frame_ancestors: tuple[str, ...] = ()) -> str:
    """What a page may load: its own files, and pictures that the assistant shows."""
    framing = " ".join(["'self'", *frame_ancestors])
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' https: data:; font-src 'self'; base-uri 'none'; form-action 'none'; "
        f"frame-ancestors {framing}"
    )


def send_file(request: Request, found: WebFile, **headers: str) -> Response:
    """A file, or the news that the client has it already."""
    # A browser asks each time whether its copy is still right: an update is seen at once.
    about = {"cache-control": "no-cache", "etag": found.etag, "vary": "accept-encoding"}
    about |= {name.replace("_", "-"): value for name, value in headers.items()}
    if found.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=about)
    body = found.body
    if "gzip" in request.headers.get("accept-encoding", "") and len(found.compressed) < len(body):
        body, about["content-encoding"] = found.compressed, "gzip"
    return Response(body, media_type=found.media_type, headers=about)


@router.get("/")
async def show_chat(request: Request, server: Server) -> Response:
    """The chat. Pages of the allowed origins may show it in a frame."""
    origins = server.runtime.assistant.config.settings.server.allowed_origins
    # The old header cannot name other sites; browsers that know the policy do not read it.
    return send_file(
        request,
        load_web_files()["chat.html"],
        content_security_policy=make_policy(origins),
        x_frame_options="SAMEORIGIN",
    )


@router.get("/inspect")
@router.get("/desk")
async def show_page(request: Request) -> Response:
    """The inspector or the desk: a page without data, which asks for a key where one is needed."""
    name = PAGES[request.url.path.rsplit("/", 1)[-1]]
    return send_file(request, load_web_files()[name], content_security_policy=make_policy())


@router.get("/widget.js")
async def show_widget(request: Request, server: Server) -> Response:
    """The script that pages of others embed."""
    accent = server.runtime.assistant.config.settings.server.page.accent or ACCENT
    body = load_web_files()["widget.js"].body.replace(ACCENT.encode(), accent.encode())
    found = make_web_file("widget.js", body)
    return send_file(request, found, cross_origin_resource_policy="cross-origin")


@router.get("/web/brand.css")
async def show_brand(request: Request, server: Server) -> Response:
    """The author's colours, as variables of the theme."""
    page = server.runtime.assistant.config.settings.server.page
    return send_file(request, make_web_file("brand.css", make_brand(page).encode()))


@router.get("/web/page.json")
async def describe_page(server: Server) -> JSONResponse:
    """What a page shows before anybody has said anything, and what may be done without a key."""
    told = describe_chat(server.runtime.assistant.config)
    roles = server.options.anonymous_roles
    told["open_to"] = sorted(role.value for role in roles)
    return JSONResponse(told, headers={"cache-control": "no-cache"})


@router.get("/web/{file}")
async def show_file(request: Request, file: str) -> Response:
    """A script, a style or a picture of a page."""
    found = load_web_files().get(file)
    if found is None:
        raise ApiProblem("not_found", "no such file")
    return send_file(request, found)


async def show_missing(request: Request, error: Exception) -> Response:
    """What there is at an address that nobody knows: for people a page, for programs a problem."""
    assert isinstance(error, HTTPException)
    if request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
        return explain_http(error).respond()
    is_spanish = request.headers.get("accept-language", "").lower().startswith("es")
    page = load_web_files()["missing.html"].body.decode()
    page = page.replace("{root}", quote(request.scope.get("root_path", "")))
    page = page.replace("{language}", "es" if is_spanish else "en")
    about = {"content-security-policy": make_policy(), "cache-control": "no-cache"}
    return HTMLResponse(page, error.status_code, about)


def describe_chat(config: SoniConfig) -> dict[str, Any]:
    """The assistant's name and first words, per language where the author wrote them so."""
    page = config.settings.server.page
    name = config.folder.resolve().name.replace("_", " ").capitalize() if config.folder else "Soni"
    shown = {"title", "greeting", "suggestions", "languages", "logo"}
    told = page.model_dump(mode="json", include=shown)
    longest = min(config.settings.limits.max_message_chars, MAX_TEXT)
    language = config.settings.language
    return {**told, "title": page.title or name, "language": language, "longest": longest}


def make_brand(page: ChatPage) -> str:
    """The variables that an author has set, as a style sheet."""
    variables = {}
    if page.accent:
        variables = {"accent": page.accent, "on-accent": choose_ink(page.accent)}
    if page.radius is not None:
        variables["radius"] = f"{page.radius}px"
    if page.font:
        variables["font"] = f"{page.font}, system-ui, sans-serif"
    lines = [f"  --{name}: {value};\n" for name, value in variables.items()]
    return f":root {{\n{''.join(lines)}}}\n" if lines else ""


def choose_ink(colour: str) -> str:
    """Black or white, whichever is easier to read on a colour: at least 4.5 to 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    luminance = sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "#ffffff" if luminance < LUMINANCE_SPLIT else "#000000"
