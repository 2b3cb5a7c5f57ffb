"""Wishes in an author's own words: which flow they ask for, and whether they say anything else."""

import re
from collections.abc import Sequence
from typing import Final

from soni.du.context import FlowBrief
from soni.du.llm.as_said import as_said
from soni.du.llm.trimming import has_part
from soni.slots import SlotEnv

_NAME: Final = re.compile(r"(?<=\S)\s+[^\w\s]*(?!I\b)(?=[^\W\d_])(\w)")


def find_flow_by_example(message: str, flows: Sequence[FlowBrief]) -> FlowBrief | None:
    """The flow whose author wrote the message as an example."""
    said = _normalise_text(message)
    return next((flow for flow in flows if said in map(_normalise_text, flow.examples)), None)


def only_asks_for(message: str, flow: FlowBrief, env: SlotEnv) -> bool:
    """Whether a message is an example of the flow's author that shows no value."""
    said = _normalise_text(message)
    examples = [example for example in flow.examples if _normalise_text(example) == said]
    return bool(examples) and not any(_shows_value(each, flow, env) for each in examples)


def _shows_value(example: str, flow: FlowBrief, env: SlotEnv) -> bool:
    """Told by how its author wrote it: people write "fly to lima"."""
    if any(map(str.isdigit, example)) or any(name.isupper() for name in _NAME.findall(example)):
        return True
    listed = (
        word for slot in flow.slots for each in slot.values.items() for word in _list_forms(each)
    )
    if any(as_said(word, example) for word in listed):
        return True
    return any(has_part(example, slot, env) for slot in flow.slots)


def _list_forms(listed: tuple[str, tuple[str, ...]]) -> tuple[str, ...]:
    value, synonyms = listed
    return value, *synonyms


def _normalise_text(text: str) -> str:
    return text.strip().rstrip(".!?").casefold()
