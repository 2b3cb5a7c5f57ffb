"""action: where its inputs come from, and what is asked before the call."""

from soni.commands import CorrectSlot, StartFlow
from tests.talking import talking_to

SEARCH = """
    from soni import action, NeedSlot

    @action
    async def search(origin, day, seats=1):
        return {"found": f"{origin} {day:%d.%m.} {seats}"}
"""

SLOTS = """
    slots:
      origin: {prompt: "From where?"}
      day: {type: date, prompt: "Which day?"}
      seats: {type: integer, prompt: "How many?"}
"""


def flow(*steps: str, more: str = "") -> str:
    lines = "\n".join(f"          - {step}" for step in steps)
    return f"""{SLOTS}{more}
    flows:
      fly:
        trigger: {{examples: [fly]}}
        inputs: ["seats?"]
        steps:
{lines}
"""


async def test_without_a_contract_the_parameters_are_the_inputs() -> None:
    async with talking_to(flow("action: search", 'say: "{found}"'), SEARCH) as talk:
        given = {"origin": "Oslo", "day": "tomorrow", "seats": 3}
        start = StartFlow(flow_name="fly", slots=given)
        assert await talk.say("fly", start) == ["Oslo 03.03. 3"]
        assert talk.actions == [("search", {"origin": "Oslo", "day": "2026-03-03", "seats": 3})]


async def test_an_unset_required_input_with_a_prompt_is_asked_before_the_call() -> None:
    async with talking_to(flow("action: search", 'say: "{found}"'), SEARCH) as talk:
        assert await talk.say("fly") == ["From where?"]
        assert talk.actions == []
        assert await talk.say("Oslo") == ["Which day?"]
        assert await talk.say("whenever") == [
            "That is not a date I understand, such as 2026-03-02 or tomorrow.",
            "Which day?",
        ]
        assert await talk.say("tomorrow") == ["Oslo 03.03. 1"]
        assert talk.actions == [("search", {"origin": "Oslo", "day": "2026-03-03"})]


async def test_an_optional_input_is_not_asked() -> None:
    contract = """
    actions:
      search: {inputs: [day, "origin?", "seats?"], outputs: [found]}
    """
    async with talking_to(flow("action: search", 'say: "{found}"', more=contract), SEARCH) as talk:
        assert await talk.say("fly") == ["Which day?"]
        assert await talk.say("tomorrow") == ["None 03.03. 1"]


async def test_inputs_of_the_step_are_literals_or_expressions_and_come_before_slots() -> None:
    step = '{action: search, inputs: {origin: "Bergen", day: "{{ today() + days(2) }}"}}'
    async with talking_to(flow(step, 'say: "{found}"'), SEARCH) as talk:
        start = StartFlow(flow_name="fly", slots={"seats": 0})
        assert await talk.say("fly", start) == ["Bergen 04.03. 0"]


async def test_an_input_that_the_flow_collects_elsewhere_is_asked_with_that_question() -> None:
    steps = (
        '{type: branch, input: "session.known", cases: {true: find}}',
        '{collect: place, message: "Which place?"}',
        "{step: find, type: action, call: look}",
        'say: "{seen}"',
    )
    look = """
        from soni import action

        @action
        def look(place):
            return {"seen": f"a look at {place}"}
    """
    async with talking_to(flow(*steps), look) as talk:
        assert await talk.say("fly", context={"known": True}) == ["Which place?"]
        assert talk.state["current_step"] == "find"
        assert await talk.say("Oslo") == ["a look at Oslo"]


async def test_need_slot_asks_that_slot_then_the_action_runs() -> None:
    actions = """
        from soni import action, NeedSlot

        CALLS = []

        @action
        def search(ctx):
            CALLS.append(1)
            if "day" not in ctx.slots:
                raise NeedSlot("day")
            return {"found": f"{ctx.slots['day']} after {len(CALLS)} calls"}
    """
    async with talking_to(flow("action: search", 'say: "{found}"'), actions) as talk:
        assert await talk.say("fly") == ["Which day?"]
        assert talk.state["waiting_for_slot"] == "day"
        assert await talk.say("tomorrow") == ["2026-03-03 after 2 calls"]


async def test_need_slot_asks_a_slot_again_that_is_filled() -> None:
    actions = """
        from soni import action, NeedSlot

        @action
        def search(origin):
            if origin != "Oslo":
                raise NeedSlot("origin")
            return {"found": origin}
    """
    steps = ('{collect: origin, message: "Where?"}', "action: search", 'say: "{found}"')
    async with talking_to(flow(*steps), actions) as talk:
        assert await talk.say("fly") == ["Where?"]
        assert await talk.say("Atlantis") == ["From where?"]
        assert talk.slots == {}
        assert await talk.say("Oslo") == ["Oslo"]


async def test_a_needed_slot_that_nobody_can_ask_is_a_failure_with_the_steps_way_out() -> None:
    actions = """
        from soni import action, NeedSlot

        @action
        def search():
            raise NeedSlot("zip")
    """
    steps = (
        "{action: search, on_error: sorry}",
        "{say: never, jump_to: end}",
        '{step: sorry, type: say, message: "{_error_type}: {_error_message}"}',
    )
    async with talking_to(flow(*steps), actions) as talk:
        assert await talk.say("fly") == ["missing_input: slot 'zip' is not set"]


REPEATS = """
    from soni import action

    @action
    def quote(seats):
        return {"price": seats * 10}
"""


async def test_a_repeatable_action_runs_again_when_an_input_is_corrected() -> None:
    contract = "\n    actions:\n      quote: {outputs: [price], repeatable: true}\n"
    steps = ("collect: seats", "action: quote", 'confirm: "{seats} for {price}?"', "say: Done.")
    async with talking_to(flow(*steps, more=contract), REPEATS) as talk:
        await talk.say("fly")
        assert await talk.say("2") == ["2 for 20?"]
        more = CorrectSlot(slot_name="seats", new_value=3)
        assert await talk.say("make it 3", more) == ["seats is now 3.", "3 for 30?"]
        assert talk.actions == [("quote", {"seats": 3})]


async def test_an_action_does_not_run_again_unless_its_contract_allows_it() -> None:
    steps = ("collect: seats", "action: quote", 'confirm: "{seats} for {price}?"', "say: Done.")
    async with talking_to(flow(*steps), REPEATS) as talk:
        await talk.say("fly")
        await talk.say("2")
        more = CorrectSlot(slot_name="seats", new_value=3)
        assert await talk.say("make it 3", more) == [
            "It is too late to change seats: that has already been done.",
            "2 for 20?",
        ]
        assert talk.actions == []


async def test_each_run_of_a_step_is_an_effect_of_its_own() -> None:
    actions = """
        from soni import action

        KEYS = []

        @action
        def count(ctx):
            KEYS.append(ctx.idempotency_key)
            return {"seen": len(KEYS), "distinct": len(set(KEYS))}
    """
    steps = (
        "{step: again, type: action, call: count}",
        '{type: branch, when: [{condition: "seen < 3", then: again}]}',
        'say: "{seen} calls, {distinct} keys"',
    )
    async with talking_to(flow(*steps), actions) as talk:
        assert await talk.say("fly") == ["3 calls, 3 keys"]
