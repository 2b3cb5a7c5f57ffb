"""CommandHandlerRegistry: every command by its type, serialisable both ways."""

import json
from collections.abc import Callable, Mapping
from typing import ClassVar, Literal

import pytest
from pydantic import ValidationError

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Clarify,
    Command,
    CommandHandlerRegistry,
    CorrectSlot,
    DenyConfirmation,
    Disambiguate,
    HumanHandoff,
    OutOfScope,
    RepeatLast,
    ResumeFlow,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.commands.registry import UnknownCommandError

ALL = [
    AffirmConfirmation(),
    CancelFlow(),
    ChitChat(),
    Clarify(),
    CorrectSlot(slot_name="amount", new_value=0),
    DenyConfirmation(),
    Disambiguate(flow_names=("a", "b")),
    HumanHandoff(),
    OutOfScope(),
    RepeatLast(),
    ResumeFlow(),
    SetSlot(slot_name="amount", value=False),
    SkipSlot(),
    StartFlow(flow_name="transfer"),
]
FIELDS = {
    "AffirmConfirmation": {},
    "CancelFlow": {"reason": None},
    "ChitChat": {"hint": None},
    "Clarify": {"topic": ""},
    "CorrectSlot": {"slot_name": "amount", "new_value": 0, "flow_name": None},
    "DenyConfirmation": {"slot_to_change": None},
    "Disambiguate": {"flow_names": ["a", "b"]},
    "HumanHandoff": {"reason": None},
    "OutOfScope": {"topic": None},
    "RepeatLast": {},
    "ResumeFlow": {"flow_name": None},
    "SetSlot": {"slot_name": "amount", "value": False, "confidence": 1.0, "flow_name": None},
    "SkipSlot": {"slot_name": None},
    "StartFlow": {"flow_name": "transfer", "slots": {}, "another": False},
}


@pytest.fixture
def registry() -> CommandHandlerRegistry:
    return CommandHandlerRegistry.discover()


def test_all_commands_of_the_table_are_there_and_no_others(
    registry: CommandHandlerRegistry,
) -> None:
    assert list(registry) == sorted(FIELDS)


@pytest.mark.parametrize("command", ALL, ids=lambda command: command.type)
def test_a_command_is_tagged_by_its_class_name_and_has_the_fields_of_the_table(
    command: Command, registry: CommandHandlerRegistry
) -> None:
    assert command.type == type(command).__name__
    assert json.loads(json.dumps(command.model_dump(mode="json"))) == {
        "type": command.type,
        **FIELDS[command.type],
    }
    assert registry.get_handler(command.type).command is type(command)


@pytest.mark.parametrize("command", ALL, ids=lambda command: command.type)
def test_a_command_survives_being_serialised(
    command: Command, registry: CommandHandlerRegistry
) -> None:
    back = registry.parse(json.loads(command.model_dump_json()))
    assert (back, type(back)) == (command, type(command))
    assert registry.parse(command) is command


@pytest.mark.parametrize("value", [0, False, "", 1.5, "C++", "Paris, France", [1], {"a": None}])
def test_any_plain_value_survives_as_it_was(
    value: object, registry: CommandHandlerRegistry
) -> None:
    command = SetSlot(slot_name="x", value=value)
    back = registry.parse(json.loads(command.model_dump_json()))
    assert back.dump_args()["value"] == value
    assert type(back.dump_args()["value"]) is type(value)


