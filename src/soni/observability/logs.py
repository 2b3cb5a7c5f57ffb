"""Logs: one form for what Soni, the server and other libraries say; never a value or a secret."""

import logging
import logging.config
import re
import sys
import traceback
from types import TracebackType
from typing import Any, Final

import structlog
from structlog.contextvars import bound_contextvars, merge_contextvars
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, Processor

from soni.config.settings import Observability
from soni.core.constants import MASK

bind_request = bound_contextvars
"""Add ids to all lines logged inside: `with bind_request(request_id="r1"): ...`.

A turn adds its `conversation_id` by itself.
"""

_SECRET_KEYS: Final = frozenset(
    {
        *("api_key", "authorization", "cookie", "credentials", "encryption_key", "password"),
        *("secret", "set-cookie", "set_cookie", "token", "x-api-key"),
    }
)
_SECRETS: Final = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s'\"]+"), rf"\1 {MASK}"),
    (re.compile(r"(\w+://)[^\s/@]+@"), rf"\1{MASK}@"),
)
_QUIET: Final = ("asyncio", "httpcore", "httpx", "LiteLLM", "mcp", "openai", "urllib3")
"""Libraries that log addresses with keys in them, or what was sent, as mere information."""

_MAX_FRAMES: Final = 50


def configure_logs(settings: Observability) -> None:
    """Log to stderr in the form of the settings. For a process of one's own, such as a server."""
    logging.config.dictConfig(make_logging_config(settings))
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    structlog.configure(
        processors=[*_list_processors(), ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def make_logging_config(settings: Observability) -> dict[str, Any]:
    """The configuration for `logging.config.dictConfig`, and for uvicorn's `log_config`."""
    level = settings.log_level.upper()
    # Other libraries say in detail what was sent.
    others = "INFO" if level == "DEBUG" else level
    quiet = {name: {"level": "WARNING"} for name in _QUIET}
    server = {"level": others, "handlers": [], "propagate": True}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"soni": {"()": f"{__name__}.LogFormatter", "form": settings.logs}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "soni",
                "stream": "ext://sys.stderr",
            }
        },
        "filters": {"web_files": {"()": f"{__name__}.WebFileFilter"}},
        "root": {"level": others, "handlers": ["stderr"]},
        "loggers": {
            "soni": {"level": level},
            "uvicorn": server,
            "uvicorn.access": {**server, "filters": ["web_files"]},
            "uvicorn.error": server,
            **quiet,
        },
    }


class WebFileFilter(logging.Filter):
    """Leaves out requests for the files of pages: one visit asks for a dozen of them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is logged."""
        given = record.args if isinstance(record.args, tuple) else ()
        return len(given) != 5 or "/web/" not in str(given[2]) or str(given[4]) >= "400"


class LogFormatter(ProcessorFormatter):
    """Formats every line of the process, whoever logs it."""

    def __init__(self, form: str = "text") -> None:
        shown: list[Processor]
        if form == "json":
            shown = [structlog.processors.JSONRenderer(ensure_ascii=False, default=_name_type)]
        else:
            shown = [
                _clean_text,
                structlog.dev.ConsoleRenderer(
                    colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
                ),
            ]
        super().__init__(
            processors=[ProcessorFormatter.remove_processors_meta, *shown],
            foreign_pre_chain=[_split_access_line, *_list_processors()],
            pass_foreign_args=True,
        )


def _list_processors() -> list[Processor]:
    return [
        merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _format_exception,
        _mask_secrets,
    ]


def _split_access_line(logger: Any, method: str, event: EventDict) -> EventDict:
    """A request as fields, without the query of its address: it may hold a token."""
    given = event.pop("positional_args", ())
    if event["_record"].name == "uvicorn.access" and len(given) == 5:
        client, verb, path, _, status = given
        fields = {"client": client, "method": verb, "path": str(path).partition("?")[0]}
        event.update(event="request", status=status, **fields)
    return event


def _format_exception(logger: Any, method: str, event: EventDict) -> EventDict:
    """Where it was raised and its type; its message may hold what somebody said."""
    raised = event.pop("exc_info", None)
    if raised:
        error = _find_error(raised)
        if error is not None:
            frames = traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES:]
            event["exception"] = "".join(traceback.format_list(frames)) + type(error).__name__
    return event


def _find_error(
    raised: bool | BaseException | tuple[Any, BaseException | None, TracebackType | None],
) -> BaseException | None:
    if isinstance(raised, BaseException):
        return raised
    return raised[1] if isinstance(raised, tuple) else sys.exc_info()[1]


def _mask_secrets(logger: Any, method: str, event: EventDict) -> EventDict:
    return {key: _mask_value(key, value) for key, value in event.items()}


def _mask_value(key: str, value: Any) -> Any:
    if key.lower() in _SECRET_KEYS and value is not None:
        return MASK
    if isinstance(value, str):
        for pattern, masked in _SECRETS:
            value = pattern.sub(masked, value)
    return value


def _clean_text(logger: Any, method: str, event: EventDict) -> EventDict:
    """Text without control characters: what comes from outside must not write lines of its own."""
    return {
        key: _escape_controls(value, keep="\n" if key == "exception" else "")
        if isinstance(value, str)
        else value
        for key, value in event.items()
    }


def _escape_controls(text: str, keep: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in keep else sign.encode("unicode_escape").decode()
        for sign in text
    )


def _name_type(value: Any) -> str:
    """JSON for what has none: its type, as its text may hold values."""
    return f"<{type(value).__name__}>"
