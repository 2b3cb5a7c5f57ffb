"""Correction by data flow: back exactly as far as needed, and no step further."""

from soni.commands import AffirmConfirmation, CorrectSlot, SetSlot, StartFlow
from tests.talking import talking_to

YES = AffirmConfirmation()
SLOTS = """
slots:
  amount: {type: integer, prompt: "How much?"}
  city: {prompt: "Which city?"}
  vip: {type: boolean, prompt: "VIP?"}
  note: {prompt: "A note?"}
"""
COUNTED = """
from soni import action

@action
def price(city: str) -> dict:
    return {"price": len(city)}

@action
def double(price: int) -> dict:
    return {"twice": price * 2}

@action
def book(city: str) -> dict:
    return {"booked": city}

@action
def log(note: str) -> dict:
    return {}
"""
CONTRACTS = """
actions:
  price: {inputs: [city], outputs: [price], repeatable: true}
  double: {inputs: [price], outputs: [twice], repeatable: true}
  book: {inputs: [city], outputs: [booked], repeatable: false}
  log: {inputs: [note], outputs: [], repeatable: false}
"""


def _yaml(*steps: str) -> str:
    listed = "".join(f"      - {step}\n" for step in steps)
    return f"{SLOTS}{CONTRACTS}\nflows:\n  go:\n    trigger: {{}}\n    steps:\n{listed}"


def _go(**slots: object) -> StartFlow:
    return StartFlow(flow_name="go", slots=slots)


def _correct(slot: str, value: object) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value)


async def test_repeatable_steps_that_read_the_slot_run_again_the_others_do_not() -> None:
    yaml = _yaml(
        "collect: city",
        "action: price",
        "collect: amount",
        'say: "Noted {amount}."',
        "action: double",
        'confirm: "{twice} in {city}?"',
    )
    async with talking_to(yaml, COUNTED) as talk:
        assert await talk.say("go", _go(city="Rome", amount=5)) == ["Noted 5.", "8 in Rome?"]
        said = await talk.say("no, Paris", _correct("city", "Paris"))
        # What was derived is derived anew; what only read the amount is not said again.
        assert said == ["city is now Paris.", "10 in Paris?"]
        assert [name for name, _ in talk.actions] == ["price", "double"]


async def test_steps_that_only_read_another_slot_do_not_run_again() -> None:
    yaml = _yaml("collect: city", "action: price", "collect: amount", 'confirm: "{amount}?"')
    async with talking_to(yaml, COUNTED) as talk:
        await talk.say("go", _go(city="Rome", amount=5))
        said = await talk.say("6", _correct("amount", 6))
        assert said == ["amount is now 6.", "6?"]
        assert talk.actions == []


async def test_what_set_derived_is_derived_anew_through_several_steps() -> None:
    yaml = _yaml(
        "collect: amount",
        'set: {tax: "{{ amount * 2 }}"}',
        'set: {total: "{{ amount + tax }}"}',
        "collect: city",
        'confirm: "{total} for {city}?"',
    )
    async with talking_to(yaml, COUNTED) as talk:
        assert await talk.say("go", _go(amount=5, city="Rome")) == ["15 for Rome?"]
        assert await talk.say("0", _correct("amount", 0)) == ["amount is now 0.", "0 for Rome?"]


async def test_messages_that_showed_the_old_value_are_said_again() -> None:
    yaml = _yaml("collect: city", 'say: "To {city}!"', "collect: amount", 'say: "Bye."')
    async with talking_to(yaml, COUNTED) as talk:
        await talk.say("go", _go(city="Rome"))
        said = await talk.say("no, Paris", _correct("city", "Paris"))
        assert said == ["city is now Paris.", "To Paris!", "How much?"]


