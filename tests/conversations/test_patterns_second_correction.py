"""One correction after another: what the first set in motion, the second must not lose."""

from soni.commands import AffirmConfirmation, CorrectSlot, SetSlot, StartFlow
from tests.talking import talking_to

YES = AffirmConfirmation()
SLOTS = """
slots:
  amount: {type: integer, prompt: "How much?"}
  city: {prompt: "Which city?"}
  vip: {type: boolean, prompt: "VIP?"}
  note: {prompt: "A note?"}
actions:
  book: {inputs: [city], outputs: [], repeatable: false}
"""
ACTIONS = """
from soni import action

@action
def book(city: str) -> dict:
    return {}
"""


def _yaml(*steps: str) -> str:
    listed = "".join(f"      - {step}\n" for step in steps)
    return f"{SLOTS}\nflows:\n  go:\n    trigger: {{}}\n    steps:\n{listed}"


def _go(**slots: object) -> StartFlow:
    return StartFlow(flow_name="go", slots=slots)


def _correct(slot: str, value: object) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value)


TWO = _yaml(
    "collect: city",
    'set: {big: "{{ upper(city) }}"}',
    "collect: amount",
    'set: {twice: "{{ amount * 2 }}"}',
    'confirm: "{twice} in {big}?"',
)


async def test_two_corrections_in_one_message_both_reach_what_was_derived() -> None:
    for order in (1, -1):
        async with talking_to(TWO, ACTIONS) as talk:
            assert await talk.say("go", _go(city="Rome", amount=5)) == ["10 in ROME?"]
            two = [_correct("city", "Oslo"), _correct("amount", 6)][::order]
            said = await talk.say("6 in Oslo", *two)
            assert said[-1] == "12 in OSLO?"
            assert len(said) == 3


async def test_two_corrections_in_a_row_both_reach_what_was_derived() -> None:
    async with talking_to(TWO, ACTIONS) as talk:
        await talk.say("go", _go(city="Rome", amount=5))
        assert (await talk.say("Oslo", _correct("city", "Oslo")))[-1] == "10 in OSLO?"
        assert (await talk.say("6", _correct("amount", 6)))[-1] == "12 in OSLO?"
        assert (await talk.say("Bonn", _correct("city", "Bonn")))[-1] == "12 in BONN?"


async def test_a_question_raised_by_the_first_is_not_passed_by_the_second() -> None:
    yaml = _yaml(
        "collect: vip",
        "branch: [{condition: vip, then: ask_note}, {else: ask_city}]",
        "{step: ask_note, type: collect, slot: note}",
        "{step: ask_city, type: collect, slot: city}",
        'set: {big: "{{ upper(city) }}"}',
        'confirm: "{note} in {big}?"',
    )
    async with talking_to(yaml, ACTIONS) as talk:
        assert await talk.say("go", _go(vip=False, city="Rome")) == [" in ROME?"]
        assert (await talk.say("vip", _correct("vip", True)))[-1] == "A note?"
        # The city is corrected while the note is asked: the note is still needed.
        said = await talk.say("Oslo", _correct("city", "Oslo"))
        assert said == ["city is now Oslo.", "A note?"]
        assert await talk.say("hi", SetSlot(slot_name="note", value="hi")) == ["hi in OSLO?"]


async def test_a_correction_never_leads_into_a_branch_that_was_abandoned() -> None:
    yaml = _yaml(
        "collect: vip",
        "collect: city",
        "branch: [{condition: vip, then: grand}, {else: plain}]",
        '{step: grand, type: say, message: "A suite in {city}.", jump_to: sure}',
        '{step: plain, type: say, message: "A room in {city}."}',
        '{step: sure, type: confirm, message: "Book {city}?"}',
    )
    async with talking_to(yaml, ACTIONS) as talk:
        assert await talk.say("go", _go(vip=True, city="Rome")) == [
            "A suite in Rome.",
            "Book Rome?",
        ]
        said = await talk.say("no vip", _correct("vip", False))
        assert said == ["vip is now no.", "A room in Rome.", "Book Rome?"]
        said = await talk.say("Oslo", _correct("city", "Oslo"))
        assert said == ["city is now Oslo.", "A room in Oslo.", "Book Oslo?"]


async def test_a_yes_given_before_the_first_correction_is_not_lost_by_the_second() -> None:
    yaml = _yaml(
        "collect: amount",
        'confirm: "Pay {amount}?"',
        "collect: city",
        'say: "Going to {city}."',
        "collect: note",
        'confirm: "All of it?"',
    )
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("go", _go(amount=5, city="Rome", note="hi"))
        assert await talk.say("yes", YES) == ["Going to Rome.", "All of it?"]
        said = await talk.say("Oslo", _correct("city", "Oslo"))
        assert said == ["city is now Oslo.", "Going to Oslo.", "All of it?"]
        said = await talk.say("Bonn", _correct("city", "Bonn"))
        assert said == ["city is now Bonn.", "Going to Bonn.", "All of it?"]


async def test_it_stays_too_late_for_what_was_done_before_the_first_correction() -> None:
    yaml = _yaml(
        "collect: amount",
        'set: {twice: "{{ amount * 2 }}"}',
        "collect: city",
        "action: book",
        "{step: ask_vip, type: collect, slot: vip, when: amount > 100}",
        "collect: note",
    )
    async with talking_to(yaml, ACTIONS) as talk:
        assert await talk.say("go", _go(amount=5, city="Rome")) == ["A note?"]
        assert (await talk.say("500", _correct("amount", 500)))[-1] == "VIP?"
        late = "It is too late to change city: that has already been done."
        assert await talk.say("Oslo", _correct("city", "Oslo")) == [late, "VIP?"]
        assert (talk.slots["city"], talk.actions) == ("Rome", [])


async def test_the_same_correction_twice_changes_nothing_the_second_time() -> None:
    async with talking_to(TWO, ACTIONS) as talk:
        await talk.say("go", _go(city="Rome", amount=5))
        await talk.say("6", _correct("amount", 6))
        assert await talk.say("6", _correct("amount", 6)) == ["12 in ROME?"]
