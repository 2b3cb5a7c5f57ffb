"""Services of the data as an assistant: a flow per intent, its slots, written as YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from soni import SoniConfig

Service = Mapping[str, Any]
Place = tuple[str, str]
"""A service, and one of its slots or intents."""

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NEVER = "1 == 2"

# The system's side comes from the data, so nothing may make the engine give up by itself.
_SETTINGS = {
    "flow_management": {"max_stack_depth": 100},
    "memory_management": {"max_history_messages": 2},
    "conversation": {"session_timeout": 1e9, "max_turns_without_progress": 10**6},
    "collection": {"max_attempts": 10**6},
    "nlu": {"timeout": 3600},
}
_PATTERNS = {
    "clarification": {"max_depth": 10**6, "fallback": "none"},
    # What is measured is the understanding, so its word counts.
    "confirmation": {"max_retries": 10**6, "consent": "understood"},
    "human_handoff": {"enabled": False},
}


@dataclass(frozen=True)
class Generated:
    """An assistant made of services, and what its names stand for."""

    config: SoniConfig
    flows: Mapping[str, Place]
    slots: Mapping[str, Place]
    services: Mapping[str, Service]

    def flow(self, service: str, intent: str) -> str:
        """The flow of an intent."""
        return self._flow_names[service, intent]

    def slot(self, service: str, slot: str) -> str:
        """What a service's slot is called."""
        return self._slot_names[service, slot]

    def needs(self, flow: str) -> frozenset[str]:
        """The slots without which a flow can do nothing."""
        service, intent = self.flows[flow]
        specs = self.services[service]["intents"]
        needed = next(spec["required_slots"] for spec in specs if spec["name"] == intent)
        return frozenset(self.slot(service, name) for name in needed)

    def service_of(self, flow: str) -> str | None:
        """The service that a flow belongs to."""
        return self.flows[flow][0] if flow in self.flows else None

    @cached_property
    def _flow_names(self) -> dict[Place, str]:
        return {place: name for name, place in self.flows.items()}

    @cached_property
    def _slot_names(self) -> dict[Place, str]:
        return {place: name for name, place in self.slots.items()}


def assistant(services: Sequence[Service]) -> Generated:
    """An assistant that does what these services do."""
    named = {service["service_name"]: service for service in services}
    flows = _names((name, i["name"]) for name, s in named.items() for i in s["intents"])
    slots = _names((name, slot["name"]) for name, s in named.items() for slot in s["slots"])
    with TemporaryDirectory() as folder:
        Path(folder, "soni.yaml").write_text(yaml(named, flows, slots), encoding="utf-8")
        return Generated(SoniConfig.load(folder), flows, slots, named)


def yaml(
    services: Mapping[str, Service], flows: Mapping[str, Place], slots: Mapping[str, Place]
) -> str:
    """The text of the assistant's soni.yaml."""
    called = {place: name for name, place in slots.items()}
    lines = ['version: "1"']
    for key, content in (("settings", _SETTINGS), ("conversation_patterns", _PATTERNS)):
        lines += [f"{key}:", *(f"  {name}: {json.dumps(each)}" for name, each in content.items())]
    lines.append("slots:")
    for name, (service, slot) in slots.items():
        lines.append(f"  {name}: {json.dumps(_slot(services[service], slot))}")
    lines.append("flows:")
    for name, (service, intent) in flows.items():
        lines += [f"  {name}:", *_flow(services[service], intent, called)]
    return "\n".join([*lines, ""])


def tracked(service: Service) -> frozenset[str]:
    """The slots that some intent takes; the others are only told."""
    return frozenset(
        name for i in service["intents"] for name in (*i["required_slots"], *i["optional_slots"])
    )


def is_boolean(slot: Mapping[str, Any]) -> bool:
    """Whether a slot's values are yes and no."""
    return bool(slot["is_categorical"]) and set(slot["possible_values"]) == {"True", "False"}


def _slot(service: Service, name: str) -> dict[str, Any]:
    slot = next(slot for slot in service["slots"] if slot["name"] == name)
    kind: dict[str, Any] = {"type": "string"}
    if is_boolean(slot):
        kind = {"type": "boolean"}
    elif slot["is_categorical"]:
        kind = {"type": "choice", "values": slot["possible_values"]}
    return {
        **kind,
        "description": slot["description"],
        "prompt": f"{slot['description']}?",
        # What one intent can do without may be skipped, whatever the others say.
        "required": _is_required(service, name),
        # All intents of a service know what one of them was told.
        "scope": "conversation",
        "ask_before_filling": name not in tracked(service),
    }


def _is_required(service: Service, name: str) -> bool:
    optional = any(name in intent["optional_slots"] for intent in service["intents"])
    return not optional and any(name in i["required_slots"] for i in service["intents"])


def _flow(service: Service, intent: str, called: Mapping[Place, str]) -> Iterator[str]:
    name = service["service_name"]
    spec = next(spec for spec in service["intents"] if spec["name"] == intent)
    yield f"    description: {json.dumps(spec['description'])}"
    yield "    trigger: {examples: []}"
    yield "    steps:"
    for slot in spec["required_slots"]:
        yield f"      - collect: {called[name, slot]}"
    for slot in _beside(spec):
        # What may be said, or asked for, although the assistant never asks.
        yield f'      - {{collect: {called[name, slot]}, when: "{_NEVER}"}}'
    if spec["is_transactional"]:
        yield "      - {step: consent, confirm: Shall I?, on_no: more}"
    # The flow stays open: after a search people refine it, after a booking they ask about it.
    yield "      - {step: more, confirm: Anything else?, on_yes: more, on_no: more}"


def _beside(spec: Mapping[str, Any]) -> list[str]:
    names = dict.fromkeys((*spec["optional_slots"], *spec["result_slots"]))
    return [name for name in names if name not in spec["required_slots"]]


def _names(places: Iterator[Place]) -> dict[str, Place]:
    """A name for each; `city_2` where two services have a city."""
    names: dict[str, Place] = {}
    for service, own in places:
        plain = _HUMPS.sub("_", own).lower()
        name, count = plain, 1
        while name in names:
            count += 1
            name = f"{plain}_{count}"
        names[name] = (service, own)
    return names
