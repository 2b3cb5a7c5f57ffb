"""The offline reading: examples start flows, answers fill slots, short words are exact."""

from datetime import UTC, datetime
from typing import Any

import pytest

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Clarify,
    Command,
    CorrectSlot,
    DenyConfirmation,
    HumanHandoff,
    RepeatLast,
    ResumeFlow,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.du import DialogueContext, FlowBrief, LocalNLU, SlotBrief

FLOWS = (
    FlowBrief(name="transfer_money", examples=("send money", "I want to transfer money")),
    FlowBrief(name="opening_hours", examples=("when are you open",)),
)
SLOTS = (
    SlotBrief(name="amount", flow="transfer_money", type="number"),
    SlotBrief(name="travel_date", flow="transfer_money", type="date"),
    SlotBrief(name="urgent", flow="transfer_money", type="boolean"),
)


async def read(message: str, asked: str | None = None, **about: Any) -> Command | None:
    """The first thing a message means where this is asked."""
    commands = await all_read(message, asked, **about)
    return commands[0] if commands else None


async def all_read(message: str, asked: str | None = None, **about: Any) -> list[Any]:
    """What a message means where this is asked: a slot's name, or a kind of question."""
    slot = asked if asked in {brief.name for brief in SLOTS} else None
    kind = "collect" if slot else asked
    question = {"kind": kind, "prompt": "?", "data": about.pop("data", {})} if kind else None
    context = DialogueContext(
        available_flows=FLOWS,
        expected_slots=SLOTS if asked else (),
        waiting_for_slot=slot,
        asked=question,
        current_flow="transfer_money" if asked else "none",
        now=datetime(2026, 3, 2, tzinfo=UTC),
        **about,
    )
    output = await LocalNLU().understand(message, [], context)
    assert output.source == "local"
    return list(output.commands)


@pytest.mark.parametrize(
    "message",
    ["send money", "Send money!", "  SEND   money. ", "please send money", "transfer money"],
)
async def test_an_example_or_nearly_one_starts_its_flow(message: str) -> None:
    assert await read(message) == StartFlow(flow_name="transfer_money")


@pytest.mark.parametrize("message", ["bananas", "", "   ", "...", "the a to please"])
async def test_what_is_near_to_nothing_means_nothing(message: str) -> None:
    assert await read(message) is None


@pytest.mark.parametrize(
    "message", ["60", "C++", "Paris, France", "-5", "👍", "???", "yes", "send it"]
)
async def test_the_answer_to_a_question_fills_the_asked_slot_whole(message: str) -> None:
    assert await read(message, "amount") == SetSlot(slot_name="amount", value=message)


async def test_an_example_starts_its_flow_even_while_something_is_asked() -> None:
    assert await read("when are you open", "amount") == StartFlow(flow_name="opening_hours")
    assert await read("are you open now", "amount") == StartFlow(flow_name="opening_hours")


@pytest.mark.parametrize("asked", ["confirm", "cancel", "limit", "urgent"])
@pytest.mark.parametrize(
    ("message", "language", "command"),
    [
        ("yes", "en", AffirmConfirmation()),
        ("Yes, please!", "en", AffirmConfirmation()),
        ("Sure, no problem", "en", AffirmConfirmation()),
        ("sí", "es", AffirmConfirmation()),
        ("nope", "en", DenyConfirmation()),
        ("no gracias", "es", DenyConfirmation()),
        ("yes", "es", AffirmConfirmation()),
        ("ok", "fr", AffirmConfirmation()),
    ],
)
async def test_yes_and_no_answer_a_yes_no_question(
    asked: str, message: str, language: str, command: Command
) -> None:
    assert await read(message, asked, language=language) == command


async def test_a_word_too_many_makes_it_another_answer() -> None:
    known = {"amount": 50}
    assert await all_read("yes but make it 60", "confirm", current_slots=known) == [
        AffirmConfirmation(),
        CorrectSlot(slot_name="amount", new_value="60"),
    ]
    assert await all_read("no, make it 60", "confirm", current_slots=known) == [
        CorrectSlot(slot_name="amount", new_value="60")
    ]
    assert await all_read("no idea", "confirm") == []


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ("cancel", CancelFlow()),
        ("never mind", CancelFlow()),
        ("I want to talk to a human", HumanHandoff()),
        ("say that again", RepeatLast()),
        ("why do you ask?", Clarify(topic="why do you ask?")),
        ("skip", SkipSlot()),
        ("no idea", SkipSlot()),
    ],
)
async def test_short_requests_are_read_while_something_is_asked(
    message: str, command: Command
) -> None:
    assert await read(message, "amount") == command


