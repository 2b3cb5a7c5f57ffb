"""settings.conversation, limits, collection and runtime, each in a conversation, both languages."""

import pytest

from soni.commands import StartFlow
from tests.talking import talking_to

PATIENCE = """
settings:
  conversation: {max_turns_without_progress: 3, on_no_progress: fallback, fallback_flow: lost}
flows:
  pay:
    trigger: {examples: [pay]}
    steps: [{collect: amount, message: {en: "How much?", es: "¿Cuánto?"}}, {say: "{amount}."}]
  lost:
    steps: [{say: {en: "Let us begin again.", es: "Empecemos de nuevo."}}]
"""


@pytest.mark.parametrize(
    ("language", "pardon", "can_do", "again"),
    [
        ("en", "I did not understand that.", "I can help with: pay.", "Let us begin again."),
        ("es", "No lo he entendido.", "Puedo ayudarte con: pay.", "Empecemos de nuevo."),
    ],
)
async def test_after_so_many_turns_without_progress_the_fallback_flow_runs(
    language: str, pardon: str, can_do: str, again: str
) -> None:
    async with talking_to(PATIENCE) as talk:
        assert await talk.say("xyzzy", language=language) == [pardon]
        assert await talk.say("xyzzy", language=language) == [pardon, can_do]
        assert await talk.say("xyzzy", language=language) == [again]


HANDED = """
settings: {conversation: {max_turns_without_progress: 1, on_no_progress: handoff}}
flows:
  pay: {trigger: {examples: [pay]}, steps: [{say: "Paid."}]}
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "I am connecting you with a person."), ("es", "Te paso con una persona.")],
)
async def test_or_a_person_takes_over(language: str, said: str) -> None:
    async with talking_to(HANDED) as talk:
        assert await talk.say("xyzzy", language=language) == [said]


DEFAULT = """
settings: {conversation: {default_flow: menu, session_timeout: 60}}
flows:
  menu: {steps: [{say: {en: "Tea or coffee?", es: "¿Té o café?"}}]}
  tea:
    trigger: {examples: [tea]}
    steps: [{collect: size, message: {en: "Which size?", es: "¿Qué tamaño?"}}, {say: "{size}."}]
"""


@pytest.mark.parametrize(
    ("language", "menu", "asked"),
    [("en", "Tea or coffee?", "Which size?"), ("es", "¿Té o café?", "¿Qué tamaño?")],
)
async def test_the_default_flow_starts_when_idle_and_a_session_ends_in_time(
    language: str, menu: str, asked: str
) -> None:
    async with talking_to(DEFAULT) as talk:
        assert await talk.say("xyzzy", language=language) == [menu]
        assert await talk.say("tea", language=language) == [asked]
        talk.clock.forward(seconds=61)
        assert await talk.say("large", language=language) == [menu]
        assert talk.ended == [("tea", "abandoned"), ("menu", "completed")]


LIMITS = """
settings: {limits: {max_message_chars: 9}, collection: {max_attempts: 1}}
slots:
  count: {type: integer, prompt: {en: "How many?", es: "¿Cuántos?"}}
flows:
  order: {trigger: {examples: [order]}, steps: [{collect: count}, {say: "{count}."}]}
"""


@pytest.mark.parametrize(
    ("language", "too_long", "asked", "refused", "person"),
    [
        ("en", "That message is too long for me; please keep it under 9 characters.",
         "How many?", "Please give a whole number.", "I am connecting you with a person."),
        ("es", "Ese mensaje es demasiado largo; por favor, que tenga menos de 9 caracteres.",
         "¿Cuántos?", "Por favor, da un número entero.", "Te paso con una persona."),
    ],
)  # fmt: skip
async def test_a_message_has_a_limit_and_so_have_attempts(
    language: str, too_long: str, asked: str, refused: str, person: str
) -> None:
    async with talking_to(LIMITS) as talk:
        assert await talk.say("order", language=language) == [asked]
        assert await talk.say("1" * 10, language=language) == [too_long, asked]
        assert await talk.say("x", language=language) == [refused, person]


RUNTIME = """
settings: {runtime: {max_step_executions: 3, action_timeout: 0.01}}
slots:
  go: {type: boolean, prompt: Go?}
flows:
  spin:
    trigger: {examples: [spin]}
    steps:
      - {step: again, say: "Round.", jump_to: check}
      - {step: check, collect: go, when: session.never, jump_to: end}
      - {type: branch, when: [{else: again}]}
  wait:
    trigger: {examples: [wait]}
    steps: [{action: sleep}]
"""

SLEEP = """
import asyncio
from soni import action

@action
async def sleep():
    await asyncio.sleep(60)
"""


@pytest.mark.parametrize(
    ("language", "sorry", "in_doubt"),
    [
        ("en", "Something went wrong, so I could not finish spin.", "I do not know whether wait"),
        ("es", "Algo ha fallado y no he podido terminar spin.", "No sé si wait se hizo"),
    ],
)
async def test_a_turn_has_bounds(language: str, sorry: str, in_doubt: str) -> None:
    async with talking_to(RUNTIME, SLEEP) as talk:
        said = await talk.say("spin", language=language)
        assert said == ["Round.", "Round.", "Round.", sorry]
        [said_last] = await talk.say("wait", language=language)
        assert said_last.startswith(in_doubt)


BOUNDS = """
settings:
  limits: {max_commands: 1, max_output_chars: 10}
  runtime: {max_threads: 1, action_timeout: 0.05}
flows:
  note:
    trigger: {examples: [note]}
    steps:
      - {action: write, on_error: sorry}
      - {say: "{text}", jump_to: end}
      - {step: sorry, say: "{_error_type}."}
  other: {trigger: {examples: [other]}, steps: [{say: "Other."}]}
"""

WRITE = """
import threading
from soni import action

results = [{"text": "short"}, {"text": "much too long"}, threading.Event()]

@action
def write():
    result = results.pop(0)
    return result.wait(10) if isinstance(result, threading.Event) else result
"""


async def test_commands_results_and_threads_have_bounds() -> None:
    note = StartFlow(flow_name="note")
    async with talking_to(BOUNDS, WRITE) as talk:
        assert await talk.say("note", note, StartFlow(flow_name="other")) == ["short"]
        assert talk.decisions == [("StartFlow", "accepted"), ("?", "rejected")]
        assert await talk.say("note", note) == ["bad_output."]
        assert await talk.say("note", note) == ["timeout."]
        assert await talk.say("note", note) == ["busy."]


MEMORY = """
settings:
  memory_management:
    {max_completed_flows: 1, max_history_messages: 2, max_trace_events: 1, max_logged_commands: 1}
flows:
  tea: {trigger: {examples: [tea]}, steps: [{say: "Tea."}]}
  milk: {trigger: {examples: [milk]}, steps: [{say: "Milk."}]}
"""


async def test_the_state_keeps_only_so_much_of_the_past() -> None:
    async with talking_to(MEMORY) as talk:
        assert await talk.say("tea") == ["Tea."]
        assert await talk.say("milk", StartFlow(flow_name="milk")) == ["Milk."]
        state = talk.state
        assert [message.content for message in state["messages"]] == ["milk", "Milk."]
        assert [entry["turn"] for entry in state["command_log"]] == [2]
        assert [event["event"] for event in state["trace"]] == ["flow_completed"]
        completed = state["metadata"]["completed_flows"]
        assert [flow["flow_name"] for flow in completed] == ["milk"]
