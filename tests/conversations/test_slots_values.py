"""Slot values: what counts as set, how they are stored, what actions get, what people read."""

from typing import Any

import pytest

from soni.commands import AffirmConfirmation, DenyConfirmation, SetSlot, SkipSlot, StartFlow
from tests.talking import talking_to

ALL_TYPES = """
    slots:
      word: {type: string, prompt: "Word?"}
      count: {type: integer, prompt: "Count?"}
      share: {type: number, prompt: "Share?"}
      gift: {type: boolean, prompt: "Is it a gift?"}
      size: {type: choice, prompt: "Size?", values: {small: [s, tiny], large: [l, 3]}}
      day: {type: date, prompt: "Day?"}
    flows:
      order:
        steps:
          - collect: word
          - collect: count
          - collect: share
          - collect: gift
          - collect: size
          - collect: day
          - action: pack
          - say: "{word} {count} {share} {gift} {size} {day}"
          - say: "{kinds}"
"""

PACK = """
    from datetime import date
    from soni import action

    @action
    def pack(word, count, share, gift, size, day):
        return {"kinds": [type(x).__name__ for x in (word, count, share, gift, size, day)]}
"""


async def test_0_empty_text_and_false_are_values() -> None:
    given: dict[str, Any] = {"word": "", "count": 0, "share": 0.0, "gift": False}
    async with talking_to(ALL_TYPES, PACK) as talk:
        start = StartFlow(flow_name="order", slots=given)
        assert await talk.say("go", start) == ["Size?"]
        assert talk.slots == {"word": "", "count": 0, "share": 0, "gift": False}


async def test_an_answer_of_0_or_no_or_nothing_goes_on() -> None:
    async with talking_to(ALL_TYPES, PACK) as talk:
        assert await talk.say("hi") == ["Word?"]
        assert await talk.say("-", SetSlot(slot_name="word", value="")) == ["Count?"]
        assert await talk.say("0") == ["Share?"]
        assert await talk.say("0.0") == ["Is it a gift?"]
        assert await talk.say("no") == ["Size?"]


async def test_null_is_not_an_answer() -> None:
    async with talking_to(ALL_TYPES, PACK) as talk:
        await talk.say("hi")
        assert await talk.say("?", SetSlot(slot_name="word", value=None)) == [
            "I did not understand that.",
            "Word?",
        ]
        assert talk.slots == {}


async def test_values_are_stored_as_plain_data_given_typed_and_shown_for_people() -> None:
    async with talking_to(ALL_TYPES, PACK) as talk:
        await talk.say("hi")
        await talk.say(" C++ ")
        await talk.say("1,000")
        await talk.say("2.0")
        await talk.say("yes")
        await talk.say("TINY")
        assert talk.slots == {"word": "C++", "count": 1000, "share": 2, "gift": True,
                              "size": "small"}  # fmt: skip
        assert await talk.say("tomorrow") == [
            "C++ 1000 2 yes small 3 March 2026",
            "str, int, int, bool, str, date",
        ]
        assert talk.actions[0][1]["day"] == "2026-03-03"


async def test_values_are_read_and_shown_in_the_language_of_the_turn() -> None:
    async with talking_to(ALL_TYPES, PACK) as talk:
        answers = ["hola", "Peña, José", "1.000", "2,5", "sí", "L", "mañana"]
        for answer in answers[:-1]:
            await talk.say(answer, language="es-ES")
        assert talk.slots["share"] == 2.5
        shown = await talk.say(answers[-1], language="es-ES")
        assert shown[0] == "Peña, José 1000 2,5 sí large 3 de marzo de 2026"


@pytest.mark.parametrize(
    ("slot", "said", "reason"),
    [
        ("count", "some", "Please give a whole number."),
        ("count", "2.5", "Please give a whole number."),
        ("share", "NaN", "Please give a number."),
        ("gift", "perhaps", "Please answer yes or no."),
        ("size", "medium", "Please choose one of: small, large."),
        ("day", "2026-02-30", "That is not a date I understand, such as 2026-03-02 or tomorrow."),
    ],
)
async def test_a_value_of_another_type_is_refused_with_the_reason_then_asked(
    slot: str, said: str, reason: str
) -> None:
    filled = {"word": "x", "count": 1, "share": 1, "gift": True, "size": "small", "day": "today"}
    del filled[slot]
    async with talking_to(ALL_TYPES, PACK) as talk:
        (question,) = await talk.say("go", StartFlow(flow_name="order", slots=filled))
        assert await talk.say(said) == [reason, question]
        assert slot not in talk.slots


@pytest.mark.parametrize(("answer", "shown"), [("yes", "yes"), ("no", "no")])
async def test_yes_and_no_set_a_boolean_slot_that_is_asked(answer: str, shown: str) -> None:
    flow = """
    slots:
      gift: {type: boolean, prompt: "Is it a gift?"}
    flows:
      order:
        steps:
          - collect: gift
          - say: "Gift: {gift}."
    """
    command = AffirmConfirmation() if answer == "yes" else DenyConfirmation()
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert await talk.say(answer, command) == [f"Gift: {shown}."]
        assert talk.decisions == [(command.type, "rewritten")]


@pytest.mark.parametrize(
    ("default", "shown"), [("0", "<0>"), ("false", "<no>"), ("''", "<>"), ("null", "<>")]
)
async def test_an_optional_slot_that_is_skipped_takes_its_default_even_a_falsy_one(
    default: str, shown: str
) -> None:
    kind = {"0": "integer", "false": "boolean"}.get(default, "string")
    flow = f"""
    slots:
      extra: {{type: {kind}, prompt: "Extra?", required: false, default: {default}}}
    flows:
      order:
        steps:
          - collect: extra
          - say: "<{{extra}}>"
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["Extra?"]
        assert await talk.say("skip", SkipSlot()) == [shown]


async def test_a_required_slot_cannot_be_skipped() -> None:
    async with talking_to(ALL_TYPES, PACK) as talk:
        await talk.say("hi")
        assert await talk.say("skip") == ["I need word to go on.", "Word?"]


async def test_expressions_get_typed_values_and_null_for_what_is_unset() -> None:
    flow = """
    slots:
      day: {type: date, prompt: "Day?"}
      note: {prompt: "Note?"}
    flows:
      plan:
        steps:
          - collect: day
          - set: {in_days: "{{ days_between(today(), day) }}", noted: "{{ note == null }}"}
          - say: "{in_days} days from now, no note: {noted}."
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert await talk.say("2026-03-12") == ["10 days from now, no note: yes."]
