"""Random assistants of flows that call, loop, pick and go over to each other.

Whatever is derived is shown beside what it was derived from, as `[x|d_x]`: both must always agree,
whatever was corrected in between. Every step that derives lies on the only way to where it is
shown, so that nothing but the engine can make them differ.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from soni import ConfigError
from soni.config.checks import refuse_unsound
from soni.config.models import SoniConfig
from tests.property.functions import COPY, Call, echoing
from tests.property.generators import Draw, Made

ASKED = ("a", "b", "c")
"""Slots that any flow may ask for: one of the same name in a caller is another slot."""

_SLOTS: dict[str, dict[str, Any]] = {
    **{name: {"type": "integer", "prompt": f"Which {name}?"} for name in ASKED},
    "word": {"prompt": "Which word?"},
    "note": {"prompt": "Which note?"},
    "low": {"type": "integer", "prompt": "From?"},
    "high": {
        "type": "integer",
        "prompt": "To?",
        "constraints": [{"if": "high >= low", "message": "Too low."}],
    },
    "shared": {"type": "integer", "prompt": "Which shared?", "scope": "conversation"},
    "pin": {"prompt": "Your PIN?", "sensitive": True},
    "item": {"type": "integer", "prompt": "Which item?"},
    "more": {"type": "boolean", "prompt": "More?"},
    "pick": {"type": "integer", "prompt": "Which one?"},
}
_NUMBERS = (*ASKED, "low", "shared")
ONCE, OFTEN, FAILS, TELLS_NOTHING = "record", "lookup", "flaky", "unlock"


class Layered(Made):
    """Its actions hand out what they are given."""

    def ready(self, calls: list[Call]) -> SoniConfig:
        """The assistant as a runtime takes it."""
        return self.config.with_functions(
            echoing((ONCE, OFTEN, FAILS, TELLS_NOTHING), FAILS, calls)
        )

    @cached_property
    def said(self) -> list[str]:
        """The declared slots, and what the called flows ask for."""
        return [*self.config.slots, "own_part", "own_detail"]


@dataclass
class _Writing:
    """A flow as it is being written."""

    draw: Draw
    name: str
    deeds: bool
    """Whether it may do what cannot be done again."""

    calls: tuple[str, str] | None = None
    """The flow that it may call, once, and the input which that takes."""

    fixed: str = ""
    """The input that it hands out as it is."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    """Slots that are certainly filled here."""

    pairs: dict[str, str] = field(default_factory=dict)
    """What was derived -> what it must equal."""

    loops: bool = False
    """Whether it has a loop, or is one."""

    def add(self, kind: str, **keys: Any) -> str:
        step_id = f"{kind}{len(self.steps)}_{self.name}"
        self.steps.append({"step": step_id, "type": kind, **keys})
        return step_id

    def pick(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def number(self) -> str:
        """A slot with a number, asked if need be."""
        name: str = self.pick(*_NUMBERS[: 5 if not self.deeds else 4])
        self.ask(name)
        return name

    def ask(self, name: str) -> None:
        if name not in self.known or self.pick(True, False, False):
            ui = (
                {"ui": {"type": "buttons", "options": [1, 60]}}
                if self.pick(True, False, False)
                else {}
            )
            self.add("collect", slot=name, **ui)
            self.known.append(name)

    def derived(self, source: str, prefix: str) -> str:
        name = f"{prefix}_{source}"
        self.pairs[name] = source
        return name

    @property
    def shown(self) -> str:
        return " ".join(f"[{{{source}}}|{{{name}}}]" for name, source in self.pairs.items())


@st.composite
def layered(draw: Draw) -> Layered:
    """Two flows to start, one to go over to, and two that are called, one by the other."""
    deeds = draw(st.booleans())
    part = ("part", draw(st.sampled_from((_NOT_SAID, "a"))))
    detail = ("detail", "c")
    flows = {
        "book": _flow(draw, "book", deeds, part, trigger=True),
        "report": _flow(draw, "report", deeds, draw(st.sampled_from((None, part))), trigger=True),
        "leave": _flow(draw, "leave", deeds, None),
        "part": _child(draw, part, deeds, draw(st.sampled_from((detail, None)))),
        "detail": _child(draw, detail, deeds, None),
    }
    if draw(st.booleans()):
        flows["book"]["steps"].append({"step": "go_over", "type": "link", "flow": "leave"})
    written = {
        "slots": _SLOTS,
        "actions": {
            ONCE: {"inputs": ["value"], "outputs": [COPY], "repeatable": False},
            OFTEN: {"inputs": ["value"], "outputs": [COPY], "repeatable": True},
            FAILS: {"inputs": ["value"], "outputs": [COPY], "repeatable": True},
            TELLS_NOTHING: {"inputs": ["value"], "outputs": [], "repeatable": True},
        },
        "flows": flows,
        "settings": {"conversation": {"session_timeout": 1800, "max_turns_without_progress": 20}},
    }
    made = Layered(SoniConfig.model_validate(written), {})
    try:
        refuse_unsound(made.ready([]))
    except ConfigError as error:
        if any(problem.code != "E402" for problem in error.problems):
            raise
        reject()
    return made


def _flow(
    draw: Draw, name: str, deeds: bool, calls: tuple[str, str] | None, *, trigger: bool = False
) -> dict[str, Any]:
    flow = _Writing(draw, name, deeds, calls)
    _body(flow, 4)
    buttons = {"ui": {"type": "buttons"}} if flow.pick(True, False) else {}
    flow.add("confirm", message=f"All right {flow.shown}?", **buttons)
    if flow.pick(True, False):
        _body(flow, 1)
        flow.add("say", message=f"Done {flow.shown}.")
    if flow.pick(True, False):
        flow.add("confirm", message=f"Really {flow.shown}?")
    # Unused steps are refused, flows nobody starts are not.
    start = {"trigger": {"examples": [f"let us {name}"]}} if trigger else {}
    return {"steps": flow.steps, **start}


def _child(
    draw: Draw, use: tuple[str, str], deeds: bool, calls: tuple[str, str] | None
) -> dict[str, Any]:
    """Takes a number and hands it out; asks for another and hands that out as well."""
    name, given = use
    own = f"own_{name}"
    flow = _Writing(draw, name, deeds, calls, given)
    if given == "c":
        flow.add("collect", slot=given)
    flow.known.append(given)
    if draw(st.booleans()):
        _body(flow, 1)
    flow.add("collect", slot=own, message=f"Say {own}?")
    _body(flow, 2)
    if _sometimes(draw):
        flow.add("collect", slot="pin")
        flow.add("action", call=TELLS_NOTHING, inputs={"value": "{{ pin }}"})
    handed = {f"got_{name}": f"{{{{ {given} }}}}", f"said_{name}": f"{{{{ {own} }}}}"}
    flow.add("set", values=handed)
    if draw(st.booleans()):
        flow.add("confirm", message=f"Part {flow.shown}?")
    return {
        "inputs": [given if given != "c" else "c?"],
        "outputs": [*handed, own],
        "steps": flow.steps,
    }


def _body(flow: _Writing, most: int) -> None:
    for block in flow.draw(st.lists(st.sampled_from(_BLOCKS), min_size=1, max_size=most)):
        block(flow)


def _derive(flow: _Writing) -> None:
    source = flow.number()
    first, second = flow.derived(source, "d"), flow.derived(source, "dd")
    flow.add("set", values={first: f"{{{{ {source} }}}}"})
    flow.add("set", values={second: f"{{{{ {first} }}}}"})


def _ask_both(flow: _Writing) -> None:
    flow.add("collect", slot=["word", "b"], message="Which word, and which b?")
    flow.known += ["word", "b"]
    flow.add("set", values={flow.derived("word", "d"): "{{ word }}"})
    flow.add("set", values={flow.derived("b", "d"): "{{ b }}"})


def _range(flow: _Writing) -> None:
    flow.ask("low")
    flow.ask("high")
    flow.add(
        "set",
        values={flow.derived("low", "d"): "{{ low }}", flow.derived("high", "d"): "{{ high }}"},
    )


def _ask_anyway(flow: _Writing) -> None:
    """What is derived from the old value may differ from now on."""
    source = flow.pick(*(name for name in ASKED if name != flow.fixed))
    flow.add("collect", slot=source, force=True)
    flow.known.append(source)
    flow.pairs = {name: of for name, of in flow.pairs.items() if of != source}
    flow.add("set", values={flow.derived(source, "f"): f"{{{{ {source} }}}}"})


def _act(flow: _Writing) -> None:
    source = flow.number()
    action = flow.pick(OFTEN, ONCE) if flow.deeds else OFTEN
    value = {"value": f"{{{{ {source} }}}}"}
    name = flow.derived(source, "r")
    flow.add("action", call=action, inputs=value, map_outputs={COPY: name})


def _fail(flow: _Writing) -> None:
    """The way out of a failure leads back to the way on."""
    source = flow.number()
    name = flow.derived(source, "w")
    at = len(flow.steps)
    way_out = f"set{at + 1}_{flow.name}"
    value = {"value": f"{{{{ {source} }}}}"}
    flow.add("action", call=FAILS, inputs=value, map_outputs={COPY: name}, on_error=way_out)
    flow.add("set", values={name: f"{{{{ {source} }}}}"})


def _both_at_once(flow: _Writing) -> None:
    one, other = flow.number(), flow.number()
    calls = [
        {"call": OFTEN, "inputs": {"value": f"{{{{ {source} }}}}"}, "map_outputs": {COPY: name}}
        for source, name in ((one, flow.derived(one, "p")), (other, flow.derived(other, "q")))
    ]
    flow.add("parallel", actions=calls)


def _guard(flow: _Writing) -> None:
    source = flow.number()
    told, asked = f"g_{source}", f"h_{source}"
    flow.add("set", values={told: "no", asked: f"{{{{ 'yes' if {source} > 3 else 'no' }}}}"})
    flow.add("set", values={told: "yes"}, when=f"{source} > 3")
    flow.pairs[told] = asked


def _fork(flow: _Writing) -> None:
    """Two ways that ask different things and meet again."""
    source = flow.number()
    told, asked, at = f"k_{source}", f"l_{source}", len(flow.steps)
    yes, no, met = (f"{kind}{at + n}_{flow.name}" for kind, n in
                    (("collect", 1), ("collect", 3), ("set", 5)))  # fmt: skip
    flow.add("branch", when=[{"condition": f"{source} > 3", "then": yes}, {"else": no}])
    flow.add("collect", slot="word")
    flow.add("set", values={told: "yes"}, jump_to=met)
    flow.add("collect", slot="b")
    flow.add("set", values={told: "no"})
    flow.add("set", values={asked: f"{{{{ 'yes' if {source} > 3 else 'no' }}}}"})
    flow.pairs[told] = asked


def _guarded_question(flow: _Writing) -> None:
    # Once in a flow: what is asked later was unset when it was derived from.
    if "note" in flow.known:
        return
    flow.known.append("note")
    source = flow.number()
    flow.add("collect", slot="note", when=f"{source} > 3")
    flow.add("set", values={flow.derived("note", "d"): "{{ note }}"})


def _pick(flow: _Writing) -> None:
    if "pick" in flow.known:
        return
    flow.known.append("pick")
    source = flow.number()
    options = f"options_{source}"
    flow.add("set", values={options: f"{{{{ [{source}, {source} + 1, 7] }}}}"})
    flow.add("collect", slot="pick", **{"from": options})
    flow.add("set", values={flow.derived("pick", "d"): "{{ pick }}"})


def _loop(flow: _Writing) -> None:
    if flow.loops:
        return
    flow.loops = True
    inner = _Writing(flow.draw, f"{flow.name}_loop", flow.deeds, fixed=flow.fixed, loops=True)
    inner.known += [name for name in _ONCE_ASKED if name in flow.known]
    flow.add("set", values={"more": True, "all_items": "{{ [] }}", "sum_items": 0})
    inner.add("collect", slot="item")
    inner.add("set", values={
        inner.derived("item", "last"): "{{ item }}",
        "all_items": "{{ all_items + [item] }}",
        "sum_items": "{{ sum_items + item }}",
    })  # fmt: skip
    if flow.pick(True, False):
        _body(inner, 1)
    inner.add("say", message=f"So {inner.shown}.")
    inner.add("collect", slot="more", force=True)
    flow.add("while", condition="more", do=inner.steps)
    # Asked anew in every pass: what was derived from it before may differ.
    slots = [step["slot"] for step in inner.steps if step["type"] == "collect"]
    asked = {name for slot in slots for name in ([slot] if isinstance(slot, str) else slot)}
    flow.pairs = {name: of for name, of in flow.pairs.items() if of not in asked}
    flow.known += _ONCE_ASKED
    flow.add("set", values={"total_items": "{{ sum(all_items) }}"})
    flow.pairs["total_items"] = "sum_items"


def _call(flow: _Writing) -> None:
    """Each flow is called once, so that what is done twice in there is a mistake."""
    if flow.calls is None:
        return
    (called, takes), flow.calls = flow.calls, None
    got, way = f"got_{called}", flow.pick("copied", "computed", "implicit")
    if way == "implicit" and takes != _NOT_SAID:
        flow.ask(takes)
        source, inputs = takes, {}
    else:
        source = flow.number()
        value = f"{source} + 1" if way == "computed" else source
        inputs = {takes: f"{{{{ {value} }}}}"}
    name = flow.pick(got, f"new_{called}")
    flow.add("call", flow=called, inputs=inputs, outputs={got: name} if name != got else {})
    flow.pairs[f"said_{called}"] = f"own_{called}"
    if way != "computed":
        flow.pairs[name] = source
    elif takes == _NOT_SAID:
        # Nobody can say another value for the input: it is what was computed.
        flow.add("set", values={f"one_more_{source}": f"{{{{ {source} + 1 }}}}"})
        flow.pairs[name] = f"one_more_{source}"


_NOT_SAID = "given"
_ONCE_ASKED = ("pick", "note")
_BLOCKS = (
    _derive, _derive, _ask_both, _range, _ask_anyway, _act, _fail, _both_at_once, _guard, _fork,
    _guarded_question, _pick, _loop, _call, _call, _call,
)  # fmt: skip


def _sometimes(draw: Draw) -> bool:
    return draw(st.sampled_from((False, False, False, True)))
