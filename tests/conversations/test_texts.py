"""Texts: names in braces, filters, variations, languages, expressions."""

import pytest

from soni import ConfigError
from soni.commands import SetSlot, StartFlow
from tests.talking import assistant, talking_to


def saying(text: str, *before: str) -> str:
    """An assistant that asks for a name, does `before`, and says `text`."""
    steps = "\n".join(f"          - {step}" for step in before)
    return f"""
    slots:
      name: {{prompt: "Name?"}}
      pin: {{prompt: "PIN?", sensitive: true}}
    flows:
      talk:
        inputs: ["pin?"]
        steps:
          - collect: name
{steps}
          - say: {text}
    """


@pytest.mark.parametrize(
    "value",
    [
        "{pin}",
        "{{ 1 + 1 }}",
        "{session.key}",
        "{name}",
        "{0.__class__}",
        "%(pin)s",
        "${pin}",
        "{",
        "}}",
        "line\nbreak",
    ],
)
async def test_values_are_never_rendered_again(value: str) -> None:
    steps = ('set: {copy: "{{ name }}"}',)
    async with talking_to(saying('"{name} / {copy}"', *steps)) as talk:
        start = StartFlow(flow_name="talk", slots={"pin": "4711"})
        await talk.say("hi", start, context={"key": "secret"})
        named = SetSlot(slot_name="name", value=value)
        assert await talk.say("?", named, context={"key": "secret"}) == [f"{value} / {value}"]


async def test_null_is_shown_as_nothing() -> None:
    async with talking_to(saying('"<{later}>"', "set: {later: null}")) as talk:
        await talk.say("hi")
        assert await talk.say("Ann") == ["<>"]


async def test_doubled_braces_are_braces() -> None:
    async with talking_to(saying('"{{name}} is {name}"')) as talk:
        await talk.say("hi")
        assert await talk.say("Ann") == ["{name} is Ann"]


async def test_a_path_walks_plain_data() -> None:
    step = "set: {flight: {to: Oslo, price: 80.0, stops: [{city: Rome}]}}"
    text = '"{flight.to}, {flight.price}, {flight.stops.0.city}, {flight.seat.row}."'
    async with talking_to(saying(text, step)) as talk:
        await talk.say("hi")
        assert await talk.say("Ann") == ["Oslo, 80, Rome, ."]


async def test_session_is_what_the_caller_said_in_this_turn() -> None:
    async with talking_to(saying('"{session.user.name} at {session.branch}"')) as talk:
        await talk.say("hi", context={"branch": "west"})
        known = {"user": {"name": "Ann"}, "branch": "east"}
        assert await talk.say("Eve", context=known) == ["Ann at east"]


async def test_session_is_never_writable_by_understanding() -> None:
    async with talking_to(saying('"{session.branch}"')) as talk:
        await talk.say("hi")
        forged = SetSlot(slot_name="session", value={"branch": "vault"})
        answer = SetSlot(slot_name="name", value="Ann")
        assert await talk.say("x", forged, answer, context={"branch": "east"}) == ["east"]
        assert ("SetSlot", "rejected") in talk.decisions


async def test_a_filter_shows_a_value_in_another_way() -> None:
    flow = """
    slots:
      day: {type: date, prompt: "Day?"}
    flows:
      plan:
        steps:
          - collect: day
          - say: "{day} / {day | iso} / {day | upper}"
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert await talk.say("tomorrow") == ["3 March 2026 / 2026-03-03 / 3 MARCH 2026"]


VARIED = """
    responses:
      bye: ["Bye.", "So long.", "See you."]
    flows:
      chat:
        steps:
          - {collect: word, message: ["A word?", "Any word?", "Which word?"]}
          - say: ["{word}!", "{word}?", "{word}."]
          - {type: say, response: bye}
"""


async def read(conversation: str, turns: int = 10) -> list[list[str]]:
    async with talking_to(VARIED) as talk:
        return [await talk.say("hat", conversation_id=conversation) for _ in range(turns)]


async def test_the_same_conversation_always_reads_the_same() -> None:
    assert await read("one") == await read("one")


async def test_another_conversation_and_another_turn_may_read_differently() -> None:
    one, two = await read("one"), await read("two")
    assert one != two
    for index, written in enumerate((["A word?", "Any word?", "Which word?"],
                                     ["hat!", "hat?", "hat."])):  # fmt: skip
        said = {turn[0] for turn in [*one, *two] if (len(turn) == 2) == bool(index)}
        assert said == set(written)


async def test_a_built_in_sentence_is_overridden_by_a_response_of_its_name() -> None:
    flow = """
    responses:
      welcome: {en: "Welcome, {session.name}.", es: "Hola, {session.name}."}
      not_understood: "Pardon, {session.name}?"
      correction_done: "{slot | upper}: {value}, was it?"
    slots:
      day: {type: date, prompt: "Day?"}
    flows:
      plan:
        trigger: {examples: [plan]}
        steps:
          - collect: day
          - {collect: note, message: "Note?"}
    """
    async with talking_to(flow) as talk:
        known = {"context": {"name": "Ann"}}
        assert await talk.say("blah", **known, language="es") == ["Hola, Ann.", "Pardon, Ann?"]
        await talk.say("plan", **known, language="en")
        await talk.say("tomorrow", **known)
        later = SetSlot(slot_name="day", value="2026-03-09")
        assert await talk.say("the 9th", later, **known) == ["DAY: 9 March 2026, was it?", "Note?"]


@pytest.mark.parametrize("text", ["[]", "{}", "{en: []}"])
def test_a_text_without_a_sentence_is_an_error_at_load(text: str) -> None:
    with pytest.raises(ConfigError, match="this is empty"):
        assistant(saying(text))


@pytest.mark.parametrize(
    "expression",
    [
        "name.upper()",
        "open('x')",
        "__import__('os')",
        "name.__class__",
        "[x for x in name]",
        "lambda: 1",
        "1 " + "+ 1" * 600,
    ],
)
def test_an_expression_with_anything_but_the_listed_is_an_error_at_load(expression: str) -> None:
    with pytest.raises(ConfigError):
        assistant(saying('"ok"', f'set: {{x: "{{{{ {expression} }}}}"}}'))


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("len(name) + 1", "4"),
        ("lower(name) == 'ann' and not missing", "yes"),
        ("missing > 1 or missing <= 1", "no"),
        ("'n' in name", "yes"),
        ("today()", "2026-03-02"),
        ("session.age >= 18", "no"),
        ("missing == null", "yes"),
        ("7 / 2", "3.5"),
    ],
)
async def test_expressions_compare_compute_and_call_what_is_listed(
    expression: str, shown: str
) -> None:
    steps = ("set: {missing: null}", f'set: {{x: "{{{{ {expression} }}}}"}}')
    async with talking_to(saying('"{x}"', *steps)) as talk:
        await talk.say("hi")
        assert await talk.say("Ann") == [shown]
