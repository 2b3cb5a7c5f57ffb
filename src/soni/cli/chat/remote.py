"""RemotePartner: an assistant behind a server of `soni serve`."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import typer
from rich.text import Text

from soni.cli.chat.history import LineHistory, write_private
from soni.cli.chat.partner import Notice, Said, Standing, Utterance, View
from soni.cli.chat.server_client import ServerClient, ServerError

DELAYS: Final = (0.5, 1.0, 2.0, 4.0)
"""Seconds before a message is sent once more."""

LONGEST_WAIT: Final = 15.0
_PAGE: Final = 200
_BEGINNING: Final = "0:0"
"""The event before the first, so that nothing is missed while the stream is not there yet."""

_DESK: Final = "desk"
_HANDED_OFF = (
    "A person has this conversation now; what they say appears here. With the role `agent` "
    "/desk TEXT answers as that person and /release gives it back; /reset begins anew."
)
_GONE = "The conversation of before is not there any more; a new one begins."


def find_folder() -> Path:
    """Where conversations with servers are kept, for whoever uses this machine."""
    return Path(typer.get_app_dir("soni"))


def open_history(url: str, user: str) -> LineHistory:
    """What was typed to a server before."""
    return LineHistory(find_folder() / "history.jsonl", f"{url} {user}")


class RemotePartner:
    """An assistant behind a server. With `keeps`, the conversation is found again the next time."""

    leaving = ""
    opens_quickly = True

    def __init__(self, url: str, user: str, key: str | None, *, keeps: bool) -> None:
        self._client = ServerClient(url, key)
        self._key = key
        self._name_kept = f"{self._client.url} {user}"
        self._file = find_folder() / "conversations.json" if keeps else None
        self._path = ""
        self._last_event = _BEGINNING
        self._sent: set[str] = set()
        self._unsent: tuple[str, str] | None = None
        self._is_followed = False
        self.name = self._client.url
        self.views: dict[str, tuple[str, View]] = {
            "/inspect": ("what is open, known and waited for", self._inspect),
            "/why": ("what the last message led to, and why", self._explain_message),
        }

    async def open(self) -> Standing:
        """Find the conversation of before, or open one."""
        kept = self._read_kept().get(self._name_kept)
        if isinstance(kept, dict) and isinstance(kept.get("id"), str):
            self._use_conversation(kept["id"], kept.get("token"))
            try:
                return await self._describe_standing(question=await self._read_last())
            except ServerError as error:
                # 401: its token counts no longer. With a key that is another matter.
                if error.status != 404 and (error.status != 401 or self._key):
                    raise
            await self._open_new()
            return Standing(is_begun=False, notice=_GONE)
        await self._open_new()
        return Standing(is_begun=False)

    async def prepare(self) -> None:
        """The server has loaded its models."""

    async def listen(self) -> AsyncIterator[Said]:
        """What others say, until the chat ends. A stream that breaks is taken up again."""
        self._is_followed, is_broken = True, False
        while True:
            try:
                events = self._client.stream_events(
                    "GET", f"{self._path}/events", last_event=self._last_event
                )
                async for name, message in events:
                    is_broken = False
                    if name != "message":
                        continue
                    self._last_event = message["id"]
                    if message.get("message_id") not in self._sent:
                        yield _describe_message(message)
            except ServerError as error:
                if not error.is_passing:
                    yield Notice(f"What others say is not shown any more. {error}")
                    return
                if not is_broken:
                    yield Notice(f"{error} What others say appears when it answers again.")
                is_broken = True
            await asyncio.sleep(DELAYS[1])

    async def send(self, text: str) -> AsyncIterator[Said]:
        """Send a message, with the same id until it is answered."""
        unsent, self._unsent = self._unsent, None
        # Somebody who sends the line again that failed wants one answer, not two.
        message_id = unsent[1] if unsent and unsent[0] == text else f"chat-{uuid4().hex}"
        self._sent.add(message_id)
        shown, reason = 0, ""
        for delay in (*DELAYS, None):
            try:
                place = 0
                async for said in self._try_to_send(text, message_id):
                    place += 1
                    if place > shown:
                        yield said
                        shown = place
                yield await self._describe_standing(stored=await self._find_stored(message_id))
                return
            except ServerError as error:
                if delay is None or not error.is_passing:
                    self._unsent = (text, message_id)
                    raise
                wait = min(error.wait or delay, LONGEST_WAIT)
                if error.reason != reason:
                    reason = error.reason
                    yield Notice(f"{self._client.url}: {reason}. Trying again; Ctrl-C leaves.")
                await asyncio.sleep(wait)

    async def _try_to_send(self, text: str, message_id: str) -> AsyncIterator[Said]:
        """What is said in answer, all of it in order."""
        body = {"text": text, "message_id": message_id}
        told = 0
        async for name, data in self._client.stream_events(
            "POST", f"{self._path}/messages", json=body
        ):
            if name == "message":
                told += 1
                yield Utterance(data["text"])
            elif name == "turn":
                for reply in data["replies"][told:]:
                    yield Utterance(reply["text"])
                return
            elif name == "error":
                raise self._client.explain_problem(data)
        raise ServerError(self._client.url, "the answer broke off", "Send it again")

    async def speak_as_person(self, text: str) -> AsyncIterator[Said]:
        """Say something as a person of the desk."""
        message_id = f"desk-{uuid4().hex}"
        self._sent.add(message_id)
        body = {"text": text, "message_id": message_id}
        turn = await self._client.request("POST", f"{self._path}/handoff/messages", json=body)
        for reply in turn["replies"]:
            yield Utterance(reply["text"], _DESK)

    async def release(self) -> AsyncIterator[Said]:
        """Give the conversation back to the assistant."""
        turn = await self._client.request("POST", f"{self._path}/handoff/release")
        if not self._is_followed:
            for reply in turn["replies"]:
                yield Utterance(reply["text"])
        yield await self._describe_standing()

    async def reset(self) -> None:
        """Forget the conversation."""
        await self._client.request("DELETE", self._path)

    async def close(self) -> None:
        """Nothing waits: the server finishes what it has begun."""
        await self._client.close()

    def _use_conversation(self, name: str, token: Any) -> None:
        self._path = f"/api/conversations/{name}"
        self._last_event = _BEGINNING
        if self._key is None and isinstance(token, str):
            self._client.credential = token

    async def _open_new(self) -> None:
        self._client.credential = self._key
        opened = await self._client.request("POST", "/api/conversations")
        self._use_conversation(opened["id"], opened.get("token"))
        if self._file is not None:
            kept = {**self._read_kept(), self._name_kept: opened}
            # Where nothing can be written the conversation lasts as long as the chat.
            with suppress(OSError):
                write_private(self._file, json.dumps(kept))

    def _read_kept(self) -> dict[str, Any]:
        if self._file is None:
            return {}
        with suppress(OSError, ValueError):
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            return kept if isinstance(kept, dict) else {}
        return {}

    async def _describe_standing(
        self, *, stored: str | None = None, question: str | None = None
    ) -> Standing:
        """Where the conversation stands now."""
        body = await self._client.request("GET", self._path)
        waiting = body["waiting"] or {}
        return Standing(
            is_begun=bool(body["turn"]),
            question=question if waiting else None,
            options=tuple(waiting.get("options") or ()),
            handoff=_HANDED_OFF if body["handed_off"] else None,
            stored=stored,
        )

    async def _read_last(self) -> str | None:
        """The last words of before; what follows them is heard as news."""
        text = None
        async for message in self._iter_messages(0):
            self._last_event = message["id"]
            text = message["text"]
        return text

    async def _find_stored(self, message_id: str) -> str | None:
        """The message as the server keeps it; None if that cannot be known."""
        seen = int(self._last_event.partition(":")[0])
        with suppress(ServerError):
            async for message in self._iter_messages(max(0, seen - 1)):
                if message.get("message_id") == message_id and message["author"] == "user":
                    return str(message["text"])
        return None

    async def _iter_messages(self, after: int) -> AsyncIterator[dict[str, Any]]:
        following: int | None = after
        while following is not None:
            page = await self._client.request(
                "GET", f"{self._path}/messages", params={"after": following, "limit": 100}
            )
            for message in page["messages"]:
                yield message
            following = page["next"]

    async def _inspect(self) -> Text:
        from soni.audit.origins import find_origins
        from soni.cli.chat.views import OpenFlow, Position, describe_awaited, render_position

        body = await self._client.request("GET", self._path)
        refusal, origins = "", None
        stack: list[str] = []
        try:
            turns = await self._read_journal()
            origins = find_origins(turns)
            stack = next((turn.stack for turn in reversed(turns) if turn.ok), [])
        except ServerError as error:
            if error.status != 403:
                raise
            refusal = f"\nWhere values come from is not shown. {error}"
        ids = stack if len(stack) == len(body["tasks"]) else [""] * len(body["tasks"])
        flows = [
            OpenFlow(task["flow"], flow_id, task is body["tasks"][-1], task["step"], task["slots"])
            for flow_id, task in zip(ids, body["tasks"], strict=True)
        ]
        waiting = body["waiting"]
        position = Position(
            waiting=describe_awaited(waiting["kind"], waiting["slot"]) if waiting else "nothing",
            options=(waiting or {}).get("options") or (),
            flows=flows[::-1],
            shared=body["slots"],
            handoff="yes" if body["handed_off"] else None,
        )
        return render_position(position, origins).append(refusal)

    async def _explain_message(self) -> Text:
        from soni.cli.chat.views import render_explanation

        return render_explanation(await self._read_journal())

    async def _read_journal(self) -> list[Any]:
        from soni.audit.turn import RecordedTurn
        from soni.core.storage import JournalEntry

        turns: list[RecordedTurn] = []
        after = 0
        while True:
            page = await self._client.request(
                "GET", f"{self._path}/trace", params={"after": after, "limit": _PAGE}
            )
            for each in page:
                entry = JournalEntry(
                    conversation_id=self._path,
                    seq=each["seq"],
                    turn=each["turn"],
                    message_id=each["message_id"],
                    at=each["at"],
                    status=each["status"],
                    data=each,
                    prev_hash="",
                    hash="",
                )
                turns.append(RecordedTurn(entry))
            if len(page) < _PAGE:
                return turns
            after = page[-1]["seq"]


def _describe_message(message: dict[str, Any]) -> Utterance:
    names = {"user": "you, elsewhere", "application": "application", "agent": _DESK}
    by = names.get(message["author"])
    return Utterance(message["text"], by)
