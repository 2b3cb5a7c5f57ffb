"""Mermaid: what is drawn, and that no text of an author breaks out of it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soni.config.assistant import Assistant
from soni.config.diagrams.mermaid import render_mermaid
from soni.config.diagrams.model import build_pictures
from soni.config.models import SoniConfig
from tests.unit.config.pictures import HOSTILE, config, hostile, say


def test_mermaid_draws_each_flow_in_a_box_and_loops_in_boxes_of_their_own() -> None:
    steps = [
        {"step": "each", "while": "n < 3", "do": [{"collect": "n", "message": "How many?"}]},
        {"call": "g", "on_error": "error", "when": 'n == "3"'},
        {"step": "again", "link": "f"},
    ]
    flows = {"f": {"steps": steps}, "g": {"steps": [say("x")]}}
    both = build_pictures(Assistant(config(flows)))
    assert render_mermaid(both).splitlines() == [
        "flowchart TD",
        '  subgraph f0["f"]',
        '    f0n0(["<b>start</b>"])',
        '    f0n1{"<b>while</b> each<br/>n #60; 3"}',
        '    subgraph f0n1do["each"]',
        '      f0n2[/"<b>collect</b>_n<br/>n#58; How many?"/]',
        "    end",
        '    f0n3[["<b>call</b>_g<br/>g<br/><i>when n == #34;3#34;</i>"]]',
        '    f0n4>"<b>link</b> again<br/>f"]',
        '    f0n5(["error"])',
        "  end",
        "  f0n0 --> f0n1",
        '  f0n1 -->|"do"| f0n2',
        '  f0n1 -->|"done"| f0n3',
        '  f0n2 -->|"again"| f0n1',
        '  f0n3 -.->|"error"| f0n5',
        "  f0n3 --> f0n4",
        "  f0n3 -.-> f1n0",
        "  f0n4 ==> f0n0",
        '  subgraph f1["g"]',
        '    f1n0(["<b>start</b>"])',
        '    f1n1("<b>say</b> x<br/>x")',
        '    f1n2(["end"])',
        "  end",
        "  f1n0 --> f1n1",
        "  f1n1 --> f1n2",
    ]
    alone = render_mermaid(both[:1])
    assert '    f0n6[["<b>flow</b><br/>g"]]' in alone
    assert "  f0n3 -.-> f0n6" in alone


def test_the_docs_show_what_is_drawn(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs/pictures.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"```(yaml|mermaid)\n(.*?)```", page, re.DOTALL))
    (tmp_path / "soni.yaml").write_text(blocks["yaml"], encoding="utf-8")
    function = "from soni import action\n@action\ndef ship(): ...\n"
    (tmp_path / "actions.py").write_text(function, encoding="utf-8")
    assistant = Assistant(SoniConfig.load(tmp_path))
    assert render_mermaid(build_pictures(assistant)) == blocks["mermaid"]


# Only what Mermaid reads as plain text inside quotes, and the marks that we add.
_QUOTED = r'"(?:<b>|</b>|<i>|</i>|<br/>|#\d+;|[^\W]|[ .,!?\'()\[\]/+=-])*"'
_LINE = re.compile(
    r"flowchart TD|\s*end|"
    rf"\s*subgraph \w+\[{_QUOTED}\]|"
    rf"\s*f\d+n\d+[\[({{>/\\]+{_QUOTED}[\])}}/\\]+|"
    rf"  f\d+n\d+ (?:-->|-\.->|==>)(?:\|{_QUOTED}\|)? f\d+n\d+"
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_read_as_mermaid(text: str) -> None:
    for line in render_mermaid([hostile(text)]).split("\n")[:-1]:
        assert _LINE.fullmatch(line), line
        assert len(line) < 3000


@given(st.text())
def test_no_text_at_all_is_read_as_mermaid(text: str) -> None:
    assert all(_LINE.fullmatch(line) for line in render_mermaid([hostile(text)]).split("\n")[:-1])