async def test_only_a_question_can_be_skipped_and_only_a_paused_flow_resumed() -> None:
    assert await read("skip") is None
    assert await read("go back") is None
    assert await read("go back", paused_flows=("opening_hours",)) == ResumeFlow()


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ("change the amount to 60", CorrectSlot(slot_name="amount", new_value="60")),
        ("make my amount to 60!", CorrectSlot(slot_name="amount", new_value="60")),
        (
            "the travel date should be Friday",
            CorrectSlot(slot_name="travel_date", new_value="Friday"),
        ),
        ("cambia el amount a 60", CorrectSlot(slot_name="amount", new_value="60")),
        ("no, change the travel date", DenyConfirmation(slot_to_change="travel_date")),
    ],
)
async def test_changes_name_their_slot(message: str, command: Command) -> None:
    known = {"amount": 50, "travel_date": "2026-03-05"}
    assert await read(message, "confirm", current_slots=known) == command


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ("the second one", StartFlow(flow_name="opening_hours")),
        ("2", StartFlow(flow_name="opening_hours")),
        ("opening hours", StartFlow(flow_name="opening_hours")),
        ("1", StartFlow(flow_name="transfer_money")),
        ("none of them", DenyConfirmation()),
    ],
)
async def test_an_offered_flow_is_chosen_by_name_or_place(message: str, command: Command) -> None:
    offered = {"flow_names": ["transfer_money", "opening_hours"]}
    assert await read(message, "disambiguate", data=offered) == command


@pytest.mark.parametrize(
    ("message", "language"),
    [("2", "en"), ("the second one", "en"), ("Second", "en"), ("la segunda", "es"),
     ("No thanks", "en")],
)  # fmt: skip
async def test_a_button_is_pressed_by_its_words_or_its_place(message: str, language: str) -> None:
    offered = [{"label": "Sure", "command": {"type": "AffirmConfirmation"}}]
    offered.append({"label": "No thanks", "command": {"type": "DenyConfirmation"}})
    pressed = await read(message, "confirm", offered=offered, language=language)
    assert pressed == DenyConfirmation()


@pytest.mark.parametrize(
    ("labels", "message", "value"),
    [
        (("0", "1", "2"), "1", "1"),
        (("0", "1", "2"), "the first one", "0"),
        (("two", "one"), "one", "one"),
        (("Small", "Large"), "2", "Large"),
    ],
)
async def test_the_words_on_a_button_come_before_its_place(
    labels: tuple[str, ...], message: str, value: str
) -> None:
    offered = [{"label": label, "value": label} for label in labels]
    pressed = await read(message, "amount", offered=offered)
    assert pressed == SetSlot(slot_name="amount", value=value)


async def test_a_number_presses_no_button_that_is_another_number() -> None:
    offered = [{"label": label, "value": label} for label in ("2", "3", "4")]
    pressed = await read("1", "amount", offered=offered)
    assert pressed == SetSlot(slot_name="amount", value="1")


@pytest.mark.parametrize("asked", ["confirm", "cancel", "urgent"])
@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("no problem", "en"),
        ("No worries!", "en"),
        ("no problem at all", "en"),
        ("no hay problema", "es"),
        ("ningún problema", "es"),
        ("no pasa nada", "es"),
    ],
)
async def test_no_problem_is_neither_yes_nor_no(asked: str, message: str, language: str) -> None:
    assert await all_read(message, asked, language=language) == []


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("no problem, go ahead", "en"),
        ("no worries, yes", "en"),
        ("yes, no worries", "en"),
        ("sí, no hay problema", "es"),
        ("vale, sin problema", "es"),
    ],
)
async def test_a_yes_beside_no_problem_is_one(message: str, language: str) -> None:
    assert await all_read(message, "confirm", language=language) == [AffirmConfirmation()]


async def test_no_problem_is_small_talk_where_something_else_is_asked() -> None:
    assert await all_read("no problem", "travel_date") == [ChitChat()]


async def test_a_greeting_is_small_talk_and_a_question_is_one() -> None:
    assert await read("good morning") == ChitChat()
    assert await read("do transfers cost anything?") == Clarify(topic="do transfers cost anything?")


@pytest.mark.parametrize(
    "message",
    ["change" + " " * 3900 + "x", "the " + "a " * 1900 + "x", "." * 3900 + "x", "to " * 1300],
)
async def test_no_message_keeps_the_reading_busy_for_minutes(message: str) -> None:
    """Every other conversation would wait for it."""
    assert await read(message, "confirm") is None
