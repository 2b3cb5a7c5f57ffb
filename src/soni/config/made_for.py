"""What a program was made for: digests of all that understanding is told of an assistant."""

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from soni.config.assistant import Assistant
from soni.config.wording import clip


def flows_of(assistant: Assistant) -> dict[str, str]:
    """Each flow: its words, and the slots that it asks for."""
    plans = assistant.plans
    return {
        name: digest(
            flow.description,
            flow.trigger.examples if flow.trigger else None,
            flow.trigger.condition if flow.trigger else None,
            sorted(plans[name].asks),
        )
        for name, flow in assistant.config.flows.items()
    }


def slots_of(assistant: Assistant) -> dict[str, str]:
    """Each slot that some flow asks for."""
    names = sorted({name for plan in assistant.plans.values() for name in plan.asks})
    told = ("type", "description", "examples", "values", "required", "sensitive")
    return {
        name: digest(*(getattr(assistant.slot(name), field) for field in told)) for name in names
    }


def digest(*told: Any) -> str:
    """A few signs that change whenever anything of it does."""
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, default=str)
    return sha256(text.encode("utf-8")).hexdigest()[:12]


def differences(kind: str, then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """What is not as it was, in words: `flows added: refund`."""
    found: dict[str, Iterable[str]] = {
        "added": now.keys() - then.keys(),
        "removed": then.keys() - now.keys(),
        "changed": (name for name in now.keys() & then.keys() if now[name] != then[name]),
    }
    for what, names in found.items():
        listed = sorted(names)
        if listed:
            more = f" and {len(listed) - 5} more" if len(listed) > 5 else ""
            yield f"{kind} {what}: {', '.join(map(clip, listed[:5]))}{more}"
