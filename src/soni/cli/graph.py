"""soni graph: pictures of an assistant's flows."""

import json
from collections.abc import Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from soni.cli.check import report_problems
from soni.cli.options import Folder, write_file
from soni.cli.text import print_document
from soni.config.assistant import Assistant
from soni.config.diagrams.mermaid import render_mermaid
from soni.config.diagrams.model import Picture, build_pictures, export_pictures
from soni.config.diagrams.svg import render_svg
from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, Problem


class Format(StrEnum):
    """What a picture is made of."""

    MERMAID = "mermaid"
    SVG = "svg"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("graph")(graph)


def graph(
    path: Folder,
    flow: Annotated[str | None, typer.Option(metavar="NAME", help="Only this flow.")] = None,
    format: Annotated[
        Format, typer.Option(help="Text that many editors draw, a drawing, or data for programs.")
    ] = Format.MERMAID,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it there instead of printing it.")
    ] = None,
) -> None:
    """Draw an assistant's flows: their steps, and every way from one to the next."""
    with report_problems():
        pictures = _choose_pictures(build_pictures(Assistant(SoniConfig.load(path))), flow)
    drawn = _draw_pictures(pictures, format)
    if output is None:
        print_document(drawn)
    else:
        write_file(output, drawn)


def _choose_pictures(pictures: Sequence[Picture], flow: str | None) -> Sequence[Picture]:
    if flow is None:
        return pictures
    names = tuple(picture.name for picture in pictures)
    if flow not in names:
        near = get_close_matches(flow, names, n=1)
        remedy = f"did you mean '{near[0]}'?" if near else None
        message = f"there is no flow '{flow}'"
        raise ConfigError([Problem(message, remedy, ("flows",), available=names)])
    return [picture for picture in pictures if picture.name == flow]


def _draw_pictures(pictures: Sequence[Picture], format: Format) -> str:
    if format is Format.JSON:
        return json.dumps(export_pictures(pictures), indent=2) + "\n"
    return render_svg(pictures) if format is Format.SVG else render_mermaid(pictures)
