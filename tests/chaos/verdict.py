"""What must be so after a chaos run, whatever happened in it."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from soni.core.state import create_initial_state
from soni.core.storage import JournalEntry, Store
from soni.persistence.journal import verify_chain
from tests.chaos.driver import Person


async def judge_run(store: Store, people: Sequence[Person], payments: Path) -> list[str]:
    """Everything that is wrong; nothing, if all is well."""
    paid = Counter(payments.read_text().splitlines() if payments.exists() else [])
    wrong = [f"{key} was paid {times} times" for key, times in paid.items() if times > 1]
    listed = {effect.key for effect in await store.ledger.list_unknown(begun_before=9e12)}
    known = set[str]()
    for person in people:
        entries = await store.journal.entries(person.name)
        verify_chain(entries)
        wrong += _compare_messages(person, entries)
        wrong += await _compare_slots(store, person)
        known |= set(_list_done(person.name, entries))
        # Results that came after their turn was over stay in the ledger.
        late = await store.ledger.list_effects(person.name)
        known |= {effect.key for effect in late if effect.state == "finished"}
    lost = paid.keys() - known - listed
    wrong += [f"{key} was paid and is neither recorded nor listed" for key in lost]
    wrong += [f"{key} is recorded and was not paid" for key in known - paid.keys()]
    return wrong


def _compare_messages(person: Person, entries: Sequence[JournalEntry]) -> list[str]:
    handled = [entry for entry in entries if entry.status == "ok"]
    times = Counter(entry.message_id for entry in handled)
    wrong = [
        f"{message_id} was handled {times[message_id]} times"
        for message_id in person.answers
        if times[message_id] != 1
    ]
    order = [entry.message_id for entry in handled]
    if order != list(person.answers):
        wrong.append(f"{person.name}: the order of messages is {order}")
    recorded = {entry.message_id: entry.data["replies"] for entry in handled}
    wrong += [
        f"{message_id} was answered {said}, and {recorded.get(message_id)} is recorded"
        for message_id, said in person.answers.items()
        if recorded.get(message_id) != said
    ]
    return wrong


async def _compare_slots(store: Store, person: Person) -> list[str]:
    """Compare the slots with those of a conversation without faults."""
    config = {"configurable": {"thread_id": person.name, "checkpoint_ns": ""}}
    stored = await store.checkpointer.aget_tuple(config)
    values = stored.checkpoint["channel_values"] if stored else create_initial_state()
    *_, payee, amount, _ = person.script
    expected = {
        "paid_to": payee.removeprefix("to "),
        "paid_amount": int(amount.removeprefix("no, ")),
    }
    found = values["conversation_slots"]
    if found != expected or values["flow_stack"]:
        return [f"{person.name} ends with {found}, not with {expected}"]
    return []


def _list_done(conversation_id: str, entries: Sequence[JournalEntry]) -> list[str]:
    """The keys of the payments that the journal knows to be done."""
    return [
        f"{conversation_id}/{call['key']}"
        for entry in entries
        if entry.status == "ok"
        for call in entry.data["actions"]
        if "outputs" in call
    ]
