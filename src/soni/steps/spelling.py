"""The two spellings of a step: the short one expands to the long one."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain, count
from typing import Any

from pydantic_core import PydanticCustomError

from soni.core.texts import iter_sentences
from soni.steps import StepConfig, step_types

_SLUG_WORDS = 6


def parse_step(raw: Any) -> StepConfig:
    """A step from either spelling, or from a model as it is."""
    if isinstance(raw, StepConfig):
        return raw
    if not isinstance(raw, Mapping):
        raise PydanticCustomError("step_type", "a step is a mapping such as `say: Hello`")
    long = expand_step(raw)
    return step_types()[long["type"]].model_validate(long)


def expand_step(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The long spelling of a step."""
    kinds = step_types()
    if "type" in raw:
        if not isinstance(raw["type"], str) or raw["type"] not in kinds:
            raise _make_unknown_type_error(str(raw["type"]), kinds)
        return dict(raw)
    named = [key for key in raw if key in kinds]
    if len(named) > 1:
        raise PydanticCustomError(
            "step_type", "a step has one type, this one has {named}", {"named": " and ".join(named)}
        )
    if not named:
        raise _make_missing_type_error(raw, kinds)
    kind, main = named[0], kinds[named[0]].main
    if main in raw and main != kind:
        raise PydanticCustomError(
            "step_type",
            "'{kind}' and '{main}' are one key of this step",
            {"kind": kind, "main": main},
        )
    rest = {key: value for key, value in raw.items() if key != kind}
    return {"type": kind, main: raw[kind], **rest}


def find_short_key(raw: Any, field: str) -> str:
    """The key under which `field` stands in the author's spelling of a step."""
    if not isinstance(raw, Mapping) or "type" in raw:
        return field
    for kind, model in step_types().items():
        if kind in raw and model.main == field:
            return kind
    return field


def add_ids(steps: Sequence[StepConfig]) -> list[StepConfig]:
    """The steps, each with an id; generated ids never equal an author's."""
    return _name_steps(steps, {step.step for step in iter_steps(steps) if step.step})


def iter_steps(steps: Iterable[StepConfig]) -> Iterator[StepConfig]:
    """All steps, those inside others included, in the order they are written."""
    for step in steps:
        yield step
        yield from iter_steps(step.children)


def _name_steps(steps: Sequence[StepConfig], taken: set[str]) -> list[StepConfig]:
    named = []
    for step in steps:
        if not step.step:
            step = step.model_copy(update={"step": _find_free_id(_make_id(step), taken)})
            taken.add(step.step)
        if step.children:
            step = step.with_children(_name_steps(step.children, taken))
        named.append(step)
    return named


def _make_id(step: StepConfig) -> str:
    main = getattr(step, step.main)
    if isinstance(main, dict) and step.main == "message":
        main = next((sentence for _, sentence in iter_sentences(main)), "")
    if isinstance(main, dict):
        main = next(iter(main), "")
    if isinstance(main, tuple) and all(isinstance(word, str) for word in main):
        main = " ".join(main)
    folded = unicodedata.normalize("NFKD", main if isinstance(main, str) else "")
    plain = folded.encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9_]+", plain)[:_SLUG_WORDS]
    return "_".join([step.type, *words])


def _find_free_id(wanted: str, taken: set[str]) -> str:
    candidates = (f"{wanted}_{ordinal}" for ordinal in count(2))
    return next(name for name in chain([wanted], candidates) if name not in taken)


def _make_unknown_type_error(kind: str, kinds: Mapping[str, Any]) -> PydanticCustomError:
    near = get_close_matches(kind, kinds, n=1)
    return PydanticCustomError(
        "step_type",
        "unknown step type '{kind}'",
        {"kind": kind, "near": near[0] if near else None, "available": sorted(kinds)},
    )


def _make_missing_type_error(
    raw: Mapping[str, Any], kinds: Mapping[str, Any]
) -> PydanticCustomError:
    for key in map(str, raw):
        if get_close_matches(key, kinds, n=1):
            return _make_unknown_type_error(key, kinds)
    return PydanticCustomError(
        "step_type", "a step needs a type", {"near": None, "available": sorted(kinds)}
    )