async def test_after_a_non_repeatable_action_it_is_too_late_and_nothing_changes() -> None:
    yaml = _yaml("collect: city", "action: book", "collect: amount", 'say: "{city}, {amount}."')
    async with talking_to(yaml, COUNTED) as talk:
        await talk.say("go", _go(city="Rome"))
        said = await talk.say("no, Paris", _correct("city", "Paris"))
        late = "It is too late to change city: that has already been done."
        assert said == [late, "How much?"]
        assert (talk.actions, talk.slots["city"]) == ([], "Rome")
        assert talk.state["command_log"][-1]["result"] == "rejected"


async def test_it_is_too_late_where_only_something_derived_was_used_up() -> None:
    yaml = _yaml("collect: amount", 'set: {note: "{{ amount }}"}', "action: log", "collect: city")
    async with talking_to(yaml, COUNTED) as talk:
        await talk.say("go", _go(amount=5))
        late = "It is too late to change amount: that has already been done."
        assert await talk.say("6", _correct("amount", 6)) == [late, "Which city?"]
        assert talk.slots["amount"] == 5


async def test_a_non_repeatable_action_that_read_something_else_is_no_obstacle() -> None:
    yaml = _yaml(
        "collect: note", "action: log", "collect: amount", "collect: city", 'say: "{amount}."'
    )
    async with talking_to(yaml, COUNTED) as talk:
        await talk.say("go", _go(note="hi", amount=5))
        said = await talk.say("6", _correct("amount", 6))
        assert said == ["amount is now 6.", "Which city?"]
        assert talk.actions == []
        assert await talk.say("Rome", SetSlot(slot_name="city", value="Rome")) == ["6."]


async def test_a_confirmation_given_for_other_values_is_asked_again() -> None:
    yaml = _yaml(
        "collect: amount", 'confirm: "Is it {amount}?"', "collect: city", 'confirm: "{city}?"'
    )
    async with talking_to(yaml, COUNTED) as talk:
        await talk.say("go", _go(amount=5, city="Rome"))
        assert await talk.say("yes", YES) == ["Rome?"]
        assert await talk.say("6", _correct("amount", 6)) == ["amount is now 6.", "Is it 6?"]
        assert await talk.say("yes", YES) == ["Rome?"]


async def test_another_branch_is_taken_and_answers_of_the_first_stay_unused() -> None:
    yaml = _yaml(
        "collect: vip",
        "branch: [{condition: vip, then: ask_note}, {else: ask_city}]",
        "{step: ask_note, type: collect, slot: note, jump_to: sure}",
        "{step: ask_city, type: collect, slot: city}",
        '{step: sure, type: confirm, message: "VIP {vip}?"}',
    )
    async with talking_to(yaml, COUNTED) as talk:
        assert await talk.say("go", _go(vip=True, note="hi")) == ["VIP yes?"]
        said = await talk.say("no vip", _correct("vip", False))
        assert said == ["vip is now no.", "Which city?"]
        assert await talk.say("Rome", SetSlot(slot_name="city", value="Rome")) == ["VIP no?"]
        assert talk.slots["note"] == "hi"
        # And back: the answer is still there.
        assert await talk.say("vip", _correct("vip", True)) == ["vip is now yes.", "VIP yes?"]


async def test_what_the_other_branch_derives_reaches_the_steps_behind_it() -> None:
    yaml = _yaml(
        "collect: amount",
        "branch: [{condition: amount > 100, then: dear}, {else: cheap}]",
        "{step: dear, type: set, values: {fee: 5}, jump_to: tell}",
        "{step: cheap, type: set, values: {fee: 1}}",
        '{step: tell, type: set, values: {text: "{{ fee * 10 }}"}}',
        "collect: city",
        'confirm: "Fee {fee}, {text}?"',
    )
    async with talking_to(yaml, COUNTED) as talk:
        assert await talk.say("go", _go(amount=200, city="Rome")) == ["Fee 5, 50?"]
        said = await talk.say("20", _correct("amount", 20))
        assert said == ["amount is now 20.", "Fee 1, 10?"]
        said = await talk.say("300", _correct("amount", 300))
        assert said == ["amount is now 300.", "Fee 5, 50?"]


