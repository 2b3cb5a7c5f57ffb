"""Corrections through flows that call flows that call flows, and through links."""

from soni.commands import AffirmConfirmation, CorrectSlot, DenyConfirmation, SetSlot, StartFlow
from tests.talking import Talk, talking_to

THREE = """
slots:
  a: {type: integer, prompt: "A?"}
  b: {type: integer, prompt: "B?"}
  c: {type: integer, prompt: "C?"}
  d: {type: integer, prompt: "D?"}
  last: {prompt: "Last?"}
flows:
  top:
    trigger: {examples: [top]}
    steps:
      - collect: a
      - {step: go, call: middle, inputs: {x: "{{ a }}"}, outputs: {sum: total}}
      - say: "Total {total}."
      - confirm: "{a} makes {total}?"
      - collect: last
  middle:
    inputs: [x]
    outputs: [sum]
    steps:
      - collect: b
      - {step: deep, call: bottom, inputs: {y: "{{ x * 10 }}"}, outputs: {z: deepest}}
      - say: "Deepest {deepest}."
      - set: {sum: "{{ b + deepest }}"}
  bottom:
    inputs: [y]
    outputs: [z]
    steps:
      - collect: c
      - say: "y is {y}."
      - collect: d
      - set: {z: "{{ y + c }}"}
"""
YES = AffirmConfirmation()


def _correct(slot: str, value: object) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value)


async def _at_d(talk: Talk) -> None:
    await talk.say("top", StartFlow(flow_name="top", slots={"a": 1}))
    assert await talk.say("2") == ["C?"]
    assert await talk.say("3") == ["y is 10.", "D?"]
    assert talk.stack == ["top", "middle", "bottom"]


async def _at_confirm(talk: Talk) -> None:
    await _at_d(talk)
    assert await talk.say("4") == ["Deepest 13.", "Total 15.", "1 makes 15?"]
    assert talk.stack == ["top"]


async def test_a_slot_of_the_outermost_reaches_an_open_grandchild() -> None:
    async with talking_to(THREE) as talk:
        await _at_d(talk)
        assert await talk.say("7", _correct("a", 7)) == ["a is now 7.", "y is 70.", "D?"]
        assert talk.stack == ["top", "middle", "bottom"]
        assert talk.slots == {"y": 70, "c": 3}
        assert await talk.say("4") == ["Deepest 73.", "Total 75.", "7 makes 75?"]


async def test_a_slot_of_the_middle_leaves_an_open_grandchild_where_it_is() -> None:
    async with talking_to(THREE) as talk:
        await _at_d(talk)
        assert await talk.say("9", _correct("b", 9)) == ["b is now 9.", "D?"]
        assert talk.stack == ["top", "middle", "bottom"]
        assert await talk.say("4") == ["Deepest 13.", "Total 22.", "1 makes 22?"]


async def test_a_slot_of_the_innermost_is_corrected_after_everything_returned() -> None:
    async with talking_to(THREE) as talk:
        await _at_confirm(talk)
        assert await talk.say("5", _correct("c", 5)) == [
            "c is now 5.",
            "Deepest 15.",
            "Total 17.",
            "1 makes 17?",
        ]
        assert talk.stack == ["top"]


async def test_a_slot_that_leads_to_no_output_changes_nothing_further_up() -> None:
    async with talking_to(THREE) as talk:
        await _at_confirm(talk)
        assert await talk.say("8", _correct("d", 8)) == ["d is now 8.", "1 makes 15?"]


async def test_the_outermost_reaches_what_was_computed_innermost_after_the_return() -> None:
    async with talking_to(THREE) as talk:
        await _at_confirm(talk)
        assert await talk.say("2", _correct("a", 2)) == [
            "a is now 2.",
            "y is 20.",
            "Deepest 23.",
            "Total 25.",
            "2 makes 25?",
        ]


async def test_three_corrections_at_three_levels_in_one_message() -> None:
    for order in (1, -1):
        async with talking_to(THREE) as talk:
            await _at_confirm(talk)
            three = [_correct("a", 2), _correct("b", 5), _correct("c", 7)][::order]
            said = await talk.say("2, 5, 7", *three)
            assert sorted(said[:3]) == ["a is now 2.", "b is now 5.", "c is now 7."]
            assert said[3:] == ["y is 20.", "Deepest 27.", "Total 32.", "2 makes 32?"]
            assert talk.stack == ["top"]


async def test_no_with_a_slot_of_the_innermost_asks_it_there() -> None:
    async with talking_to(THREE) as talk:
        await _at_confirm(talk)
        assert await talk.say("no, c", DenyConfirmation(slot_to_change="c")) == ["C?"]
        assert talk.stack == ["top", "middle", "bottom"]
        # Meanwhile somebody changes what lies outside.
        assert await talk.say("a is 2", _correct("a", 2)) == ["a is now 2.", "C?"]
        assert await talk.say("5") == ["y is 20.", "Deepest 25.", "Total 27.", "2 makes 27?"]


