"""settings.versions: which flows a task goes on with after a deployment."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import MemorySaver

from soni.commands import AffirmConfirmation, ChitChat, Command, SetSlot, StartFlow
from soni.core.storage import Store
from soni.persistence import open_store
from tests.conversations.bank import ACTIONS, BANK
from tests.talking import Talk, assistant, talking_to

FOLLOW = "settings: {versions: follow}\n" + BANK
FINISH = "settings: {versions: finish}\n" + BANK

CHANGED = "transfer has changed meanwhile, so I start it again with what you told me."
BOB = SetSlot(slot_name="recipient", value="Bob")


def _start(flow: str = "transfer", **slots: object) -> StartFlow:
    return StartFlow(flow_name=flow, slots=slots)


def _edit(text: str, *edits: tuple[str, str]) -> str:
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return text


RENAMED = ("- collect: recipient", "- {step: ask_who, type: collect, slot: recipient}")
REWORDED = ("Send {amount} to {recipient}?", "Really send {amount} to {recipient}?")
OTHER_WORDS = ('"To whom?"', '"Who gets it?"')


class Deployments:
    """One store that versions of an assistant talk from, one after the other."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def store(self) -> Store:
        return open_store("sqlite", str(self._file))

    async def say(self, yaml: str, *commands: Command, actions: str = ACTIONS) -> list[str]:
        async with self.talk(yaml, actions) as talk:
            return await talk.say("words", *commands)

    def talk(self, yaml: str, actions: str = ACTIONS) -> AbstractAsyncContextManager[Talk]:
        return talking_to(assistant(yaml, actions), store=self.store())


@pytest.fixture
def deployed(tmp_path: Path) -> Deployments:
    return Deployments(tmp_path / "conversations.db")


async def test_open_tasks_follow_the_newest_flows(deployed: Deployments) -> None:
    await deployed.say(FOLLOW, _start(amount=5))
    assert await deployed.say(_edit(FOLLOW, RENAMED), BOB) == [CHANGED, "Send 5 to Bob?"]
    async with deployed.store() as store:
        first, second = await store.versions.list_fingerprints()
        assert not await store.directory.list_conversations(version=first)
        (known,) = await store.directory.list_conversations(version=second)
        assert known.versions == (second,)


async def test_open_tasks_end_on_the_flows_that_they_began_with(deployed: Deployments) -> None:
    new = _edit(FINISH, RENAMED, REWORDED, OTHER_WORDS)
    await deployed.say(FINISH, _start(amount=5))
    assert await deployed.say(new, ChitChat()) == ["I'm here to help.", "To whom?"]
    assert await deployed.say(new, BOB) == ["Send 5 to Bob?"]
    said = await deployed.say(new, AffirmConfirmation())
    assert said == await _finish(FINISH)


async def _finish(yaml: str) -> list[str]:
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("words", _start(amount=5, recipient="Bob"))
        return await talk.say("yes", AffirmConfirmation())


async def test_new_tasks_take_the_newest_flows(deployed: Deployments) -> None:
    new = _edit(FINISH, REWORDED, ("Which city?", "Weather where?"))
    await deployed.say(FINISH, _start(amount=5, recipient="Bob"))
    async with deployed.talk(new) as talk:
        assert await talk.say("weather", _start("weather")) == ["Weather where?"]
        rome = SetSlot(slot_name="city", value="Rome")
        assert await talk.say("Rome", rome) == [
            "It is sunny in Rome.",
            "Back to transfer.",
            "Send 5 to Bob?",
        ]
        await talk.say("yes", AffirmConfirmation())
        said = await talk.say("again", _start(amount=6, recipient="Eve"))
        assert said == ["Really send 6 to Eve?"]
        assert {flow["version"] for flow in talk.state["flow_stack"]} == {
            talk.runtime._engine.versions.today.version
        }


async def test_a_flow_that_is_gone_is_finished(deployed: Deployments) -> None:
    gone = FINISH[: FINISH.index("  transfer:")] + FINISH[FINISH.index("  balance:") :]
    await deployed.say(FINISH, _start(amount=5))
    assert await deployed.say(gone, BOB) == ["Send 5 to Bob?"]
    said = await deployed.say(gone, AffirmConfirmation())
    assert said == await _finish(FINISH)
    assert await deployed.say(gone, _start()) == ["I did not understand that."]


async def test_what_people_say_is_understood_by_the_flows_that_they_are_in(
    deployed: Deployments,
) -> None:
    other = _edit(FINISH, ("values: {main: [current], savings: []}", "values: [salary, shares]"))
    async with deployed.talk(FINISH) as talk:
        assert await talk.say("what is my balance") == ["Which account?"]
    async with deployed.talk(other) as talk:
        assert await talk.say("salary") != ["There are 100 euros in salary."]
        assert await talk.say("the current one") == ["There are 100 euros in main."]
        await talk.say("what is my balance")
        assert await talk.say("salary") == ["There are 100 euros in salary."]


async def test_without_the_function_that_it_needs_a_task_follows_and_says_why(
    deployed: Deployments,
) -> None:
    other = _edit(FINISH, RENAMED, ("- action: send", "- action: pay"))
    await deployed.say(FINISH, _start(amount=5))
    async with deployed.talk(other, ACTIONS.replace("send", "pay")) as talk:
        assert await talk.say("Bob", BOB) == [CHANGED, "Send 5 to Bob?"]
        left = _find_events(talk, "version_left")
        assert [each["flow_name"] for each in left] == ["transfer"]
        assert "send" in left[0]["reason"]
        await talk.say("thanks", ChitChat())
        assert _find_events(talk, "version_left") == []


