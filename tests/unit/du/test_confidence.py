"""How sure the offline understanding says it is: surer of what is plainly right."""

from datetime import UTC, datetime
from typing import Any

from soni.du import DialogueContext, FlowBrief, LocalNLU, NLUOutput, SlotBrief

VISIT = FlowBrief(
    name="book_visit",
    description="I book a visit.",
    examples=("book a visit", "I want to come by", "make an appointment"),
    slots=(
        SlotBrief(name="guest", flow="book_visit", description="Who comes"),
        SlotBrief(name="day", flow="book_visit", type="date", description="The day of the visit"),
    ),
)
MENU = FlowBrief(name="menu", description="I read out the menu.", examples=("what's to eat",))


async def heard(message: str, asked: str | None = None, language: str = "en") -> NLUOutput:
    moment: dict[str, Any] = {}
    if asked is not None:
        moment = {
            "current_flow": "book_visit",
            "expected_slots": VISIT.slots,
            "waiting_for_slot": asked,
            "asked": {"kind": "collect", "prompt": "Please?", "data": {}},
        }
    context = DialogueContext(
        available_flows=(VISIT, MENU),
        now=datetime(2026, 3, 2, 10, tzinfo=UTC),
        language=language,
        **moment,
    )
    return await LocalNLU().understand(message, [], context)


async def surer(one: str, other: str, asked: str | None = None, language: str = "en") -> bool:
    first, second = await heard(one, asked, language), await heard(other, asked, language)
    assert first.commands
    assert second.commands
    return first.confidence > second.confidence


async def test_what_needs_no_guessing_is_certain() -> None:
    assert (await heard("book a visit")).confidence == 1
    assert (await heard("cancel", asked="day")).confidence == 1


async def test_a_sentence_that_was_taken_for_a_name_is_less_sure_than_a_name() -> None:
    story = "dunno yet I would have to ask my sister about that one"
    assert await surer("Maria Olsen", story, asked="guest")


async def test_what_the_slot_will_refuse_is_hardly_what_was_meant() -> None:
    assert await surer("on the 5th I think", "lol you sound like mum", asked="day")


async def test_words_that_nothing_accounts_for_make_it_less_sure() -> None:
    long = "could I come by please, the landlord keeps barking about broken radiators and cats"
    assert await surer("could I come by please", long)


async def test_a_language_without_a_model_is_judged_by_its_words() -> None:
    long = "Ana o Luis, depende de lo que diga mi hermana cuando vuelva de viaje"
    assert await surer("Ana Gil", long, asked="guest", language="es")
