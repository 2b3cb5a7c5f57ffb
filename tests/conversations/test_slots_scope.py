"""Where a slot lives, when it may be filled, and names that nobody declared."""

import pytest

from soni.commands import Command, CorrectSlot, SetSlot, StartFlow
from tests.talking import talking_to

SHARED = """
    settings: {memory_management: {max_completed_flows: 0}}
    slots:
      city: {prompt: "Which city?", scope: conversation}
    flows:
      weather:
        trigger: {examples: [weather]}
        steps:
          - collect: city
          - say: "It rains in {city}."
      taxi:
        trigger: {examples: [taxi]}
        steps:
          - {collect: time, message: "When?"}
          - collect: city
          - say: "A taxi in {city}."
"""


async def test_a_conversation_scoped_slot_lives_outside_flow_slots_and_survives_its_flow() -> None:
    async with talking_to(SHARED) as talk:
        assert await talk.say("weather") == ["Which city?"]
        assert await talk.say("Oslo") == ["It rains in Oslo."]
        assert talk.state["flow_slots"] == {}
        assert talk.state["conversation_slots"] == {"city": "Oslo"}
        assert await talk.say("taxi") == ["When?"]
        assert await talk.say("now") == ["A taxi in Oslo."]
        assert await talk.say("weather") == ["It rains in Oslo."]


async def test_a_conversation_scoped_slot_can_be_given_and_changed_while_nothing_runs() -> None:
    async with talking_to(SHARED) as talk:
        await talk.say("I am in Oslo", SetSlot(slot_name="city", value="Oslo"))
        assert talk.state["conversation_slots"] == {"city": "Oslo"}
        assert await talk.say("weather") == ["It rains in Oslo."]
        await talk.say("I moved to Bergen", CorrectSlot(slot_name="city", new_value="Bergen"))
        assert await talk.say("weather") == ["It rains in Bergen."]


async def test_a_correction_of_a_conversation_scoped_slot_holds_for_the_next_flow() -> None:
    async with talking_to(SHARED) as talk:
        await talk.say("weather")
        await talk.say("Oslo")
        assert await talk.say("taxi") == ["When?"]
        assert await talk.say("no, Bergen", CorrectSlot(slot_name="city", new_value="Bergen")) == [
            "city is now Bergen.",
            "When?",
        ]
        assert await talk.say("now") == ["A taxi in Bergen."]
        assert await talk.say("weather") == ["It rains in Bergen."]


async def test_conversations_do_not_share_conversation_scoped_slots() -> None:
    async with talking_to(SHARED) as talk:
        await talk.say("weather")
        await talk.say("Oslo")
        turn = await talk.runtime.turn("weather", "bob")
        assert turn.messages == ["Which city?"]


ASKED = """
    slots:
      agreed: {type: boolean, prompt: "Do you agree?", ask_before_filling: true}
      name: {prompt: "Your name?"}
    flows:
      join:
        trigger: {examples: [join]}
        steps:
          - collect: name
          - collect: agreed
          - say: "{name}: {agreed}."
      look:
        trigger: {examples: [look]}
        steps:
          - {collect: place, message: "Where?"}
          - say: "{place}!"
"""


async def test_ask_before_filling_takes_no_value_but_the_answer_to_its_own_question() -> None:
    async with talking_to(ASKED) as talk:
        start = StartFlow(flow_name="join", slots={"agreed": True, "name": "Ann"})
        assert await talk.say("I agree", start) == ["Do you agree?"]
        assert talk.slots == {"name": "Ann"}
        assert await talk.say("yes") == ["Ann: yes."]


async def test_ask_before_filling_takes_no_value_that_comes_along_with_another_answer() -> None:
    async with talking_to(ASKED) as talk:
        assert await talk.say("join") == ["Your name?"]
        answers = (SetSlot(slot_name="name", value="Ann"), SetSlot(slot_name="agreed", value=True))
        assert await talk.say("Ann, and yes", *answers) == ["Do you agree?"]
        assert await talk.say("no") == ["Ann: no."]