async def test_an_answer_and_a_correction_further_out_in_one_message() -> None:
    async with talking_to(THREE) as talk:
        await _at_d(talk)
        both = (SetSlot(slot_name="d", value=4), _correct("a", 2))
        assert await talk.say("4, and a is 2", *both) == [
            "a is now 2.",
            "y is 20.",
            "Deepest 23.",
            "Total 25.",
            "2 makes 25?",
        ]


async def test_a_second_call_of_the_same_flow_is_another_child() -> None:
    yaml = """
    slots:
      city: {prompt: "Which city?"}
    flows:
      trip:
        trigger: {examples: [trip]}
        steps:
          - {step: from, call: find, outputs: {city: origin}}
          - {step: to, call: find, outputs: {city: target}}
          - confirm: "{origin} to {target}?"
      find: {outputs: [city], steps: [{collect: city}]}
    """
    async with talking_to(yaml) as talk:
        assert await talk.say("trip") == ["Which city?"]
        assert await talk.say("Rome") == ["Which city?"]
        assert await talk.say("Oslo") == ["Rome to Oslo?"]
        assert await talk.say("Bonn", _correct("origin", "Bonn")) == [
            "city is now Bonn.",
            "Bonn to Oslo?",
        ]
        # Of two that go by one name, the last is meant.
        assert await talk.say("Riga", _correct("city", "Riga")) == [
            "city is now Riga.",
            "Bonn to Riga?",
        ]
        assert await talk.say("Bari", _correct("target", "Bari")) == [
            "city is now Bari.",
            "Bonn to Bari?",
        ]


async def test_a_slot_of_the_first_call_is_corrected_while_the_second_is_open() -> None:
    yaml = """
    slots:
      size: {prompt: "Which size?"}
      street: {prompt: "Which street?"}
      zip: {prompt: "Which zip?"}
    flows:
      order:
        trigger: {examples: [order]}
        steps:
          - call: choose
          - say: "One {size}."
          - {call: address, inputs: {parcel: "{{ size }}"}}
          - say: "{size} to {street}."
      choose: {outputs: [size], steps: [{collect: size}]}
      address:
        inputs: [parcel]
        outputs: [street]
        steps: [{collect: street}, {say: "A {parcel} there."}, {collect: zip}]
    """
    async with talking_to(yaml) as talk:
        await talk.say("order")
        assert await talk.say("small") == ["One small.", "Which street?"]
        assert await talk.say("Elm") == ["A small there.", "Which zip?"]
        assert await talk.say("large", _correct("size", "large")) == [
            "size is now large.",
            "One large.",
            "A large there.",
            "Which zip?",
        ]
        assert talk.stack == ["order", "address"]
        assert await talk.say("parcel", _correct("parcel", "tiny")) == [
            "size is now tiny.",
            "One tiny.",
            "A tiny there.",
            "Which zip?",
        ]
        assert await talk.say("123") == ["tiny to Elm."]


async def test_a_value_that_goes_in_and_comes_out_by_one_name_is_changed_once() -> None:
    yaml = """
    slots:
      city: {prompt: "Which city?"}
      last: {prompt: "Last?"}
    flows:
      trip:
        trigger: {examples: [trip]}
        steps:
          - call: ask
          - call: spell
          - say: "In {city}."
          - collect: last
      ask: {outputs: [city], steps: [{collect: city}]}
      spell: {inputs: [city], outputs: [city], steps: [{say: "So {city}."}]}
    """
    async with talking_to(yaml) as talk:
        await talk.say("trip")
        assert await talk.say("Rome") == ["So Rome.", "In Rome.", "Last?"]
        assert await talk.say("Oslo", _correct("city", "Oslo")) == [
            "city is now Oslo.",
            "So Oslo.",
            "In Oslo.",
            "Last?",
        ]
        assert talk.slots == {"city": "Oslo"}


LINKED = """
slots:
  city: {prompt: "Which city?"}
  night: {prompt: "Which night?"}
  last: {prompt: "Last?"}
flows:
  trip:
    trigger: {examples: [trip]}
    steps:
      - {call: first}
      - say: "Got {night}."
      - collect: last
  first: {steps: [{collect: city}, {link: second}]}
  second: {outputs: [night], steps: [{collect: night}]}
"""


async def test_inside_a_linked_flow_its_slots_are_corrected_as_anywhere() -> None:
    yaml = LINKED.replace("[{collect: night}]", "[{collect: night}, {collect: last}]")
    async with talking_to(yaml) as talk:
        await talk.say("trip")
        assert await talk.say("Rome") == ["Which night?"]
        assert talk.stack == ["trip", "second"]
        assert await talk.say("Monday") == ["Last?"]
        assert await talk.say("Friday", _correct("night", "Friday")) == [
            "night is now Friday.",
            "Last?",
        ]
        assert await talk.say("x") == ["Got Friday.", "Last?"]


async def test_what_ended_by_a_link_is_over_and_its_slots_are_nobodys() -> None:
    async with talking_to(LINKED) as talk:
        await talk.say("trip")
        await talk.say("Rome")
        assert await talk.say("Monday") == ["Got Monday.", "Last?"]
        for slot in ("city", "night"):
            said = await talk.say("no", _correct(slot, "x"))
            assert said[-1] == "Last?"
            assert talk.decisions == [("CorrectSlot", "rejected")]
        assert talk.slots == {"night": "Monday"}
