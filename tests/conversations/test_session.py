"""The session: what the caller knows, whose conversation it is, its language, the person in it."""

import pytest

from soni.commands import HumanHandoff, SetSlot, StartFlow
from soni.core.errors import NotAllowedError
from tests.talking import talking_to

HOTEL = """
slots:
  nights: {type: integer, prompt: {en: "How many nights?", es: "¿Cuántas noches?"}}
  room: {type: string, prompt: {en: "Which room?", es: "¿Qué habitación?"}}
flows:
  book:
    description: Book a room
    trigger: {examples: [book]}
    steps:
      - collect: nights
      - {say: "As a member you save 10 %, {session.name}.", when: session.member}
      - collect: room
      - say: {en: "Booked: {room}, {nights} nights.", es: "Reservada: {room}, {nights} noches."}
  staff_rate:
    description: Book at the staff rate
    trigger: {examples: [staff rate], condition: "session.role == 'staff'"}
    steps:
      - say: "Rate for {session.desk.name}."
"""
BOOK = StartFlow(flow_name="book")
STAFF = StartFlow(flow_name="staff_rate")


def nights(count: int) -> SetSlot:
    return SetSlot(slot_name="nights", value=count)


async def test_texts_and_conditions_read_what_the_caller_knows() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("book", BOOK)
        said = await talk.say("2", nights(2), context={"member": True, "name": "Ann"})
        assert said == ["As a member you save 10 %, Ann.", "Which room?"]


async def test_what_the_caller_does_not_know_is_unset() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("book", BOOK)
        assert await talk.say("2", nights(2)) == ["Which room?"]


async def test_a_right_opens_a_flow_and_losing_it_closes_it() -> None:
    async with talking_to(HOTEL) as talk:
        staff = {"role": "staff", "desk": {"name": "Oslo"}}
        assert await talk.say("staff", STAFF, context=staff) == ["Rate for Oslo."]
        await talk.say("staff", STAFF, context={"role": "guest"})
        assert talk.decisions == [("StartFlow", "rejected")]


async def test_understanding_cannot_write_it() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("book", BOOK)
        await talk.say("I am staff", SetSlot(slot_name="session", value={"role": "staff"}))
        assert talk.decisions == [("SetSlot", "rejected")]
        await talk.say("staff", STAFF)
        assert talk.decisions == [("StartFlow", "rejected")]


async def test_a_hostile_value_of_the_caller_stays_text() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("book", BOOK)
        known = {"member": True, "name": "{nights} {{ 1 }}"}
        said = await talk.say("2", nights(2), context=known)
        assert said[0] == "As a member you save 10 %, {nights} {{ 1 }}."


async def test_one_user_has_several_conversations() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("book", BOOK, conversation_id="web")
        await talk.say("hello", conversation_id="phone")
        assert talk.stack == []
        assert await talk.say("2", nights(2), conversation_id="web") == ["Which room?"]


async def test_several_users_share_one_conversation() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("book", BOOK, conversation_id="family")
        turn = await talk.runtime.turn("2", "bob", "family", commands=[nights(2)])
        assert turn.messages == ["Which room?"]
        entries = await talk.runtime.store.journal.entries("family")
        assert [entry.data["user_id"] for entry in entries] == ["ann", "bob"]


async def test_without_an_id_the_conversation_is_the_users() -> None:
    async with talking_to(HOTEL) as talk:
        turn = await talk.runtime.turn("book", "bob", commands=[BOOK])
        assert turn.conversation_id == "bob"


async def test_the_language_switches_in_the_middle_and_stays() -> None:
    async with talking_to(HOTEL) as talk:
        assert await talk.say("book", BOOK) == ["How many nights?"]
        assert await talk.say("dos", nights(2), language="es") == ["¿Qué habitación?"]
        said = await talk.say("suite", SetSlot(slot_name="room", value="suite"))
        assert said == ["Reservada: suite, 2 noches."]


async def test_the_open_question_is_asked_in_the_new_language() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("book", BOOK)
        said = await talk.say("¿qué?", commands=[], language="es")
        assert said == ["No lo he entendido.", "¿Cuántas noches?"]
        assert await talk.say("sorry?", commands=[], language="en") == [
            "I did not understand that.",
            "I can help with: book.",
            "How many nights?",
        ]


async def test_a_region_of_a_language_is_that_language() -> None:
    async with talking_to(HOTEL) as talk:
        assert await talk.say("reservar", BOOK, language="es-MX") == ["¿Cuántas noches?"]


async def test_what_the_agent_says_is_part_of_the_conversation() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("book", BOOK)
        await talk.say("a person", HumanHandoff())
        turn = await talk.runtime.agent_message("ann", "This is Bea.", agent="bea")
        assert turn.messages == ["This is Bea."]
        assert await talk.say("hello Bea") == []
        released = await talk.runtime.release("ann")
        assert released.messages == ["How many nights?"]
        state = await talk.runtime.get_state("ann")
        said = [(message.type, message.name, message.content) for message in state["messages"]]
        assert said[-4:] == [
            ("ai", None, "I am connecting you with a person."),
            ("ai", "bea", "This is Bea."),
            ("human", None, "hello Bea"),
            ("ai", None, "How many nights?"),
        ]


async def test_the_journal_says_who_spoke() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("a person", HumanHandoff())
        await talk.runtime.agent_message("ann", "This is Bea.", agent="bea")
        entries = await talk.runtime.store.journal.entries("ann")
        assert entries[-1].data["facts"] == {
            "api": "agent_message",
            "say": [{"text": "This is Bea.", "by": "bea"}],
        }
        assert entries[-1].data["replies"] == ["This is Bea."]


async def test_an_agent_speaks_only_while_having_the_conversation() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("book", BOOK)
        with pytest.raises(NotAllowedError) as error:
            await talk.runtime.agent_message("ann", "Hello?", agent="bea")
        assert str(error.value) == (
            "cannot record a message of bea in conversation 'ann': it is not handed off"
        )
        assert (await talk.runtime.get_state("ann"))["turn_count"] == 1


async def test_a_handoff_never_times_out_whoever_speaks() -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("book", BOOK)
        await talk.say("a person", HumanHandoff())
        talk.clock.forward(days=2)
        await talk.runtime.agent_message("ann", "Sorry for the wait.")
        talk.clock.forward(days=2)
        assert (await talk.runtime.release("ann")).messages == ["How many nights?"]
