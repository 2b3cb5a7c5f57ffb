"""ScriptedNLU: what is missing or unused in a script fails the test."""

from datetime import UTC, datetime
from typing import Any

import pytest

from soni import SoniConfig
from soni.commands import CancelFlow, StartFlow
from soni.du import DialogueContext, NLUOutput, ScriptedNLU
from soni.du.providers import ProviderError, open_provider
from soni.du.scripted import ScriptError

NOW = DialogueContext(now=datetime(2026, 3, 2, tzinfo=UTC))


async def ask(nlu: ScriptedNLU, message: str) -> NLUOutput:
    return await nlu.understand(message, [], NOW)


async def test_a_list_has_the_commands_of_each_turn() -> None:
    nlu = ScriptedNLU([[StartFlow(flow_name="pay")], []])
    assert list((await ask(nlu, "any")).commands) == [StartFlow(flow_name="pay")]
    assert list((await ask(nlu, "thing")).commands) == []
    nlu.finish()
    with pytest.raises(ScriptError, match=r"2 turns; turn 3 \('more'\)"):
        await ask(nlu, "more")


async def test_a_dict_has_the_commands_of_each_message() -> None:
    nlu = ScriptedNLU({"stop": [CancelFlow()]})
    for _ in range(2):
        assert list((await ask(nlu, "stop")).commands) == [CancelFlow()]
    nlu.finish()
    with pytest.raises(ScriptError, match="no entry for the message 'go'; it has: 'stop'"):
        await ask(nlu, "go")


@pytest.mark.parametrize("script", [[[], []], {"a": [], "b": []}])
async def test_an_unused_entry_fails(script: Any) -> None:
    nlu = ScriptedNLU(script)
    await ask(nlu, "a")
    with pytest.raises(ScriptError, match="unused"):
        nlu.finish()


def test_commands_may_be_written_as_plain_data() -> None:
    output = NLUOutput(commands=[{"type": "CancelFlow"}, CancelFlow(reason="x")])
    assert output.model_dump(mode="json")["commands"] == [
        {"type": "CancelFlow"},
        {"type": "CancelFlow", "reason": "x"},
    ]


def test_settings_cannot_name_it_and_are_told_who_can() -> None:
    with pytest.raises(ProviderError) as raised:
        open_provider(SoniConfig(), "scripted")
    assert str(raised.value) == (
        "settings.nlu.provider: 'scripted' is for tests, which bring the script: "
        "`soni test DIR --nlu scripted`, or `RuntimeLoop(config, nlu=ScriptedNLU([...]))` with "
        "soni.testing. Available: cascade, llm, local."
    )