async def test_a_function_that_takes_something_else_now_cannot_end_the_task(
    deployed: Deployments,
) -> None:
    more = "def send(amount: int, recipient: str, reason: str)"
    actions = _edit(ACTIONS, ("def send(amount: int, recipient: str)", more))
    why = "- {collect: reason, message: Why?}\n      - action: send"
    asks = _edit(FINISH, RENAMED, ("- action: send", why))
    await deployed.say(FINISH, _start(amount=5))
    async with deployed.talk(asks, actions) as talk:
        assert (await talk.say("Bob", BOB))[0] == CHANGED
        assert "reason" in _find_events(talk, "version_left")[0]["reason"]


async def test_without_its_flows_in_the_store_a_task_follows(deployed: Deployments) -> None:
    await deployed.say(FINISH, _start(amount=5))
    async with deployed.store() as store:
        (version,) = await store.versions.list_fingerprints()
        await store.versions.prune()
        assert await store.versions.list_fingerprints() == [version]
        await store._file.write(lambda connection: connection.execute("DELETE FROM versions"))  # type: ignore[attr-defined]
    async with deployed.talk(_edit(FINISH, RENAMED)) as talk:
        assert (await talk.say("Bob", BOB))[0] == CHANGED
        assert _find_events(talk, "version_left")[0]["reason"] == "its flows are no longer kept"


async def test_with_a_checkpointer_of_the_application_a_task_follows() -> None:
    saver = MemorySaver()
    async with talking_to(FINISH, ACTIONS, checkpointer=saver) as talk:
        await talk.say("send 5", _start(amount=5))
    async with talking_to(_edit(FINISH, RENAMED), ACTIONS, checkpointer=saver) as talk:
        assert (await talk.say("Bob", BOB))[0] == CHANGED
        assert _find_events(talk, "version_left")


async def test_a_flow_that_shares_a_changed_slot_stays_with_the_open_task(
    deployed: Deployments,
) -> None:
    """Both ask for the amount, which is now in cents; today's refund could not work with euros."""
    refund = (
        "  refund:\n    trigger: {examples: [refund]}\n    steps:\n"
        '      - collect: amount\n      - say: "Refunded {amount} euros."\n'
    )
    cents = _edit(
        FINISH + refund.replace("euros", "cents"),
        ('prompt: "How much?"', 'prompt: "How many cents?"'),
        REWORDED,
    )
    await deployed.say(FINISH + refund, _start())
    async with deployed.talk(cents) as talk:
        assert await talk.say("refund", _start("refund", amount=3)) == [
            "Refunded 3 euros.",
            "Back to transfer.",
            "How much?",
        ]
        await talk.say("5 to Bob", SetSlot(slot_name="amount", value=5), BOB)
        await talk.say("yes", AffirmConfirmation())
        assert await talk.say("refund", _start("refund", amount=3)) == ["Refunded 3 cents."]


async def test_tasks_of_three_versions_are_open_at_once(deployed: Deployments) -> None:
    second = _edit(FINISH, REWORDED, ("Which city?", "Weather where?"))
    third = _edit(second, ("Weather where?", "What place?"), ("Really send", "Shall I send"))
    await deployed.say(FINISH, _start(amount=5, recipient="Bob"))
    assert await deployed.say(second, _start("weather")) == ["Weather where?"]
    async with deployed.talk(third) as talk:
        assert await talk.say("hm", ChitChat()) == ["I'm here to help.", "Weather where?"]
        rome = SetSlot(slot_name="city", value="Rome")
        assert (await talk.say("Rome", rome))[-1] == "Send 5 to Bob?"


async def test_two_open_tasks_that_need_one_slot_in_two_forms(deployed: Deployments) -> None:
    """Only one of them can have it: the older one does, the other follows."""
    tip = (
        "  tip:\n    trigger: {examples: [tip]}\n    steps:\n"
        '      - collect: amount\n      - say: "Thanks for {amount}."\n'
    )
    cents = ('prompt: "How much?"', 'prompt: "How many cents?"')
    euros = ('prompt: "How much?"', 'prompt: "How many euros?"')
    await deployed.say(FINISH, _start())
    assert await deployed.say(_edit(FINISH + tip, cents), _start("tip")) == ["How much?"]
    async with deployed.talk(_edit(FINISH + tip, euros)) as talk:
        assert await talk.say("hm", ChitChat()) == ["I'm here to help.", "How much?"]
        (left,) = _find_events(talk, "version_left")
        assert left["flow_name"] == "tip"
        assert left["reason"] == "another open task needs slots.amount of a third version"


async def test_versions_are_kept_as_long_as_a_task_needs_them(deployed: Deployments) -> None:
    await deployed.say(FINISH, _start(amount=5))
    async with deployed.store() as store:
        (version,) = await store.versions.list_fingerprints()
        (known,) = await store.directory.list_conversations(version=version)
        assert known.conversation_id == "ann"
    words = [f"Who gets it, number {number}?" for number in range(7)]
    later = [_edit(FINISH, ('"To whom?"', f'"{word}"')) for word in words]
    for yaml in later:
        async with deployed.talk(yaml):
            pass
    async with deployed.talk(later[-1]) as talk:
        kept = await talk.runtime.store.versions.list_fingerprints()
        assert kept[0] == version
        assert len(kept) == 6
        await talk.say("Bob", BOB)
        await talk.say("yes", AffirmConfirmation())
        assert await talk.runtime.prune_versions() == [version]


def _find_events(talk: Talk, name: str) -> list[dict[str, Any]]:
    assert talk.last is not None
    return [each for each in talk.state["turn"]["events"] if each["event"] == name]
