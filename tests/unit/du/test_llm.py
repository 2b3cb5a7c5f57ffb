"""The pieces of understanding by a language model: words of the message, forms, moments."""

import sys
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal

import pytest
from dspy.clients.engines.litellm_engine import LiteLLMEngine
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import TypeAdapter, ValidationError

from soni.commands import CommandHandlerRegistry
from soni.commands.base import Command, CommandHandler, Place
from soni.commands.command_schema import CommandExample, Precondition
from soni.config.settings import Nlu
from soni.core.constants import MASK
from soni.du import DialogueContext, FlowBrief, SlotBrief, SlotExtractor
from soni.du.context import ShownValues, Task
from soni.du.llm.answer_schema import make_commands_type, make_slots_type
from soni.du.llm.client import LanguageModel
from soni.du.llm.grounding import find_copied_words, find_misspelt_words
from soni.du.llm.moment import Moment
from soni.du.llm.signatures import make_understand_demos, make_understand_signature
from soni.du.llm.value_parts import trim_words
from soni.slots import SlotEnv
from tests.model_server import Failing, serving, slots

NOW = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("copy", "message", "said"),
    [
        ("C++", "I write C++ all day", "C++"),
        ("paris, france", "to Paris,  France please", "Paris,  France"),
        ("Great", "Great!", "Great!"),
        ("Great", "  Great!?  ", "Great!?"),
        ("Madrid", "Madrid.", "Madrid"),
        ("Madrid", "is it Madrid?", "Madrid"),
        ('he said "no"', "he said “no”, twice", "he said “no”"),
        ("one two", "one\n two", "one\n two"),
        ("to be … or not", "well, to be, I say, or not", "to be, I say, or not"),
        ("b ... a", "a b", None),
        ("Maria", "to Anna", None),
        ("", "to Anna", None),
        ("...", "well ... no", "..."),
        ("ANNA", "Anna and ANNA", "ANNA"),
        ("4", "453", None),
        ("1", "1,000.5", None),
        ("5", "1,000.5", None),
        ("1", "flat 1, please", "1"),
        ("Ann", "I cannot say", None),
        ("Rome", "to Jerome", None),
        ("Ann", "to Anna, or Ann", "Ann"),
        ("Anna", "Anna's", "Anna"),
        ("kg", "2kg", "kg"),
        ("Jose", "Jose\u0301", None),
        ("\u0410\u043d\u043d\u0430", "\u0416\u0430\u043d\u043d\u0430", None),
        ("\u0391\u03bd\u03bd\u03b1", "\u0391\u03bd\u03bd\u03b1;", "\u0391\u03bd\u03bd\u03b1"),
        ("Tokyo", "Tokyo\u306b\u884c\u304f", "Tokyo"),
        ("\u6771\u4eac", "\u6771\u4eac\u306b\u884c\u304f", "\u6771\u4eac"),
        ("C", "the C++ one", "C++"),
        ("f", "in F#, please", "F#"),
        ("C", "C and C++", "C"),
        ("A", "A+B", "A"),
        ("5", "5+", "5+"),
    ],
)
def test_a_copy_becomes_the_words_of_the_message(copy: str, message: str, said: str | None) -> None:
    assert find_copied_words(copy, message) == said


@pytest.mark.parametrize(
    ("copy", "message"),
    [
        ("the first words ... the last", "The first words and others and the last!"),
        ("the first words ... the last!", "The first words, so much more, the last!"),
        ("So... it never came ... gone", "So... it never came, and now it is gone"),
        ("It came ... then... no more", "It came, broke and then... no more"),
    ],
)
def test_a_copy_of_the_two_ends_becomes_the_whole(copy: str, message: str) -> None:
    assert find_copied_words(copy, message) == message


@pytest.mark.parametrize(
    ("mended", "message", "said"),
    [
        ("Malaga", "to Málaga!", "Málaga"),
        ("my friend", "for my freind, then", "my freind"),
        ("New York", "newyork please", "newyork"),
        ("New-York", "from new york", "new york"),
        ("Rome", "send it home", None),
        ("flat 12", "flat 13", None),
        ("Anna", "", None),
        ("", "to Anna", None),
        ("?!", "to Anna", None),
    ],
)
def test_a_spelling_that_a_model_has_mended_becomes_the_persons_own(
    mended: str, message: str, said: str | None
) -> None:
    assert find_misspelt_words(mended, message) == said


@pytest.mark.parametrize(
    ("kind", "words", "value"),
    [
        ("number", "50", "50"),
        ("number", "50 to Bob", "50"),
        ("date", "as soon as possible, so today", "today"),
        ("email", "write to ann@example.com.", "ann@example.com"),
        ("number", "a lot", "a lot"),
        ("string", "50 to Bob", "50 to Bob"),
        ("number", "one two three four five six seven eight nine ten or eleven or so 50", None),
        ("plugin", "anything at all", "anything at all"),
        ("choice", "my current account", "current"),
    ],
)
def test_words_around_a_value_are_left_out(kind: str, words: str, value: str | None) -> None:
    values = {"checking": ("current",)} if kind == "choice" else {}
    slot = SlotBrief(name="s", flow="pay", type=kind, values=values)
    env = SlotEnv(now=NOW, language="en")
    read = trim_words(words, slot, env)
    assert read == value if value is not None else len(read) < len(words)


