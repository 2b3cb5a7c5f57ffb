"""Arguments and options that several verbs have."""

from pathlib import Path
from typing import Annotated

import typer

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The assistant's folder.")]

FolderOrFile = Annotated[
    Path, typer.Argument(metavar="DIR", help="The assistant's folder, or its only file.")
]

Sentences = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[FILES]...", help="Only these sentences and tests."),
]

Conversation = Annotated[
    str | None, typer.Option(metavar="ID", help="The conversation, if its id is another.")
]

Provider = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Who understands: local, llm, cascade; or as set."),
]

Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write one page with plots there.")]

Json = Annotated[bool, typer.Option("--json", help="For programs.")]
