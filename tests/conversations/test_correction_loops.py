"""Corrections in and after a loop: the last pass is done again, what earlier ones did stays."""

from soni.commands import CorrectSlot, DenyConfirmation
from tests.talking import talking_to

INVITE = """
slots:
  name: {prompt: Whose name?}
  more: {type: boolean, prompt: Anybody else?}
flows:
  invite:
    trigger: {examples: [invite]}
    steps:
      - set: {names: [], more: true}
      - while: more
        do:
          - collect: name
          - set: {names: "{{ names + [name] }}"}
          - {collect: more, force: true}
      - confirm: "Invite {names}?"
      - say: "Invited {names}."
"""

SEATS = """
slots:
  count: {type: integer, prompt: How many?}
  name: {prompt: "Who sits on {number}?"}
  drink: {prompt: "What does {name} drink?"}
flows:
  seats:
    trigger: {examples: [seats]}
    steps:
      - collect: count
      - set: {names: []}
      - while: len(names) < count
        do:
          - set: {number: "{{ len(names) + 1 }}"}
          - collect: name
          - collect: drink
          - set: {names: "{{ names + [name] }}"}
      - confirm: "Seats for {names}?"
      - say: Done.
"""


def change(slot: str, value: object) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value)


async def test_a_value_that_the_pass_has_computed_with_is_corrected_in_that_pass() -> None:
    async with talking_to(INVITE) as talk:
        for said in ("invite", "Ann", "yes"):
            await talk.say(said)
        assert await talk.say("Bob") == ["Anybody else?"]
        assert await talk.say("no, Rob", change("name", "Rob")) == [
            "name is now Rob.",
            "Anybody else?",
        ]
        assert talk.slots["names"] == ["Ann", "Rob"]
        assert await talk.say("no") == ["Invite Ann, Rob?"]


async def test_after_the_loop_the_last_pass_is_corrected_and_nothing_asked_again() -> None:
    async with talking_to(INVITE) as talk:
        for said in ("invite", "Ann", "yes", "Bob", "no"):
            await talk.say(said)
        assert await talk.say("no, Rob", change("name", "Rob")) == [
            "name is now Rob.",
            "Invite Ann, Rob?",
        ]
        assert await talk.say("yes") == ["Invited Ann, Rob."]


async def test_after_the_loop_a_no_may_ask_for_a_value_of_the_last_pass() -> None:
    async with talking_to(INVITE) as talk:
        for said in ("invite", "Ann", "yes", "Bob", "no"):
            await talk.say(said)
        assert await talk.say("the name", DenyConfirmation(slot_to_change="name")) == [
            "Whose name?"
        ]
        assert await talk.say("Rob") == ["Invite Ann, Rob?"]


async def test_a_loop_that_goes_on_after_a_correction_begins_a_pass_of_its_own() -> None:
    async with talking_to(INVITE) as talk:
        for said in ("invite", "Ann", "no"):
            await talk.say(said)
        assert await talk.say("one more", change("more", True)) == [
            "more is now yes.",
            "Whose name?",
        ]
        await talk.say("Bob")
        assert await talk.say("no") == ["Invite Ann, Bob?"]


async def test_a_higher_number_asks_only_for_what_is_missing() -> None:
    async with talking_to(SEATS) as talk:
        for said in ("seats", "2", "Ann", "tea", "Bob"):
            await talk.say(said)
        assert await talk.say("milk") == ["Seats for Ann, Bob?"]
        assert await talk.say("3", change("count", 3)) == ["count is now 3.", "Who sits on 3?"]
        assert await talk.say("Eve") == ["What does Eve drink?"]
        assert await talk.say("water") == ["Seats for Ann, Bob, Eve?"]


async def test_a_number_corrected_in_the_middle_of_a_pass_leaves_the_pass_where_it_is() -> None:
    async with talking_to(SEATS) as talk:
        for said in ("seats", "2", "Ann", "tea"):
            await talk.say(said)
        assert await talk.say("Bob") == ["What does Bob drink?"]
        assert await talk.say("3", change("count", 3)) == [
            "count is now 3.",
            "What does Bob drink?",
        ]
        assert await talk.say("milk") == ["Who sits on 3?"]


async def test_a_number_that_is_reached_already_ends_the_loop_in_the_middle_of_a_pass() -> None:
    async with talking_to(SEATS) as talk:
        for said in ("seats", "2", "Ann", "tea", "Bob"):
            await talk.say(said)
        assert await talk.say("1", change("count", 1)) == ["count is now 1.", "Seats for Ann?"]


async def test_a_list_that_is_begun_anew_by_a_correction_asks_for_all_of_it() -> None:
    counted = SEATS.replace("set: {names: []}", 'set: {names: [], all: "{{ count }}"}')
    async with talking_to(counted.replace("len(names) < count", "len(names) < all")) as talk:
        for said in ("seats", "2", "Ann", "tea", "Bob", "milk"):
            await talk.say(said)
        assert await talk.say("1", change("count", 1)) == ["count is now 1.", "Who sits on 1?"]
        await talk.say("Eve")
        assert await talk.say("water") == ["Seats for Eve?"]


async def test_two_corrections_of_one_pass_do_not_add_up() -> None:
    async with talking_to(INVITE) as talk:
        for said in ("invite", "Ann", "yes", "Bob"):
            await talk.say(said)
        await talk.say("Rob", change("name", "Rob"))
        await talk.say("Rod", change("name", "Rod"))
        assert await talk.say("no") == ["Invite Ann, Rod?"]
        assert await talk.say("Roy", change("name", "Roy")) == [
            "name is now Roy.",
            "Invite Ann, Roy?",
        ]
