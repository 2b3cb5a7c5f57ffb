"""Trigger examples: what the user says should mean one flow."""

import re
import unicodedata

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.wording import clip


def check_triggers(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """No two flows may be started by the same words, unless a condition tells them apart."""
    first: dict[tuple[str, str | None], str] = {}
    for name, flow in assistant.config.flows.items():
        if flow.trigger is None or not flow.startable:
            continue
        for index, example in enumerate(flow.trigger.examples):
            said = _normalise_example(example)
            other = first.setdefault((said, flow.trigger.condition), name)
            if said and other != name:
                report.add(
                    ("flows", name, "trigger", "examples", index),
                    f"'{clip(example)}' starts flow '{other}' as well",
                    code="E409",
                    remedy="keep it in one of the two, or give each flow a condition of its own",
                )


def _normalise_example(example: str) -> str:
    """The words without what nobody hears: case, signs, spaces."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", example).casefold()))