@pytest.mark.parametrize("command", ALL, ids=lambda command: command.type)
def test_a_command_cannot_be_changed(command: Command) -> None:
    with pytest.raises(ValidationError):
        command.type = "Other"


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        (SetSlot, {"value": 1}),
        (SetSlot, {"slot_name": "x"}),
        (CorrectSlot, {"slot_name": "x"}),
        (StartFlow, {"slots": {}}),
        (Disambiguate, {}),
    ],
)
def test_key_fields_have_no_defaults(command: type[Command], missing: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        command.model_validate(missing)


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(ValidationError):
        CancelFlow.model_validate({"resaon": "typo"})


@pytest.mark.parametrize("data", [{"type": "Dance"}, {}, {"type": None}, "yes", None, 3])
def test_what_is_no_command_is_refused_with_the_reason(
    data: object, registry: CommandHandlerRegistry
) -> None:
    with pytest.raises(UnknownCommandError):
        registry.parse(data)  # type: ignore[arg-type]


def test_the_refusal_lists_what_there_is(registry: CommandHandlerRegistry) -> None:
    with pytest.raises(UnknownCommandError, match="available: AffirmConfirmation, CancelFlow, "):
        registry.get_handler("Dance")


def test_each_file_declares_its_place_and_what_it_contradicts(
    registry: CommandHandlerRegistry,
) -> None:
    declared = {
        name: (
            registry.get_handler(name).command.place.name,
            registry.get_handler(name).command.contradicts,
        )
        for name in registry
    }
    assert {name: place for name, (place, _) in declared.items()} == {
        "AffirmConfirmation": "ANSWER",
        "CancelFlow": "CANCEL",
        "ChitChat": "DIGRESS",
        "Clarify": "DIGRESS",
        "CorrectSlot": "CORRECT",
        "DenyConfirmation": "ANSWER",
        "Disambiguate": "START",
        "HumanHandoff": "HANDOFF",
        "OutOfScope": "DIGRESS",
        "RepeatLast": "DIGRESS",
        "ResumeFlow": "START",
        "SetSlot": "SET",
        "SkipSlot": "ANSWER",
        "StartFlow": "START",
    }
    assert {name: sorted(against) for name, (_, against) in declared.items() if against} == {
        "CancelFlow": ["AffirmConfirmation", "DenyConfirmation", "SkipSlot"],
        "DenyConfirmation": ["AffirmConfirmation"],
        "StartFlow": ["ChitChat", "Disambiguate", "OutOfScope"],
    }


def test_a_registry_holds_the_handlers_it_is_given() -> None:
    full = CommandHandlerRegistry.discover()
    small = CommandHandlerRegistry({"CancelFlow": full.get_handler("CancelFlow")})
    assert list(small) == ["CancelFlow"]
    with pytest.raises(UnknownCommandError, match=r"available: CancelFlow$"):
        small.get_handler("SetSlot")


def test_a_command_with_examples_needs_no_field_that_they_cannot_give() -> None:
    with pytest.raises(TypeError, match=r"Call\.examples: an example gives no value for number"):

        class Call(Command):
            examples: ClassVar[Mapping[str, tuple[str, ...]]] = {"en": ("call me back",)}

            type: Literal["Call"] = "Call"
            number: str


BY_POSITION = [
    (SetSlot("origin", "NYC"), SetSlot(slot_name="origin", value="NYC")),
    (SetSlot("origin", value="NYC"), SetSlot(slot_name="origin", value="NYC")),
    (CorrectSlot("x", 1), CorrectSlot(slot_name="x", new_value=1)),
    (SkipSlot("x"), SkipSlot(slot_name="x")),
    (StartFlow("book_flight"), StartFlow(flow_name="book_flight")),
    (
        StartFlow("a", {"x": 1}, another=True),
        StartFlow(flow_name="a", slots={"x": 1}, another=True),
    ),
    (ResumeFlow("a"), ResumeFlow(flow_name="a")),
    (CancelFlow("enough"), CancelFlow(reason="enough")),
    (DenyConfirmation("date"), DenyConfirmation(slot_to_change="date")),
    (Clarify("cities"), Clarify(topic="cities")),
    (Disambiguate(["a", "b"]), Disambiguate(flow_names=("a", "b"))),
    (HumanHandoff("angry"), HumanHandoff(reason="angry")),
    (OutOfScope("weather"), OutOfScope(topic="weather")),
    (ChitChat("hello"), ChitChat(hint="hello")),
]


@pytest.mark.parametrize(("given", "meant"), BY_POSITION, ids=lambda each: repr(each))
def test_key_fields_may_be_given_by_position(given: Command, meant: Command) -> None:
    assert given == meant


def test_every_command_with_fields_takes_its_first_ones_by_position() -> None:
    for command in ALL:
        fields = [name for name in type(command).model_fields if name != "type"]
        assert list(command.keys) == fields[: len(command.keys)], command.type
        assert bool(command.keys) == bool(fields), command.type


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (
            lambda: SetSlot("origin", "NYC", 0.5),  # type: ignore[call-arg]
            "SetSlot() was given 3 values by position; "
            "it takes at most 2 values by position (slot_name, value)",
        ),
        (
            lambda: SetSlot("origin", slot_name="origin", value=1),  # type: ignore[misc]
            "SetSlot() was given slot_name both by position and by name",
        ),
        (
            lambda: RepeatLast("again"),  # type: ignore[call-arg]
            "RepeatLast() was given 1 values by position; it takes none",
        ),
    ],
)
def test_values_without_a_name_or_with_two_are_an_error_in_words(
    wrong: Callable[[], Command], reason: str
) -> None:
    with pytest.raises(TypeError) as refused:
        wrong()
    assert str(refused.value) == reason


def test_a_missing_field_is_found_by_the_model_as_before() -> None:
    with pytest.raises(ValidationError, match="value"):
        SetSlot("origin")  # type: ignore[call-arg]
    with pytest.raises(ValidationError, match="slot_name"):
        CommandHandlerRegistry.discover().parse({"type": "SetSlot", "value": 1})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"type": "set_slot", "slot": "name", "value": "Ann"}, SetSlot("name", "Ann")),
        ({"type": "SetSlot", "slot": "name", "value": "Ann"}, SetSlot("name", "Ann")),
        ({"type": "set_slot", "slot_name": "name", "value": 1}, SetSlot("name", 1)),
        (
            {"type": "set_slot", "slot": "name", "value": 1, "flow": "greet"},
            SetSlot("name", 1, flow_name="greet"),
        ),
        ({"type": "correct_slot", "slot": "x", "value": 2}, CorrectSlot("x", 2)),
        ({"type": "skip_slot", "slot": "x"}, SkipSlot("x")),
        ({"type": "deny_confirmation", "slot": "date"}, DenyConfirmation("date")),
        ({"type": "start_flow", "flow": "greet"}, StartFlow("greet")),
        ({"type": "resume_flow", "flow": "greet"}, ResumeFlow("greet")),
        ({"type": "disambiguate", "flows": ["a", "b"]}, Disambiguate(("a", "b"))),
        ({"type": "affirm_confirmation"}, AffirmConfirmation()),
    ],
)
def test_short_names_of_types_and_fields_are_read(
    written: dict[str, object], meant: Command
) -> None:
    assert CommandHandlerRegistry.discover().parse(written) == meant


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "set_slot", "slot": "name", "slot_name": "name", "value": 1},
        {"type": "set_slot", "name": "name", "value": 1},
        {"type": "clarify", "slot": "name"},
    ],
)
def test_a_field_by_two_names_or_by_none_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        CommandHandlerRegistry.discover().parse(wrong)


def test_a_type_that_nobody_knows_is_named_as_it_was_written() -> None:
    with pytest.raises(UnknownCommandError, match="unknown command 'set_slots'; available: "):
        CommandHandlerRegistry.discover().parse({"type": "set_slots"})
