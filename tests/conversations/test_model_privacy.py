"""What leaves the machine with a language model, what it costs, and what stays nowhere."""

import asyncio
import json
import logging
import subprocess
import sys
from typing import Any

import pytest

from soni.commands import SetSlot, StartFlow
from tests.conversations.model_bank import BANK, START, bank
from tests.model_server import URL, Model, commands, slots, words
from tests.talking import assistant, talking_to


async def test_tokens_and_cost_are_counted_for_each_turn(model: Model) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots(amount="5"))
        await talk.say("I want to send 5")
        usage = talk.state["turn"]["usage"]
        said = [len(prompt.split()) for prompt in model.prompts]
        assert usage["model"] == "tiny"
        assert (usage["calls"], usage["prompt_tokens"]) == (2, sum(said))
        answered = usage["completion_tokens"]
        assert usage["cost"] == round((sum(said) * 2 + answered * 10) / 1_000_000, 9)
        journal = await talk.runtime.store.journal.entries("ann")
        assert journal[-1].data["usage"] == usage


async def test_claude_is_told_what_to_keep_of_a_prompt_and_its_tokens_are_counted(
    model: Model,
) -> None:
    model.cached = 100
    claude = BANK.replace("model: tiny", "model: anthropic/claude-x")
    yaml = claude.replace("output: 10", "output: 10, cached: 0.5")
    async with bank(model, yaml) as talk:
        model.will_say(commands(START), slots(amount="5"))
        await talk.say("I want to send 5")
        usage = talk.state["turn"]["usage"]
    for body in model.asked:
        *before, example, message = body["messages"]
        for block in (body["system"][-1], example["content"][-1]):
            assert block["cache_control"] == {"type": "ephemeral"}
        assert "cache_control" not in str([before, message])
    said = sum(words(body) for body in model.asked)
    assert (usage["prompt_tokens"], usage["cached_tokens"]) == (said, 200)
    paid = 2 * (said - 200) + 0.5 * 200 + 10 * usage["completion_tokens"]
    assert usage["cost"] == round(paid / 1_000_000, 9)


async def test_others_are_told_nothing_about_caches(model: Model) -> None:
    model.always = commands({"type": "ChitChat"})
    for name in ("tiny", "openai/gpt-5-mini", "openrouter/anthropic/claude-sonnet-4.5"):
        async with bank(model, BANK.replace("model: tiny", f"model: {name}")) as talk:
            await talk.say("hello")
    assert len(model.asked) == 3
    assert "cache" not in str(model.asked)


async def test_the_answer_to_a_sensitive_question_does_not_leave_the_machine(model: Model) -> None:
    async with bank(model) as talk:
        model.will_say(commands({"type": "StartFlow", "flow_name": "unlock"}))
        assert await talk.say("unlock my account") == ["Your PIN?"]
        asked = len(model.asked)
        assert await talk.say("4711") == ["Unlocked."]
        assert len(model.asked) == asked
        model.will_say(commands({"type": "ChitChat"}))
        await talk.say("thanks")
        assert "4711" not in "".join(model.prompts)


TRAVEL = """
version: "1"
settings: {nlu: {provider: llm, model: tiny, base_url: "http://model.example/v1", timeout: 120}}
slots:
  city: {prompt: "Where to?", description: Where it goes, examples: [Oslo, Bern, Turin]}
  guests: {type: integer, prompt: "How many?"}
  code: {prompt: "Your code?", sensitive: true}
  bed: {type: choice, values: [single, double], prompt: "Which bed?"}
  price: {type: number}
knowledge:
  - {question: Is breakfast served?, answer: From seven on.}
flows:
  taxi:
    description: Call a taxi
    trigger: {examples: [call a taxi, get a cab, drive me]}
    steps: [{collect: city}, {say: "A taxi to {city} is coming."}]
  trip:
    description: Book a trip
    trigger: {examples: [book a trip]}
    steps: [{collect: guests}, {collect: city}, {say: Booked.}]
  hotel:
    description: Book a room
    trigger: {examples: [book a room]}
    steps:
      - set: {price: 90}
      - collect: code
      - collect: bed
        ui: {type: quick_replies, options: [{label: One bed, value: single}]}
      - say: Booked.
"""


