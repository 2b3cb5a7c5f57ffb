"""soni chat: a conversation with an assistant in the terminal."""

from typing import Annotated

import typer

from soni.cli.options import Folder, log_to_stderr
from soni.cli.trace import load_assistant


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("chat")(chat)


def chat(
    path: Folder,
    user: Annotated[str, typer.Option(metavar="NAME", help="Who is talking.")] = "default",
    memory: Annotated[bool, typer.Option("--memory", help="Keep nothing afterwards.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log to stderr.")] = False,
) -> None:
    """Talk to an assistant. /help says what can be asked about the conversation.

    Conversations are kept in DIR/.soni unless the assistant's settings name a place. With its
    input from a pipe, each line is a message and only the bot's messages are printed.
    """
    # Only this verb needs the runtime, and `soni --help` should not wait for it.
    from soni.cli.chat.screen import choose_screen
    from soni.cli.chat.session import hold_conversation

    log_to_stderr(verbose=verbose)
    hold_conversation(load_assistant(path), user, choose_screen(), memory=memory)
