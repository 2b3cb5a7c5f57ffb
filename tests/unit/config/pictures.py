"""Flows and their pictures, some with texts that nobody means well."""

from typing import Any

from soni.config.assistant import Assistant
from soni.config.diagrams.model import Picture, build_pictures
from soni.config.models import SoniConfig

HOSTILE = [
    '"]; click f0n1 call alert(1)',
    "</text></svg><script>alert('x')</script>",
    "%%{init: {'theme': 'dark'}}%%",
    "`**md**` -->|x| f9n9",
    "one\ntwo\r\n  end\n---\n",
    "& &lt; &#60; #60; #quot;",
    "style a:b#c; classDef x fill:#fff;",
    "a\x00b\x1b[31m\u202egnp\ud800\ufffe",
    "]]>--><!--",
    "漢字" * 200,
    "W" * 9000,
]


def drawn(steps: list[dict[str, Any]], /, **flow: Any) -> Picture:
    return build_pictures(Assistant(config({"f": {"steps": steps, **flow}})))[0]


def config(flows: dict[str, Any], **rest: Any) -> SoniConfig:
    return SoniConfig.model_validate({"flows": flows, **rest})


def say(step: str, **rest: Any) -> dict[str, Any]:
    return {"step": step, "say": "x", **rest}


def hostile(text: str) -> Picture:
    """A picture with that text in every place where an author may write one."""
    picture = drawn(
        [{"step": "a", "branch": [{"condition": "x", "then": "b"}]}, say("b", when="x")]
    )
    changed = [type(n)(n.id, n.kind, text, n.when and text, n.loop) for n in picture.nodes]
    ways = [type(e)(e.source, e.target, e.kind, text) for e in picture.edges]
    return Picture(text, tuple(changed), tuple(ways))


def nasty() -> Picture:
    """Loops, self-loops, ways back, several ways to one step, errors, seven arms."""
    arms = [{"condition": f"x == {n}", "then": to} for n, to in enumerate("abcdabc")]
    steps = [
        {"step": "a", "action": "p", "on_error": "d"},
        {"step": "b", "confirm": "Sure?", "on_no": "b", "on_yes": "a"},
        {"step": "loop", "while": "x", "do": [{"step": "in", "action": "p", "when": "y"}]},
        {"step": "c", "branch": [*arms, {"else": "cancel_flow"}]},
        {"step": "d", "collect": "x", "on_skip": "a", "on_invalid": "loop"},
    ]
    return drawn(steps, on_error="c")