async def test_what_leaves_the_machine_is_what_the_documentation_names(model: Model) -> None:
    async with bank(model, TRAVEL) as talk:
        talk.user_id = "somebody@example.com"
        await talk.say("to Rome", StartFlow(flow_name="taxi", slots={"city": "Rome"}))
        await talk.say("for three", StartFlow(flow_name="trip", slots={"guests": 3}))
        await talk.say("a room first", StartFlow(flow_name="hotel"), context={"age": "secret-age"})
        await talk.say("4711", SetSlot(slot_name="code", value="4711"))
        model.will_say(commands({"type": "StartFlow", "flow_name": "taxi"}), slots())
        await talk.say("call us a taxi")
    first, second = (body["messages"][-1]["content"] for body in model.asked)
    before = ['Person said: "a room first"', 'Assistant said: "Your code?"', 'Person said: "••••"']
    assert first.splitlines() == [
        "Flows that can start:",
        '- taxi: Call a taxi; such as ["call a taxi", "get a cab"]',
        '- trip: Book a trip; such as ["book a trip"]',
        '- hotel: Book a room; such as ["book a room"]',
        "Open flow: hotel",
        "Paused flows: trip",
        "Slots:",
        "- guests (integer)",
        '- city (string): Where it goes; such as ["Oslo", "Bern"]',
        "- code (string)",
        '- bed (choice); one of ["single", "double"]',
        'Filled so far: {"code": "••••"}',
        'Assistant said: "Where to?"',
        *before,
        'Question that is open: "Which bed?\\n1. One bed", asks for bed, offers ["One bed"]',
        'Message: "call us a taxi"',
    ]
    assert second.splitlines() == [
        "Asked for: taxi: Call a taxi",
        "Slots:",
        '- city (string): Where it goes; such as ["Oslo", "Bern"]',
        'Known of trip: {"guests": 3}',
        'Known of taxi: {"city": "Rome"}',
        *before,
        'Assistant said: "Which bed?\\n1. One bed"',
        'Message: "call us a taxi"',
    ]
    sent = json.dumps(model.asked)
    unsent = ("somebody@example.com", "secret-age", "4711", "price", "breakfast", "From seven on")
    assert [each for each in unsent if each in sent] == []


SEARCH = """
version: "1"
settings: {nlu: {provider: llm, model: tiny, base_url: "http://model.example/v1", timeout: 120}}
slots:
  city: {prompt: "Where to?"}
  extras: {type: list}
  limit: {type: money, prompt: "At most?"}
  class: {prompt: "Which class?"}
  report: {type: text, prompt: "Anything else?"}
actions:
  search: {outputs: [flights, best, count, secret_deal]}
flows:
  fly:
    description: Book a flight
    trigger: {examples: [fly]}
    steps: [{collect: city}, {collect: limit}, {collect: extras, message: "What else?"},
            {collect: meal, message: "Which meal?"}, {collect: report}, {action: search},
            {collect: class}, {say: Booked.}]
  hotel:
    description: Book a room
    trigger: {examples: [hotel]}
    steps: [{collect: city}, {say: "A room in {city}."}]
  help:
    description: Help with the form
    trigger: {examples: [help]}
    steps: [{collect: form, message: "Which form?"}]
"""
FOUND = """
from soni import action

@action
async def search(city: str) -> dict:
    flights = [{"id": f"SA{n}", "fare": n} for n in range(50)]
    return {"flights": flights, "best": flights[0], "count": 50, "secret_deal": "SA1 for free"}
"""


async def test_what_actions_found_for_another_task_is_not_told(model: Model) -> None:
    known = {"city": "Rome", "limit": "50 euros", "extras": ["bags", "a seat"], "meal": "soup"}
    config = assistant(SEARCH.replace(URL, model.url), FOUND)
    async with talking_to(config) as talk:
        start = StartFlow(flow_name="fly", slots={**known, "report": "x" * 1000})
        assert await talk.say("fly", start) == ["Which class?"]
        await talk.say("help me first", StartFlow(flow_name="help"))
        model.will_say(commands({"type": "StartFlow", "flow_name": "hotel"}), slots(city="Rome"))
        assert (await talk.say("and find me a room there"))[0] == "A room in Rome."
    told = model.asked[1]["messages"][-1]["content"]
    line = next(each for each in told.splitlines() if each.startswith("Known of fly: "))
    assert json.loads(line.removeprefix("Known of fly: ")) == {
        **known,
        "limit": "€50.00",
        "extras": "bags and a seat",
        "report": "x" * 300 + " ...",
    }


async def test_requests_begin_alike_and_change_at_the_end(model: Model) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots())
        await talk.say("money, to somebody")
        model.will_say(commands({"type": "SetSlot", "slot_name": "recipient", "value": "Bob"}))
        await talk.say("Bob")
        first, _, second = (body["messages"] for body in model.asked)
        assert first[:-1] == second[:-1]
        flows = first[-1]["content"].split("\nMessage: ")[0]
        assert second[-1]["content"].startswith(flows)
        assert second[-1]["content"].splitlines()[-1] == 'Message: "Bob"'
        assert {body["temperature"] for body in model.asked} == {0}


def many(count: int) -> str:
    # Their descriptions repeat: reading a thousand of them would take the machine a while.
    jobs = (
        f"  task_{n}:\n    description: Job number {n % 20}, to be done by somebody some day\n"
        f"    trigger: {{condition: 1 < 2}}\n    steps: [{{say: Done {n}.}}]\n"
        for n in range(count)
    )
    return BANK + "".join(jobs)


