"""What only this verb can be told."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Understanding(StrEnum):
    """Who understands the messages that have no commands."""

    LOCAL = "local"
    SCRIPTED = "scripted"
    LLM = "llm"
    CASCADE = "cascade"


FolderOrTest = Annotated[
    Path, typer.Argument(metavar="DIR", help="An assistant, or one test file.")
]

Pattern = Annotated[
    str, typer.Option("-k", metavar="PATTERN", help="Only tests whose name holds this.")
]

Nlu = Annotated[
    Understanding,
    typer.Option(
        help="What a message without `commands` goes through: the offline understanding, "
        "the model of the settings (`llm`, `cascade`) or, with `scripted`, nothing: every "
        "message must have its commands."
    ),
]

Jobs = Annotated[
    int | None,
    typer.Option(
        "-j", metavar="N", min=1, help="Run in N processes; as many as help, if not given."
    ),
]

Junit = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the results there as JUnit XML.")
]

Coverage = Annotated[
    bool,
    typer.Option("--coverage", help="Tell which flows, steps and arms no test goes through."),
]

FailUnder = Annotated[
    float | None,
    typer.Option(
        metavar="PERCENT",
        min=0,
        max=100,
        help="Fail if less of the steps and arms, together, is covered; means --coverage.",
    ),
]

Update = Annotated[
    bool,
    typer.Option("--update", help="Write what was seen into the expectations that do not hold."),
]

Yes = Annotated[bool, typer.Option("--yes", help="With --update: do not ask.")]
