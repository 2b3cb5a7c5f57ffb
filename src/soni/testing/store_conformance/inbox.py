"""What the inbox, the directory and the archive of every store must do."""

from typing import Any

import pytest

from soni.core.storage import ConversationRecord, Receipt, Store, TurnEntry, WaitingMessage
from soni.core.storage_errors import BusyError
from soni.testing.store_conformance.talk import Talk


@pytest.mark.asyncio
class InboxConformance:
    """Messages are known once they are received, and conversations once they are held."""

    async def test_a_message_is_received_once_and_then_known(
        self, talk: Talk, store: Store
    ) -> None:
        assert await store.inbox.receive("ann", "m1") == Receipt("m1", "waiting")
        again = Receipt("m1", "waiting", repeated=True)
        assert await store.inbox.receive("ann", "m1") == again
        assert await store.inbox.find_entry("ann", "m1") is None
        await talk.turn("ann", "hi", message_id="m1")
        assert await store.inbox.receive("ann", "m1") == Receipt("m1", "handled", repeated=True)
        assert await store.inbox.receive("bob", "m1") == Receipt("m1", "waiting")

    async def test_a_handled_message_leads_to_the_entry_of_its_turn(
        self, talk: Talk, store: Store
    ) -> None:
        await store.inbox.receive("ann", "m1")
        await talk.turn("ann", "hi", message_id="m1", joined=("m2",))
        await talk.turn("ann", "Ann", message_id="m3")
        first, second = await store.journal.entries("ann")
        assert await store.inbox.find_entry("ann", "m1") == first
        assert await store.inbox.find_entry("ann", "m2") == first
        assert await store.inbox.find_entry("ann", "m3") == second
        assert await store.inbox.find_entry("ann", "m4") is None
        assert await store.inbox.find_entry("bob", "m1") is None

    async def test_a_message_whose_turn_failed_may_be_sent_again(
        self, talk: Talk, store: Store
    ) -> None:
        await store.inbox.receive("ann", "m1", text="hi")
        async with store.conversation("ann"):
            await store.journal.append("ann", TurnEntry(1, 0.0, {}, message_id="m1"))
        assert await store.inbox.receive("ann", "m1") == Receipt("m1", "failed", repeated=True)
        assert await store.inbox.find_entry("ann", "m1") is None
        assert await store.inbox.list_waiting("ann") == []
        await talk.turn("ann", "hi", message_id="m1")
        assert await store.inbox.find_entry("ann", "m1") is not None

    async def test_waiting_messages_are_listed_in_the_order_of_their_arrival(
        self, talk: Talk, store: Store
    ) -> None:
        for message_id, text in (("z", "one"), ("a", "two"), ("m", "three")):
            await store.inbox.receive("ann", message_id, text=text)
        await store.inbox.receive("bob", "b", text="else")
        await talk.turn("ann", "hi", message_id="a")
        waiting = [WaitingMessage("z", "one"), WaitingMessage("m", "three")]
        assert await store.inbox.list_waiting("ann") == waiting

    async def test_a_new_life_does_not_know_the_messages_of_the_one_before(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi", message_id="m1")
        async with store.conversation("ann") as lease:
            assert lease.life == 0
            await store.forget("ann", TurnEntry(2, 0.0, {}))
        assert await store.inbox.find_entry("ann", "m1") is None
        assert await store.inbox.receive("ann", "m1") == Receipt("m1", "waiting")
        async with store.conversation("ann") as lease:
            assert lease.life == 1

    async def test_every_holder_has_a_greater_token(self, store: Store) -> None:
        tokens = []
        for _ in range(3):
            async with store.conversation("ann") as lease:
                tokens.append(lease.token)
        assert tokens == sorted(set(tokens))

    async def test_one_that_does_not_want_to_wait_is_refused_at_once(self, store: Store) -> None:
        async with store.conversation("ann"):
            with pytest.raises(BusyError, match="'ann' is busy"):
                async with store.conversation("ann", wait=False):
                    raise AssertionError
            async with store.conversation("bob", wait=False):
                pass
        async with store.conversation("ann", wait=False):
            pass

    async def test_the_directory_knows_what_turns_said_of_their_conversations(
        self, talk: Talk, store: Store
    ) -> None:
        assert await store.directory.find("ann") is None
        about = {"user_id": "u1", "due_at": 30.0, "versions": ("v1", "v2")}
        await talk.turn("ann", "hi", at=10.0, **about)
        known = ConversationRecord("ann", "u1", 0, 10.0, 30.0, ("v1", "v2"))
        assert await store.directory.find("ann") == known
        await talk.turn("bob", "hi", at=20.0, user_id="u2", due_at=20.0, versions=("v2",))
        await talk.turn("carl", "hi", at=5.0, user_id="u1", concerns=("u1", "u3"))

        async def listed(**conditions: Any) -> list[str]:
            found = await store.directory.list_conversations(**conditions)
            return [each.conversation_id for each in found]

        assert await listed() == ["ann", "bob", "carl"]
        assert await listed(user_id="u1") == ["ann", "carl"]
        assert await listed(user_id="u3") == ["carl"]
        assert (await store.directory.find("carl")) == ConversationRecord("carl", "u1", 0, 5.0)
        assert await listed(due_before=20.0) == ["bob"]
        assert await listed(due_before=19.0) == []
        assert await listed(version="v2") == ["ann", "bob"]
        assert await listed(version="v1", user_id="u2") == []
        assert await listed(after="ann", limit=1) == ["bob"]
        async with store.conversation("ann"):
            await store.forget("ann", TurnEntry(1, 11.0, {}))
        assert await store.directory.find("ann") == ConversationRecord("ann", "u1", 1, 11.0)

    async def test_flows_are_kept_while_a_conversation_names_them(
        self, talk: Talk, store: Store
    ) -> None:
        versions = store.versions
        for name in ("v1", "v2", "v3"):
            await versions.save(name, {"name": name})
        await versions.save("v1", {"name": "other"})
        assert await versions.load("v1") == {"name": "v1"}
        assert await versions.load("v9") is None
        assert await versions.list_fingerprints() == ["v1", "v2", "v3"]
        await talk.turn("ann", "hi", versions=("v2",))
        assert await versions.prune(keep=["v3"]) == ["v1"]
        assert await versions.list_fingerprints() == ["v2", "v3"]
        await talk.turn("ann", "Ann")
        assert await versions.prune() == ["v2", "v3"]