def moment(**given: Any) -> Moment:
    flows = (
        FlowBrief(name="pay", description="Pay a bill", examples=("pay", "settle", "a", "b")),
        FlowBrief(name="title", description="Change the title"),
    )
    history = given.pop("history", ())
    context = DialogueContext(now=NOW, available_flows=flows, **given)
    return Moment(context, flows, history)


def test_the_moment_is_told_with_what_lasts_first_and_data_in_quotes() -> None:
    told = moment(
        current_flow="pay",
        current_slots={"amount": 5},
        paused_flows=("title",),
        expected_slots=(
            SlotBrief(name="amount", flow="pay", type="number", description="How much"),
            SlotBrief(name="way", flow="pay", type="choice", values={"cash": (), "card": ()}),
        ),
        waiting_for_slot="way",
        asked={"kind": "collect", "prompt": 'Which "way"?', "data": {"options": ["x"]}},
        history=(HumanMessage("I'd\nlike to pay"), AIMessage("Which way?")),
    )
    assert str(told) == (
        "Flows that can start:\n"
        '- pay: Pay a bill; such as ["pay", "settle"]\n'
        "- title: Change the title\n"
        "Open flow: pay\n"
        "Paused flows: title\n"
        "Slots:\n"
        '- way (choice); one of ["cash", "card"]\n'
        "- amount (number): How much\n"
        'Filled so far: {"amount": 5}\n'
        'Person said: "I\'d\\nlike to pay"\n'
        'Assistant said: "Which way?"\n'
        'Question that is open: "Which \\"way\\"?", asks for way, offers ["x"]'
    )


def test_the_open_question_is_told_once() -> None:
    told = moment(
        asked={"kind": "collect", "prompt": "How much?"},
        history=(HumanMessage("pay"), AIMessage("How much?")),
    )
    assert str(told).count("How much?") == 1


def test_long_messages_of_the_past_are_cut() -> None:
    told = str(moment(history=(HumanMessage("x" * 1000),)))
    assert f'Person said: "{"x" * 300} ..."' in told


@pytest.mark.parametrize(
    ("asked", "types", "yes_or_no"),
    [
        ({"kind": "confirm", "prompt": "Really?"}, (), True),
        ({"kind": "disambiguate", "prompt": "Which?"}, (), True),
        ({"kind": "collect", "prompt": "Fast?"}, ("boolean",), True),
        ({"kind": "collect", "prompt": "How much?"}, ("number",), False),
        ({"kind": "open", "prompt": "Anything else?"}, (), True),
        (None, (), False),
    ],
)
def test_yes_is_an_answer_only_where_it_can_be_one(
    asked: Any, types: tuple[str, ...], yes_or_no: bool
) -> None:
    briefs = tuple(SlotBrief(name="s", flow="pay", type=kind) for kind in types)
    told = moment(asked=asked, expected_slots=briefs, waiting_for_slot="s" if types else None)
    assert (Precondition.YES_OR_NO in told.choices.given) is yes_or_no


def test_a_value_that_was_not_said_is_meant_only_where_it_is_known_or_asked() -> None:
    city = SlotBrief(name="city", flow="pay")
    told = moment(
        current_slots={"city": "Rome", "home": "Oslo"},
        shown=ShownValues(offered={"city": "Bari", "street": "Main"}),
        others=(Task(flow="title", slots={"to": "Paris"}),),
        asked={"kind": "confirm", "prompt": "From Turin?"},
    )
    can = [v for v in ("Rome", "Oslo", "Bari", "Main", "Paris", "Turin", "Lima")
           if told.may_mean(v, city)]  # fmt: skip
    assert can == ["Oslo", "Bari", "Paris", "Turin"]


def test_a_typed_value_is_known_however_a_model_writes_it() -> None:
    price = SlotBrief(name="price", flow="pay", type="money")
    told = moment(
        current_slots={"price": {"amount": 5, "currency": "EUR"}},
        others=(Task(flow="title", slots={"fee": {"amount": 50, "currency": "EUR"}, "to": None}),),
    )
    can = [v for v in ("€50", "50 EUR", "€5", "€51", "None") if told.may_mean(v, price)]
    assert can == ["€50", "50 EUR"]


def test_slots_have_the_values_that_they_can_have() -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(
        make_slots_type(
            [
                SlotBrief(name="way", flow="pay", type="choice", values={"cash": (), "card": ()}),
                SlotBrief(name="fast", flow="pay", type="boolean"),
                SlotBrief(name="title", flow="pay"),
            ]
        )
    )
    adapter.validate_python([{"slot": "way", "said": "notes", "value": "cash"}])
    adapter.validate_python([{"slot": "fast", "said": "quick", "value": True}])
    adapter.validate_python([{"slot": "title", "said": "The Title"}])
    for wrong in (
        {"slot": "way", "said": "gold", "value": "gold"},
        {"slot": "title", "said": "x", "value": "y"},
        {"slot": "price", "said": "1"},
        {"slot": "fast", "said": "quick"},
    ):
        with pytest.raises(ValidationError):
            adapter.validate_python([wrong])


