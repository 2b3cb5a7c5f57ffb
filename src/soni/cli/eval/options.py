"""What only this verb can be told."""

from typing import Annotated

import typer

HeldOut = Annotated[
    bool, typer.Option("--held-out", help="Only the half that is set apart; figures alone.")
]

Tuning = Annotated[bool, typer.Option("--tuning", help="Only the other half.")]

Errors = Annotated[
    bool, typer.Option("--errors", help="List every sentence that was not understood.")
]

Curve = Annotated[
    bool,
    typer.Option("--curve", help="Draw what a cascade would bring, and propose its threshold."),
]

Target = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Exact share for --curve: 0.95."),
]

FailUnder = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Fail if less than this is exact: 0.9."),
]
