"""soni chat: a conversation with an assistant in the terminal."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soni.cli.options import log_to_stderr
from soni.cli.trace import load_assistant

if TYPE_CHECKING:
    from soni.cli.chat.history import LineHistory
    from soni.config.soni_config import SoniConfig


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("chat")(chat)


def chat(
    path: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="The assistant's folder.")
    ] = None,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="Talk to a server of `soni serve` instead.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="KEY", envvar="SONI_KEY", help="The key for that server.")
    ] = None,
    user: Annotated[str, typer.Option(metavar="NAME", help="Who is talking.")] = "default",
    memory: Annotated[bool, typer.Option("--memory", help="Keep nothing afterwards.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log to stderr.")] = False,
) -> None:
    """Talk to an assistant. /help says what can be asked about the conversation.

    Conversations are kept in DIR/.soni unless the assistant's settings name a place; with --url
    the server keeps them, and the next chat with it goes on. With its input from a pipe, each
    line is a message and only the bot's messages are printed.
    """
    if (path is None) == (url is None):
        raise typer.BadParameter("name either the assistant's folder, or a server by --url")
    log_to_stderr(verbose=verbose)
    if path is not None:
        _talk_here(load_assistant(path), user, memory=memory)
    elif url is not None:
        _talk_to_server(url, user, key, memory=memory)


def _talk_here(config: "SoniConfig", user: str, *, memory: bool) -> None:
    # `soni --help` should not wait for the screen.
    from soni.cli.chat.screen import choose_screen
    from soni.cli.chat.session import hold_conversation

    screen = choose_screen(_open_history(config, user, memory=memory))
    hold_conversation(config, user, screen, memory=memory)


def _talk_to_server(url: str, user: str, key: str | None, *, memory: bool) -> None:
    from soni.cli.chat.history import LineHistory
    from soni.cli.chat.remote import RemotePartner, open_history
    from soni.cli.chat.screen import choose_screen
    from soni.cli.chat.session import hold_remote_conversation

    partner = RemotePartner(url, user, key, keeps=not memory)
    history = LineHistory() if memory else open_history(partner.name, user)
    hold_remote_conversation(partner, choose_screen(history))


def _open_history(config: "SoniConfig", user: str, *, memory: bool) -> "LineHistory":
    """The lines of before, in a file where the conversation itself is in one that can be read."""
    from soni.cli.chat.history import LineHistory, find_history_file

    place = config.settings.persistence
    is_kept = "backend" not in place.model_fields_set or place.backend != "memory"
    if memory or not is_kept or place.list_keys():
        return LineHistory()
    return LineHistory(find_history_file(config.folder), user, max_age=place.retention)
