"""Understanding by a language model: what it is asked, and what becomes of its answers."""

from typing import Any

import pytest

from tests.conversations.model_bank import BANK, START, bank
from tests.model_server import Model, commands, slots


async def test_a_message_becomes_commands_and_then_the_slots_of_the_flow_it_starts(
    model: Model,
) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots(recipient="Anna", amount="50"))
        assert await talk.say("please send 50 to Anna") == ["Send 50 to Anna?"]
        assert talk.state["turn"]["source"] == "llm"
        assert len(model.asked) == 2
        model.will_say(commands({"type": "AffirmConfirmation"}))
        assert await talk.say("yes, let's do it now") == ["Sent 50 to Anna."]


@pytest.mark.parametrize(
    ("said", "heard"),
    [("Yes!", "Sent 50 to Anna."), ("no thanks", "What would you like to change?")],
)
async def test_a_plain_yes_or_no_to_a_confirmation_costs_nothing(
    said: str, heard: str, model: Model
) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots(recipient="Anna", amount="50"))
        await talk.say("please send 50 to Anna")
        assert talk.state["turn"]["usage"]["calls"] == 2
        assert heard in await talk.say(said)
        assert len(model.asked) == 2
        assert "usage" not in talk.state["turn"]


async def test_no_may_mean_something_else_in_a_language_that_only_the_model_knows(
    model: Model,
) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots(recipient="Anna", amount="50"))
        await talk.say("pošli 50 Anna", language="cs")
        model.will_say(commands({"type": "AffirmConfirmation"}))
        told = "Shall I go ahead? Please answer Yes or No."
        assert await talk.say("no") == ["I did not understand that.", told]


async def test_what_can_be_pressed_costs_nothing_when_it_is_typed(model: Model) -> None:
    drinks = (
        BANK
        + """
  drink:
    description: Order a drink
    trigger: {examples: [order a drink]}
    steps:
      - collect: kind
        message: What would you like?
        ui:
          type: quick_replies
          options: [{label: A cup of tea, value: tea}, {label: Coffee, value: coffee}]
      - say: "Here is your {kind}."
"""
    )
    async with bank(model, drinks) as talk:
        for said in ("a cup of tea", "1"):
            model.will_say(commands({"type": "StartFlow", "flow_name": "drink"}))
            await talk.say("order a drink")
            asked = len(model.asked)
            assert "Here is your tea." in await talk.say(said)
            assert len(model.asked) == asked


@pytest.mark.parametrize("language", ["en", "cs"])
async def test_what_an_author_wrote_as_an_example_costs_nothing(
    language: str, model: Model
) -> None:
    async with bank(model) as talk:
        assert await talk.say("Send money!", language=language) == ["To whom?"]
        assert "usage" not in talk.state["turn"]
        # In the middle of something else a single word may mean another thing.
        model.will_say(commands({"type": "SetSlot", "slot_name": "recipient", "value": "complain"}))
        assert await talk.say("complain", language=language) == ["How much?"]


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("cancel", "I have cancelled transfer."),
        ("say that again", "To whom?"),
        ("I want to talk to a human", "I am connecting you with a person."),
        ("skip", "I need recipient to go on."),
    ],
)
async def test_words_that_mean_the_same_to_any_assistant_cost_nothing(
    said: str, heard: str, model: Model
) -> None:
    async with bank(model) as talk:
        await talk.say("send money")
        assert heard in await talk.say(said)
        assert model.asked == []


async def test_what_is_to_change_after_a_no_is_asked_for_by_its_name(model: Model) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots(recipient="Anna", amount="50"))
        await talk.say("please send 50 to Anna")
        assert await talk.say("no") == ["What would you like to change?"]
        assert await talk.say("the amount") == ["How much?"]
        assert len(model.asked) == 2


async def test_the_model_is_told_that_the_question_is_what_to_change(model: Model) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots(recipient="Anna", amount="50"))
        await talk.say("please send 50 to Anna")
        await talk.say("no")
        model.will_say(commands({"type": "DenyConfirmation", "slot_to_change": "recipient"}))
        assert await talk.say("it should go to my other friend") == ["To whom?"]
        assert (
            'Question that is open: "What would you like to change?", asks what to change'
            in (model.prompts[-1])
        )


START_ALL = [{"type": "StartFlow", "flow_name": name} for name in ("balance", "unlock", "transfer")]


async def test_of_flows_that_one_wish_starts_the_nearest_counts(model: Model) -> None:
    async with bank(model) as talk:
        model.will_say(commands(*START_ALL), slots(recipient="Bob"))
        assert await talk.say("I'd like to send Bob some money") == ["How much?"]
        assert talk.stack == ["transfer"]


async def test_two_wishes_start_two_flows(model: Model) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START_ALL[0], START_ALL[2]), slots())
        said = await talk.say("tell me what I have, then I want to send some of it to somebody")
        assert said == ["120 euros.", "To whom?"]


async def test_an_example_is_no_answer_to_what_is_asked_in_the_middle_of_something(
    model: Model,
) -> None:
    async with bank(model) as talk:
        assert await talk.say("make a transfer") == ["To whom?"]
        assert "120 euros." in await talk.say("what is my balance")
        assert model.asked == []


FLY = """
version: "1"
settings: {nlu: {provider: llm, model: tiny, base_url: "http://model.example/v1", timeout: 120}}
slots:
  city: {prompt: "Where to?"}
  seats: {type: integer, prompt: "How many?"}
  seat: {type: choice, values: {window: [by the window], aisle: []}, prompt: "Which seat?"}
flows:
  fly:
    description: Book a flight
    trigger:
      examples: [I want to fly to Oslo, fly to Lima, Can I fly?, seats by the window,
                 "fly, the 2 of us", a flight for two, "I'd say I'll fly"]
    steps: [{collect: city}, {collect: seats}, {collect: seat}, {say: Booked.}]
"""


