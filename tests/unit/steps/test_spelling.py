"""The two spellings of a step, and the ids of steps without one."""

import pytest
from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from soni.config.flow import FlowConfig
from soni.steps.action import ActionStepConfig
from soni.steps.branch import BranchStepConfig
from soni.steps.collect import CollectStepConfig
from soni.steps.confirm import ConfirmStepConfig
from soni.steps.say import SayStepConfig
from soni.steps.set import SetStepConfig
from soni.steps.spelling import find_short_key, parse_step


@pytest.mark.parametrize(
    ("short", "long", "model"),
    [
        ({"say": "Hi"}, {"type": "say", "message": "Hi"}, SayStepConfig(message="Hi")),
        ({"collect": "name"}, {"type": "collect", "slot": "name"}, CollectStepConfig(slot="name")),
        ({"action": "pay"}, {"type": "action", "call": "pay"}, ActionStepConfig(call="pay")),
        ({"set": {"a": 1}}, {"type": "set", "values": {"a": 1}}, SetStepConfig(values={"a": 1})),
        (
            {"branch": [{"else": "end"}]},
            {"type": "branch", "when": [{"else": "end"}]},
            BranchStepConfig(when=[{"else": "end"}]),
        ),
        (
            {"confirm": "Sure?", "on_no": "end"},
            {"type": "confirm", "message": "Sure?", "on_no": "end"},
            ConfirmStepConfig(message="Sure?", on_no="end"),
        ),
    ],
)
def test_short_and_long_are_the_same_model(short, long, model):
    assert parse_step(short) == parse_step(long) == parse_step(model) == model


def test_the_key_of_a_field_is_found_in_either_spelling():
    assert find_short_key({"say": "Hi"}, "message") == "say"
    assert find_short_key({"say": "Hi"}, "jump_to") == "jump_to"
    assert find_short_key({"type": "say", "message": "Hi"}, "message") == "message"
    assert find_short_key("not a step", "message") == "message"


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"sey": "Hi"}, "unknown step type 'sey'"),
        ({"type": "sey"}, "unknown step type 'sey'"),
        ({"slot": "name"}, "a step needs a type"),
        ({"say": "Hi", "set": {"a": 1}}, "a step has one type, this one has say and set"),
        ("Hi", "a step is a mapping such as `say: Hello`"),
    ],
)
def test_what_is_no_step_is_refused(step, message):
    with pytest.raises(PydanticCustomError) as caught:
        parse_step(step)
    assert caught.value.message() == message


@pytest.mark.parametrize(
    "step",
    [
        {"type": "say"},
        {"type": "say", "message": "Hi", "response": "error"},
        {"type": "branch"},
        {"type": "branch", "input": "a"},
        {"type": "branch", "cases": {"a": "end"}},
        {"branch": [{"else": "end"}], "input": "a", "cases": {}},
        {"branch": [{"else": "end"}, {"condition": "a", "then": "end"}]},
        {"branch": [{"condition": "a"}]},
        {"branch": [{"condition": "a", "then": "end", "else": "end"}]},
        {"set": {}},
        {"action": "pay", "timeout": 0},
        {"action": "pay", "retry": {"max_attempts": 0}},
        {"collect": "a", "max_attempts": 0},
        {"collect": "a", "colour": "red"},
    ],
)
def test_a_step_that_contradicts_itself_is_refused(step):
    with pytest.raises(ValidationError):
        parse_step(step)


def test_cases_are_words_whatever_yaml_made_of_them():
    step = parse_step({"type": "branch", "input": "a", "cases": {True: "x", 3: "y", None: "z"}})
    assert step.cases == {"true": "x", "3": "y", "null": "z"}


def ids(*steps):
    return [step.step for step in FlowConfig(steps=list(steps)).steps]


@pytest.mark.parametrize(
    ("step", "made"),
    [
        ({"collect": "name"}, "collect_name"),
        ({"say": "Hello, {name}!"}, "say_hello_name"),
        ({"say": "¡Adiós, señor!"}, "say_adios_senor"),
        ({"say": "one two three four five six seven"}, "say_one_two_three_four_five_six"),
        ({"say": "日本"}, "say"),
        ({"say": ["Hi", "Ho"]}, "say"),
        ({"say": {"en": "Hi", "es": "Hola"}}, "say_hi"),
        ({"set": {"total": 1, "rest": 2}}, "set_total"),
        ({"action": "search_flights"}, "action_search_flights"),
        ({"branch": [{"else": "end"}]}, "branch"),
        ({"type": "say", "response": "error"}, "say"),
    ],
)
def test_a_step_without_an_id_is_named_after_what_it_does(step, made):
    assert ids(step) == [made]


def test_an_ordinal_is_added_only_on_ties():
    assert ids({"say": "Hi"}, {"say": "Ho"}, {"say": "Hi"}, {"say": "Hi"}) == [
        "say_hi",
        "say_ho",
        "say_hi_2",
        "say_hi_3",
    ]


def test_a_made_up_id_never_takes_one_that_an_author_wrote():
    assert ids({"say": "Hi"}, {"step": "say_hi", "say": "Hi"}) == ["say_hi_2", "say_hi"]
