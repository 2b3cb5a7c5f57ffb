"""Diagrams as Mermaid text, which many editors and code hosts render."""

from collections.abc import Iterator, Mapping, Sequence

from soni.config.diagrams.model import ENDINGS, FLOW, Edge, Node, Picture
from soni.config.diagrams.text import shorten_text

_SHAPES = {
    **dict.fromkeys(("start", "end", "error", "cancel_flow"), '(["{}"])'),
    **dict.fromkeys(("flow", "call"), '[["{}"]]'),
    **dict.fromkeys(("say", "generate"), '("{}")'),
    **dict.fromkeys(("branch", "while"), '{{"{}"}}'),
    "collect": '[/"{}"/]',
    "set": '[("{}")]',
    "confirm": '{{{{"{}"}}}}',
    "link": '>"{}"]',
    "parallel": '[/"{}"\\]',
    "handoff": '[\\"{}"/]',
}
_ARROWS = {"on_error": "-.->", "call": "-.->", "link": "==>"}
_MAX_SENTENCE = 70
_MAX_NAME = 40
# The only signs, apart from letters and digits, that Mermaid never reads as notation.
_SAFE_SIGNS = frozenset(" .,!?'()[]_/+-=")


def render_mermaid(pictures: Sequence[Picture]) -> str:
    """One diagram with a box for every flow."""
    # Generated ids: Mermaid reads words such as `end` and `click` as notation.
    starts = {picture.nodes[0].id: f"f{at}n0" for at, picture in enumerate(pictures)}
    lines = ["flowchart TD"]
    for at, picture in enumerate(pictures):
        own = {node.id: f"f{at}n{number}" for number, node in enumerate(picture.nodes)}
        lines += _draw_flow(f"f{at}", picture, {**own, **starts}, starts)
    return "\n".join(lines) + "\n"


def _draw_flow(
    box: str, picture: Picture, ids: Mapping[str, str], starts: Mapping[str, str]
) -> Iterator[str]:
    # A flow that is drawn here is linked to its start, any other one to a node of its name.
    own = [n for n in picture.nodes if n.kind != FLOW or n.id not in starts]
    yield f'  subgraph {box}["{_escape_text(picture.name, _MAX_NAME)}"]'
    yield from _draw_nodes(own, None, ids, "    ")
    yield "  end"
    for edge in picture.edges:
        yield f"  {ids[edge.source]} {_draw_arrow(edge)} {ids[edge.target]}"


def _draw_nodes(
    nodes: Sequence[Node], loop: str | None, ids: Mapping[str, str], indent: str
) -> Iterator[str]:
    """The nodes directly inside `loop`; the steps of inner loops are in a box of their own."""
    for node in nodes:
        if node.loop != loop:
            continue
        shape = _SHAPES.get(node.kind, '["{}"]')
        yield f"{indent}{ids[node.id]}{shape.format(_make_label(node))}"
        if any(inner.loop == node.id for inner in nodes):
            yield f'{indent}subgraph {ids[node.id]}do["{_escape_text(node.id, _MAX_NAME)}"]'
            yield from _draw_nodes(nodes, node.id, ids, indent + "  ")
            yield f"{indent}end"


def _make_label(node: Node) -> str:
    text = _escape_text(node.text, _MAX_SENTENCE)
    if node.kind in ENDINGS:
        return text
    kind, head = _escape_text(node.kind, _MAX_NAME), _escape_text(node.head, _MAX_NAME)
    lines = [f"<b>{kind}</b>{head.removeprefix(kind)}", text]
    if node.when is not None:
        lines.append(f"<i>when {_escape_text(node.when, _MAX_SENTENCE)}</i>")
    return "<br/>".join(line for line in lines if line)


def _draw_arrow(edge: Edge) -> str:
    arrow = _ARROWS.get(edge.kind, "-->")
    return f'{arrow}|"{_escape_text(edge.label, _MAX_SENTENCE)}"|' if edge.label else arrow


def _escape_text(text: str, length: int) -> str:
    signs = shorten_text(text, length)
    return "".join(s if s.isalnum() or s in _SAFE_SIGNS else f"#{ord(s)};" for s in signs)