async def test_what_only_the_abandoned_branch_derived_is_gone() -> None:
    yaml = _yaml(
        "set: {fee: 0}",
        "collect: amount",
        "branch: [{condition: amount > 100, then: dear}, {else: ask}]",
        "{step: dear, type: set, values: {fee: 5, gift: true}}",
        "{step: ask, type: collect, slot: city}",
        'confirm: "Fee {fee}, gift <{gift}>?"',
    )
    async with talking_to(yaml, COUNTED) as talk:
        assert await talk.say("go", _go(amount=200, city="Rome")) == ["Fee 5, gift <yes>?"]
        said = await talk.say("20", _correct("amount", 20))
        assert said == ["amount is now 20.", "Fee 0, gift <>?"]


async def test_a_guard_that_no_longer_holds_takes_its_value_back() -> None:
    yaml = _yaml(
        "set: {discount: 0}",
        "collect: vip",
        "{step: lower, type: set, values: {discount: 10}, when: vip}",
        'confirm: "Discount {discount}?"',
    )
    async with talking_to(yaml, COUNTED) as talk:
        assert await talk.say("go", _go(vip=True)) == ["Discount 10?"]
        assert await talk.say("no", _correct("vip", False)) == ["vip is now no.", "Discount 0?"]
        said = await talk.say("yes", _correct("vip", True))
        assert said == ["vip is now yes.", "Discount 10?"]


async def test_a_value_derived_from_itself_is_derived_from_its_source_again() -> None:
    yaml = _yaml(
        "set: {total: 100}",
        "collect: amount",
        'set: {total: "{{ total + amount }}"}',
        'confirm: "Total {total}?"',
    )
    async with talking_to(yaml, COUNTED) as talk:
        assert await talk.say("go", _go(amount=5)) == ["Total 105?"]
        assert await talk.say("6", _correct("amount", 6)) == ["amount is now 6.", "Total 106?"]


async def test_a_question_whose_guard_now_holds_is_asked() -> None:
    yaml = _yaml(
        "collect: vip",
        "{step: ask_note, type: collect, slot: note, when: vip}",
        'set: {text: "{{ note }}"}',
        'confirm: "Note <{text}>?"',
    )
    async with talking_to(yaml, COUNTED) as talk:
        assert await talk.say("go", _go(vip=False)) == ["Note <>?"]
        said = await talk.say("vip", _correct("vip", True))
        assert said == ["vip is now yes.", "A note?"]
        assert await talk.say("hi", SetSlot(slot_name="note", value="hi")) == ["Note <hi>?"]


async def test_a_constraint_broken_by_the_correction_asks_for_its_own_slot() -> None:
    yaml = _yaml("collect: amount", "collect: limit", 'confirm: "{amount} of {limit}?"').replace(
        "  city:",
        "  limit:\n    type: integer\n    prompt: 'Which limit?'\n"
        "    constraints: [{if: limit >= amount, message: 'The limit is below {amount}.'}]\n"
        "  city:",
    )
    async with talking_to(yaml, COUNTED) as talk:
        assert await talk.say("go", _go(amount=5, limit=9)) == ["5 of 9?"]
        said = await talk.say("10", _correct("amount", 10))
        assert said == ["amount is now 10.", "The limit is below 10.", "Which limit?"]
        assert talk.slots == {"amount": 10}
        assert await talk.say("12", SetSlot(slot_name="limit", value=12)) == ["10 of 12?"]


async def test_a_correction_that_breaks_its_own_constraint_is_invalid() -> None:
    yaml = _yaml("collect: amount", 'confirm: "{amount}?"').replace(
        'prompt: "How much?"',
        'prompt: "How much?", constraints: [{if: amount > 0, message: "More than 0, please."}]',
    )
    async with talking_to(yaml, COUNTED) as talk:
        await talk.say("go", _go(amount=5))
        assert await talk.say("0", _correct("amount", 0)) == ["More than 0, please.", "5?"]
        assert talk.slots == {"amount": 5}
