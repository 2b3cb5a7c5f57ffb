"""A language model by its settings: where it is, its key, its manner."""

import re
import subprocess
import sys
from typing import Any

import pytest

from soni.du.providers import ProviderError, open_provider
from tests.conversations.model_bank import BANK, bank
from tests.model_server import URL, Model, commands
from tests.talking import assistant, talking_to


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            "provider: llm, model: qwen",
            r"settings\.nlu\.model: 'qwen' does not say whose model it is\. Write provider/name, "
            r"such as openai/gpt-5-mini, or name the server that has it in settings\.nlu\.base_url",
        ),
        ("provider: llm, model: qwen/", r"'qwen/' does not say whose model it is"),
        (
            "provider: llm, model: openai/gpt-5-mini",
            r"needs a key, and the environment has no "
            r"OPENAI_API_KEY\. Set it, or name another variable in settings\.nlu\.api_key_env",
        ),
        ("provider: llm, model: openai/x, api_key_env: BANK_KEY", r"no BANK_KEY\. Set it, or"),
    ],
)
def test_what_is_missing_in_the_settings_is_told(
    settings: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    before, _, rest = BANK.partition("settings:")
    yaml = before + f"settings: {{nlu: {{{settings}}}}}\nslots:" + rest.partition("slots:")[2]
    with pytest.raises(ProviderError, match=told):
        open_provider(assistant(yaml))


def test_another_provider_than_the_settings_name_needs_a_model_too() -> None:
    yaml = BANK.replace("provider: llm, model: tiny,", "")
    with pytest.raises(ProviderError, match=r"settings\.nlu\.model is missing: name the model"):
        open_provider(assistant(yaml), "llm")


async def test_the_key_is_read_from_the_variable_that_is_named(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANK_KEY", "k-1")
    monkeypatch.setenv("OPENAI_API_KEY", "meant-for-somebody-else")
    model.always = commands({"type": "ChitChat"})
    async with bank(model) as talk:
        await talk.say("hello")
    async with bank(model, BANK.replace("model: tiny", "model: tiny, api_key_env: BANK_KEY")) as t:
        await t.say("hello")
    sent = [headers["Authorization"] for headers in model.headers]
    assert sent == ["Bearer none", "Bearer k-1"]


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-7B-Instruct"),
        ("some-org/some-model:Q4_K_M", "some-org/some-model:Q4_K_M"),
        ("qwen2.5:7b", "qwen2.5:7b"),
        ("hosted_vllm/openai/gpt-oss-20b", "openai/gpt-oss-20b"),
        ("openai/gpt-4o", "gpt-4o"),
    ],
)
async def test_a_server_of_ones_own_is_asked_for_the_model_by_its_whole_name(
    name: str, sent: str, model: Model
) -> None:
    model.always = commands({"type": "StartFlow", "flow_name": "balance"})
    async with bank(model, BANK.replace("model: tiny", f"model: '{name}'")) as talk:
        assert await talk.say("how much is there?") == ["120 euros."]
        assert talk.state["turn"]["usage"]["model"] == name
    assert [body["model"] for body in model.asked] == [sent]
    assert model.headers[0]["Authorization"] == "Bearer none"


@pytest.mark.parametrize(
    ("settings", "sent"),
    [
        ("model: openai/gpt-5-mini", {}),
        ("model: gpt-5.1, temperature: 0.5, max_output_tokens: 15999", {}),
        (
            "model: openai/o3, temperature: 1, max_output_tokens: 16000",
            {"temperature": 1, "max_completion_tokens": 16000},
        ),
        ("model: openai/gpt-4o", {"temperature": 0, "max_completion_tokens": 1000}),
    ],
)
async def test_a_model_that_thinks_first_gets_neither_a_temperature_nor_a_limit_that_is_too_low(
    settings: str, sent: dict[str, Any], model: Model
) -> None:
    model.always = commands({"type": "StartFlow", "flow_name": "balance"})
    async with bank(model, BANK.replace("model: tiny", settings)) as talk:
        assert await talk.say("how much is there?") == ["120 euros."]
    (body,) = model.asked
    named = ("temperature", "max_tokens", "max_completion_tokens")
    assert {key: body[key] for key in named if key in body} == sent


EVERYTHING = """
settings:
  nlu:
    provider: cascade
    model: tiny
    base_url: "http://model.example/v1"
    api_key_env: BANK_KEY
    temperature: 0.5
    max_output_tokens: 77
    retries: 0
    prompt_flows: 2
    threshold: 1
    prices: {input: 2, output: 10, cached: 0.5}
flows:
  eat: {trigger: {examples: [eat]}, steps: [{say: Eaten.}]}
  drink: {trigger: {examples: [drink]}, steps: [{say: Drunk.}]}
  sleep: {trigger: {examples: [sleep]}, steps: [{say: Slept.}]}
"""


async def test_every_setting_reaches_the_model(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANK_KEY", "k-1")
    model.cached = 10
    model.always = lambda body: commands({"type": "ChitChat"})
    async with talking_to(EVERYTHING.replace(URL, model.url)) as talk:
        await talk.say("blorp the frimble")
        usage = talk.state["turn"]["usage"]
    (body,) = model.asked
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("tiny", 0.5, 77)
    assert model.headers[0]["Authorization"] == "Bearer k-1"
    assert len(re.findall(r"^- (?:eat|drink|sleep): ", body["messages"][-1]["content"], re.M)) == 2
    paid = 2 * (usage["prompt_tokens"] - 10) + 0.5 * 10 + 10 * usage["completion_tokens"]
    assert usage["cost"] == round(paid / 1_000_000, 9)


def test_without_the_extra_it_is_said_what_to_install(tmp_path: Any) -> None:
    code = f"""
import sys
sys.modules["dspy"] = None
from soni.du.providers import open_provider, ProviderError
from tests.talking import assistant
try:
    open_provider(assistant({BANK!r}))
except ProviderError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout == (
        "settings.nlu.provider: 'llm' needs DSPy, which is not installed. "
        "Install it: pip install 'soni[llm]'.\n"
    )
