"""What a turn records of the conversation's states."""

from soni.commands import AffirmConfirmation, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK
from tests.talking import Talk, talking_to


def _states(talk: Talk) -> list[str]:
    states: list[str] = talk.state["turn"]["transitions"]
    return states


async def test_every_state_between_two_messages_is_on_record() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow("transfer", {"amount": 5}))
        assert _states(talk) == ["idle", "understanding", "waiting_for_slot"]
        await talk.say("Bob", SetSlot("recipient", "Bob"))
        assert _states(talk) == [
            "waiting_for_slot", "understanding", "validating_slot", "confirming"
        ]  # fmt: skip
        await talk.say("yes", AffirmConfirmation())
        assert _states(talk) == [
            "confirming", "understanding", "executing_action", "completed", "idle"
        ]  # fmt: skip
        entries = await talk.runtime.store.journal.entries("ann")
        assert entries[-1].data["transitions"] == _states(talk)


async def test_while_a_person_has_the_conversation_it_moves_nowhere() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("a person", commands=[{"type": "human_handoff"}])
        assert _states(talk) == ["idle", "understanding", "idle"]
        await talk.say("hello?")
        assert _states(talk) == []