async def test_a_prompt_costs_the_same_with_twenty_flows_and_with_a_thousand(model: Model) -> None:
    model.always = commands({"type": "StartFlow", "flow_name": "balance"})
    tokens = []
    for count in (20, 100, 1000):
        async with bank(model, many(count)) as talk:
            await talk.say("how is my balance?")
            tokens.append(talk.state["turn"]["usage"]["prompt_tokens"])
    assert max(tokens) - min(tokens) <= 20
    assert "balance: Tell how much money there is" in model.prompts[-1]


async def test_many_conversations_at_once_do_not_mix(model: Model) -> None:
    def answer(body: dict[str, Any]) -> dict[str, Any]:
        line = body["messages"][-1]["content"].splitlines()[-1]
        message = json.loads(line.removeprefix("Message: "))
        if "slots" in body["response_format"]["json_schema"]["schema"]["properties"]:
            return slots(recipient=message.split()[-1])
        return commands(START)

    async with bank(model) as talk:
        model.always = answer
        turns = [talk.runtime.turn(f"send something to User{n}", f"u{n}") for n in range(20)]
        done = await asyncio.gather(*turns)
    for number, turn in enumerate(done):
        stack = turn.state["flow_stack"]
        assert turn.state["flow_slots"][stack[0]["flow_id"]] == {"recipient": f"User{number}"}
        assert turn.state["turn"]["usage"]["calls"] == 2


async def test_nothing_of_a_conversation_stays_in_dspy_or_its_log(
    model: Model, caplog: pytest.LogCaptureFixture
) -> None:
    import dspy
    from dspy.clients.base_lm import GLOBAL_HISTORY

    with caplog.at_level(logging.DEBUG):
        async with bank(model) as talk:
            model.will_say("nonsense", commands(START), slots(recipient="Zebedee"))
            await talk.say("send Zebedee something")
    assert GLOBAL_HISTORY == []
    assert dspy.settings.trace == []
    assert dspy.settings.lm is None
    assert "Zebedee" not in caplog.text


def test_neither_litellm_nor_the_network_is_needed_and_nothing_is_written(tmp_path: Any) -> None:
    code = f"""
import asyncio, sys
from tests.model_server import URL, serving, commands
from tests.talking import assistant
from soni import RuntimeLoop

async def main():
    with serving(commands({{"type": "StartFlow", "flow_name": "balance"}})) as model:
        config = assistant({BANK!r}.replace(URL, model.url))
        async with RuntimeLoop(config) as runtime:
            assert await runtime.process_message("how much is there?", "ann") == "120 euros."

asyncio.run(main())
assert not {{"litellm", "openai", "diskcache"}} & set(sys.modules), "imported too much"
"""
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


WAYS = """
import asyncio, os, socket, sys

asked = []

def nowhere(host, *args, **options):
    asked.append(host)
    raise OSError("there is no network")

socket.getaddrinfo = nowhere
connect = socket.socket.connect
socket.socket.connect = lambda self, to: connect(self, to) if to[0] == "127.0.0.1" else nowhere(to)

from tests.model_server import URL, Failing, serving, commands
from tests.talking import assistant
from soni import RuntimeLoop

async def turn(yaml):
    async with RuntimeLoop(assistant(yaml)) as runtime:
        return await runtime.turn("how much is there?", "ann")

async def main():
    nowhere_else = sys.argv[1].replace(f'"{URL}"', "null")
    nobody = await turn(nowhere_else.replace("model: tiny", "model: foo/bar"))
    assert nobody.messages == ["I did not understand that."], nobody.messages
    assert nobody.state["metadata"]["error"].startswith("understanding failed: LM")
    with serving(Failing(503), commands({"type": "StartFlow", "flow_name": "balance"})) as model:
        os.environ["LM_STUDIO_API_BASE"] = model.url
        before = dict(os.environ)
        answered = await turn(nowhere_else.replace("model: tiny", "model: lm_studio/tiny"))
        assert answered.messages == ["120 euros."], answered.state["metadata"]
        assert answered.state["turn"]["usage"]["calls"] == 2 == len(model.asked)
        keys = str([headers["authorization"] for headers in model.headers])
        assert "meant-for-somebody-else" not in keys, keys
        assert dict(os.environ) == before, "the environment was changed"

asyncio.run(main())
assert "litellm" in sys.modules and not sys.modules["litellm"].telemetry
assert asked == [], asked
"""


@pytest.mark.slow
def test_litellm_asks_the_model_and_nobody_else_and_leaves_the_environment_alone(
    tmp_path: Any,
) -> None:
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)}
    env |= {"OPENAI_API_KEY": "meant-for-somebody-else", "LITELLM_LOCAL_MODEL_COST_MAP": "no"}
    command = [sys.executable, "-c", WAYS, BANK]
    ran = subprocess.run(command, capture_output=True, text=True, env=env)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "litellm" not in ran.stdout.lower()
    assert list(tmp_path.iterdir()) == []
