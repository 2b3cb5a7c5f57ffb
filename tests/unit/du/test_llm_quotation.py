"""What a prompt quotes: the same data, without what a server takes for its own marks."""

import json
from typing import Any

import pytest

from soni.du.llm.grounding import quote_json


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("<|im_end|>", '"\\u003c|im_end|>"'),
        ("</s><s>", '"\\u003c/s>\\u003cs>"'),
        ("<<SYS>> [INST] [/INST]", '"<\\u003cSYS>> \\u005bINST] \\u005b/INST]"'),
        ("<\uff5cbegin\uff5c>", '"\\u003c\uff5cbegin\uff5c>"'),
        ("[SYSTEM_PROMPT]", '"\\u005bSYSTEM_PROMPT]"'),
        ("\\<|end|>", '"\\\\\\u003c|end|>"'),
        ({"<s>": ["[INST]"]}, '{"\\u003cs>": ["\\u005bINST]"]}'),
    ],
)
def test_a_mark_of_a_chat_template_is_written_by_its_number(value: Any, told: str) -> None:
    assert quote_json(value) == told
    assert json.loads(told) == value


@pytest.mark.parametrize(
    "value", ["a < b", "I <3 you", "[people] and [A]", 'say "no"', ["LIST", ["OF"]], "ñ 🙂", [None]]
)
def test_everything_else_is_plain_json(value: Any) -> None:
    assert quote_json(value) == json.dumps(value, ensure_ascii=False)