@pytest.mark.parametrize(
    ("said", "slot", "words", "value"),
    [
        ("fly to lima", "city", "lima", "lima"),
        ("I want to fly to Oslo!", "city", "Oslo", "Oslo"),
        ("fly, the 2 of us", "seats", "2", 2),
        ("a flight for two", "seats", "two", 2),
        ("seats by the window", "seat", ("by the window", "window"), "window"),
    ],
)
async def test_what_an_example_says_beside_the_wish_is_heard(
    said: str, slot: str, words: Any, value: Any, model: Model
) -> None:
    async with bank(model, FLY) as talk:
        # Which flow is meant needs no asking.
        model.will_say(slots(**{slot: words}))
        await talk.say(said)
        assert talk.slots == {slot: value}


@pytest.mark.parametrize("said", ["Can I fly?", "I'd say I'll fly"])
async def test_an_example_that_says_no_value_needs_no_second_pass(said: str, model: Model) -> None:
    async with bank(model, FLY) as talk:
        assert await talk.say(said) == ["Where to?"]


@pytest.mark.parametrize(
    ("message", "copied", "filled"),
    [
        ("2 seats at the window", {"seats": "2 seats at the window"}, {"seats": 2}),
        ("a window seat", {"seat": ("a window seat", "window")}, {"seat": "window"}),
        ("a flight", {"city": "a flight"}, {}),
        ("a flight. ", {"city": "a flight"}, {}),
        ("a flight", {"seat": ("a flight", "window")}, {}),
    ],
)
async def test_a_copy_of_the_whole_message_is_a_value_where_its_form_says_which(
    message: str, copied: dict[str, Any], filled: dict[str, Any], model: Model
) -> None:
    async with bank(model, FLY) as talk:
        model.will_say(commands({"type": "StartFlow", "flow_name": "fly"}), slots(**copied))
        await talk.say(message)
        assert talk.slots == filled


async def test_only_what_may_happen_now_can_be_said(model: Model) -> None:
    def kinds() -> set[str]:
        shapes = model.schema()["schema"]["$defs"]
        return set(shapes)

    async with bank(model) as talk:
        model.will_say(commands(START), slots())
        await talk.say("money, to somebody")
        model.asked.pop()
        assert sorted(kinds()) == [
            *("ChitChat", "Clarify", "Disambiguate", "HumanHandoff", "OutOfScope"),
            *("RepeatLast", "StartFlow", "Unclear"),
        ]
        flows = model.schema()["schema"]["$defs"]["StartFlow"]["properties"]["flow_name"]
        assert flows["enum"] == ["transfer", "balance", "unlock", "complain"]
        model.will_say(commands({"type": "SetSlot", "slot_name": "recipient", "value": "Bob"}))
        assert await talk.say("Bob") == ["How much?"]
        assert {"SetSlot", "SkipSlot", "CancelFlow"} <= kinds()
        assert not {"CorrectSlot", "AffirmConfirmation", "ResumeFlow"} & kinds()
        model.will_say(commands({"type": "SetSlot", "slot_name": "amount", "value": "5"}))
        assert await talk.say("5") == ["Send 5 to Bob?"]
        assert "CorrectSlot" in kinds()


def check(part: Any, bounds: bool) -> None:
    """Whether a form has only what providers accept."""
    if isinstance(part, list):
        for item in part:
            check(item, bounds)
    if not isinstance(part, dict):
        return
    assert not {"oneOf", "discriminator", "default", "title"} & set(part)
    if part.get("type") == "object":
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
    if part.get("type") == "array":
        assert ("maxItems" in part) is bounds
        assert bounds or part.get("minItems", 0) in (0, 1)
    for value in part.values():
        check(value, bounds)


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("tiny", True),
        ("openai/gpt-4o", True),
        # Anthropic answers 400 to the length of a list.
        ("anthropic/claude-haiku-4-5", False),
        ("openrouter/anthropic/claude-sonnet-4.5", False),
    ],
)
async def test_the_form_of_answers_is_what_providers_accept(
    name: str, bounds: bool, model: Model
) -> None:
    async with bank(model, BANK.replace("model: tiny", f"model: {name}")) as talk:
        model.will_say(commands(START), slots(recipient="Bob", amount="5"))
        await talk.say("send 5 to Bob")
        model.will_say(commands({"type": "DenyConfirmation", "slot_to_change": "amount"}))
        assert await talk.say("no, the amount is wrong") == ["How much?"]
    for index in range(3):
        assert model.schema(index).get("strict", True) is True
        check(model.schema(index)["schema"], bounds)


async def test_an_answer_is_no_longer_than_it_may_be_whatever_the_form_can_say(
    model: Model,
) -> None:
    async with bank(model, BANK.replace("model: tiny", "model: anthropic/claude-x")) as talk:
        balance = {"type": "StartFlow", "flow_name": "balance"}
        model.will_say(commands(*[balance] * 9), commands(balance))
        assert await talk.say("how much is there?") == ["120 euros."]
        told = str(model.asked[1]["messages"][-1])
        assert 'Your last answer was wrong: "commands: List should have at most 8 items' in told


async def test_saying_more_of_what_is_open_starts_nothing(model: Model) -> None:
    async with bank(model) as talk:
        await talk.runtime.turn(
            "", "ann", commands=[{"type": "StartFlow", "flow_name": "transfer"}]
        )
        to_anna = {"type": "SetSlot", "slot_name": "recipient", "value": "Anna"}
        model.will_say(commands(START, to_anna))
        assert await talk.say("to Anna") == ["How much?"]
        assert len(model.asked) == 1