async def test_ask_before_filling_takes_no_answer_to_a_question_that_was_not_put_yet() -> None:
    async with talking_to(ASKED) as talk:
        await talk.say("join")
        more = (
            SetSlot(slot_name="name", value="Ann"),
            StartFlow(flow_name="look"),
            SetSlot(slot_name="agreed", value=True),
        )
        assert await talk.say("Ann, have a look, and yes", *more) == ["Where?"]
        assert await talk.say("Oslo") == ["Oslo!", "Back to join.", "Do you agree?"]


async def test_the_application_may_fill_what_users_must_be_asked() -> None:
    async with talking_to(ASKED) as talk:
        given = {"name": "Ann", "agreed": True}
        turn = await talk.runtime.start_flow("ann", "join", inputs=given)
        assert turn.messages == ["Ann: yes."]


async def test_a_collect_with_its_own_message_may_name_an_undeclared_slot_which_is_a_string() -> (
    None
):
    flow = """
    flows:
      find:
        steps:
          - {collect: code, message: "Which code?"}
          - {type: branch, when: [{condition: "code == '7'", then: text}, {else: other}]}
          - {step: text, type: say, message: "the text {code}", jump_to: end}
          - {step: other, type: say, message: "something else"}
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["Which code?"]
        assert await talk.say("7", SetSlot(slot_name="code", value=7)) == ["the text 7"]
        await talk.say("hi")
        nested = SetSlot(slot_name="code", value={"a": 7})
        assert await talk.say("?", nested) == ["Please answer with text.", "Which code?"]


async def test_names_written_by_set_and_outputs_need_no_declaration() -> None:
    flow = """
    flows:
      shop:
        steps:
          - set: {basket: [apple, pear], factor: 2}
          - action: price
          - set: {total: "{{ factor * offer.each * len(basket) }}"}
          - say: "{basket}: {total}, {offer.each} each."
    """
    price = """
        from soni import action

        @action
        def price(basket):
            return {"offer": {"each": 1.5, "for": basket}}
    """
    async with talking_to(flow, price) as talk:
        assert await talk.say("hi") == ["apple, pear: 6, 1.5 each."]


LOGIN = """
slots:
  pin: {type: string, sensitive: true, prompt: "PIN?"}
  identified: {type: boolean, scope: conversation}
  city: {type: string, scope: conversation, prompt: "City?"}
flows:
  log_in:
    trigger: {examples: [log in]}
    steps:
      - {collect: pin, when: not identified}
      - set: {identified: true}
      - say: "You are in, {city}."
  rest:
    trigger: {examples: [rest]}
    steps: [{collect: nap, message: "How long?"}]
"""


@pytest.mark.parametrize(
    "command",
    [
        SetSlot(slot_name="identified", value=True),
        CorrectSlot(slot_name="identified", new_value=True),
        StartFlow(flow_name="log_in", slots={"identified": True}),
    ],
)
async def test_what_nobody_is_ever_asked_for_is_not_the_users_to_claim(command: Command) -> None:
    async with talking_to(LOGIN) as talk:
        await talk.say("rest", StartFlow(flow_name="rest"))
        await talk.say("I am identified", command)
        assert "identified" not in talk.state["conversation_slots"]
        assert (await talk.say("log in", StartFlow(flow_name="log_in")))[-1] == "PIN?"


async def test_the_reason_is_recorded() -> None:
    async with talking_to(LOGIN) as talk:
        await talk.say("rest", StartFlow(flow_name="rest"))
        await talk.say("I am identified", SetSlot(slot_name="identified", value=True))
        [made] = talk.last.commands
        assert (made["decision"], made["reason"]) == (
            "rejected",
            "nobody is ever asked for 'identified'",
        )


async def test_one_with_a_prompt_is_filled_by_anybody_at_any_time() -> None:
    async with talking_to(LOGIN) as talk:
        await talk.say("rest", StartFlow(flow_name="rest"))
        await talk.say("I live in Oslo", SetSlot(slot_name="city", value="Oslo"))
        assert talk.state["conversation_slots"] == {"city": "Oslo"}