def test_a_stored_value_is_told_as_people_write_it() -> None:
    price = SlotBrief(name="price", flow="pay", type="money")
    told = moment(
        current_flow="pay",
        current_slots={"price": {"amount": 50, "currency": "EUR"}},
        expected_slots=(price,),
    )
    assert 'Filled so far: {"price": "€50' in str(told)


def test_an_amount_that_is_hidden_can_be_told() -> None:
    price = SlotBrief(name="price", flow="pay", type="money")
    told = moment(
        current_flow="pay",
        current_slots={"price": {"amount": MASK, "currency": "EUR"}},
        expected_slots=(price,),
    )
    assert f'Filled so far: {{"price": "{MASK}"}}' in str(told)


async def test_what_is_known_of_another_task_may_be_meant() -> None:
    flow = FlowBrief(
        name="hotel",
        description="Book a hotel",
        slots=(SlotBrief(name="city", flow="hotel"), SlotBrief(name="nights", flow="hotel")),
    )
    with serving(slots(city="Paris", nights="Rome")) as model:
        client = LanguageModel(Nlu(model="tiny", base_url=model.url))
        told = moment(others=(Task(flow="flight", slots={"to": "Paris"}),))
        with client.count_usage():
            read = await SlotExtractor().acall(flow=flow, moment=told, message="a hotel there")
        await client.aclose()
        assert read.slots == {"city": "Paris"}
        assert 'Known of flight: {"to": "Paris"}' in model.prompts[0]


async def test_what_is_no_number_and_what_is_picked_from_a_list_is_not_read_at_the_start() -> None:
    flow = FlowBrief(
        name="pay",
        description="Pay a bill",
        slots=(
            SlotBrief(name="amount", flow="pay", type="number"),
            SlotBrief(name="bill", flow="pay", type="object"),
        ),
    )
    with serving(slots(amount="some cash")) as model:
        client = LanguageModel(Nlu(model="tiny", base_url=model.url))
        with client.count_usage():
            message = "pay some cash for the water"
            read = await SlotExtractor().acall(flow=flow, moment=moment(), message=message)
        await client.aclose()
        assert read.slots == {}
        assert "- amount (number)" in model.prompts[0]
        assert "- bill (object)" not in model.prompts[0]


async def test_a_text_is_asked_for_again_when_the_server_wants_it_and_later_each_time() -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    busy = [Failing(429, again="7"), Failing(503, again=None), Failing(503, again=None)]
    with serving(*busy, "Cats are soft") as model:
        client = LanguageModel(Nlu(model="tiny", base_url=model.url, retries=3), sleep=sleep)
        written = await client.write_text("Write.", "About cats.", lambda piece: None)
        await client.aclose()
    assert (written.text, written.usage.calls) == ("Cats are soft", 4)
    assert waited == [7, 2, 4]


def test_a_model_that_dspy_does_not_know_is_left_to_litellm_which_is_not_imported_yet() -> None:
    client = LanguageModel(Nlu(model="watsonx/granite", temperature=None))
    assert isinstance(client.lm.engine, LiteLLMEngine)
    assert "litellm" not in sys.modules


class Whistle(Command):
    """The user whistles a tune; nobody listens."""

    place: ClassVar[Place] = Place.DIGRESS
    said: ClassVar[tuple[CommandExample, ...]] = (CommandExample("fiu fiu", {"tune": "fiu"}),)

    type: Literal["Whistle"] = "Whistle"
    tune: str


def test_a_new_command_needs_no_prompt_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    class WhistleHandler(CommandHandler[Whistle]):
        command = Whistle

        def review(self, command: Whistle, others: Any, situation: Any) -> Any: ...

        async def execute(self, command: Whistle, state: Any, context: Any) -> Any: ...

    known = CommandHandlerRegistry.discover()
    handlers = {name: known.get_handler(name) for name in known}
    more = CommandHandlerRegistry({**handlers, "Whistle": WhistleHandler()})
    monkeypatch.setattr(CommandHandlerRegistry, "discover", classmethod(lambda cls: more))
    make_commands_type.cache_clear()
    try:
        assert "\n- Whistle: The user whistles a tune\n" in make_understand_signature().instructions
        shown = [demo for demo in make_understand_demos() if demo["message"] == "fiu fiu"]
        assert shown[0]["commands"] == [{"type": "Whistle", "tune": "fiu"}]
        adapter: TypeAdapter[Any] = TypeAdapter(make_commands_type(moment().choices))
        read = adapter.validate_python([{"type": "Whistle", "tune": "la la"}])
        assert read[0].tune == "la la"
    finally:
        make_commands_type.cache_clear()


def test_every_command_says_what_it_means_and_how_people_say_it() -> None:
    registry = CommandHandlerRegistry.discover()
    for name in registry:
        command = registry.get_handler(name).command
        assert command.__doc__
        assert command.said
        for said in command.said:
            assert set(said.fields) <= set(command.model_fields)
