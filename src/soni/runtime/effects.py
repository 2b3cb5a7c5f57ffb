"""TurnEffects: records the actions of a turn, so that the ledger can be cleared after it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from soni.core.calls import ActionCall
from soni.core.errors import ActionError, NeedSlot, Refusal
from soni.core.generation import TEXT_ACTIONS
from soni.core.protocols import ActionRunner, SlotWriting
from soni.core.storage import Effect, Ledger
from soni.core.telemetry import NO_TELEMETRY, Span, SpanKind, Telemetry, describe_usage, keep_name
from soni.core.turn_trace import TurnTrace
from soni.core.types import DialogueState
from soni.du.usage import find_usage


class TurnEffects:
    """Runs actions and records calls and results. Lives for one turn."""

    def __init__(
        self,
        runner: ActionRunner,
        conversation_id: str,
        turn_trace: TurnTrace,
        telemetry: Telemetry = NO_TELEMETRY,
    ) -> None:
        self._runner = runner
        self._telemetry = telemetry
        self._conversation_id = conversation_id
        self.turn_trace = turn_trace
        """Is told what texts by a language model took, also where none came of it."""

        self._met: set[str] = set()
        self.calls: list[dict[str, Any]] = []
        """Each call in the order of asking: `action`, `key`, `inputs`, and one of `outputs`,
        `error` and `need`; `said`, if it spoke; `seconds`; `attempts` and `ledger`, if the runner
        told them. Nothing is masked."""

    async def run(self, call: ActionCall) -> dict[str, Any]:
        """Run an action."""
        with self._telemetry.start(SpanKind.ACTION, call.action) as span:
            try:
                outputs = await self._record_call(call)
            except NeedSlot:
                span.note(outcome="need_slot")
                raise
            except ActionError as error:
                span.note(error=keep_name(error.type))
                raise
            if call.action in TEXT_ACTIONS:
                span.note(**describe_usage(outputs.get("usage")))
            return outputs

    async def _record_call(self, call: ActionCall) -> dict[str, Any]:
        self._met.add(call.key)
        said: list[str] = []
        place = call.key.removeprefix(f"{self._conversation_id}/")
        record: dict[str, Any] = {"action": call.action, "key": place, "inputs": dict(call.inputs)}
        self.calls.append(record)

        def speak(text: str) -> None:
            said.append(text)
            call.say(text)

        started = time.perf_counter()
        try:
            outputs = await self._runner.run(replace(call, say=speak, note=record.__setitem__))
        except NeedSlot as need:
            record["need"] = need.slot_name
            raise
        except ActionError as error:
            record["error"] = {"type": error.type, "message": error.message}
            if not error.outcome_known:
                record["error"]["outcome_known"] = False
            paid = find_usage(error) if call.action in TEXT_ACTIONS else None
            self.turn_trace.note_usage(paid.model_dump(mode="json") if paid else None)
            raise
        finally:
            record["seconds"] = round(time.perf_counter() - started, 6)
            if said:
                record["said"] = said
        record["outputs"] = outputs
        if call.action in TEXT_ACTIONS:
            self.turn_trace.note_usage(outputs.get("usage"))
        return outputs

    def make_settled_check(
        self, before: DialogueState, after: DialogueState
    ) -> Callable[[str], bool]:
        """A check whether an effect is settled: this turn did it, or its flow is over.

        Any other effect belongs to a failed turn. It is kept until that message is sent again,
        however many messages come first.
        """
        over = {flow["flow_id"] for flow in before["flow_stack"]}
        over -= {flow["flow_id"] for flow in after["flow_stack"]}
        places = tuple(f"{self._conversation_id}/{place}/" for place in (*over, "handoff"))
        return lambda key: key in self._met or key.startswith(places)


class TurnWrites:
    """A slot writer that remembers refusals, and what must not be recorded. Lives for one turn."""

    def __init__(self, writer: SlotWriting, assistant: Any, secrets: list[Any]) -> None:
        self._writer = writer
        self._assistant = assistant
        self.secrets = secrets
        """Values meant for sensitive slots, as they were said and as they were stored."""

        self.notable: list[dict[str, Any]] = []
        """Writes in order: refused ones with the words (not masked), and all of sensitive slots.

        A replay has no sensitive value to judge, so it must know what became of it.
        """

    async def write(
        self, name: str, value: Any, values: Mapping[str, Any], env: Any, voice: Any, **options: Any
    ) -> Any:
        """Write."""
        secret = value is not None and self._assistant.get_slot_config(name).sensitive
        if secret:
            self.secrets.append(value)
        try:
            written = await self._writer.write(name, value, values, env, voice, **options)
        except Refusal as refused:
            self.notable.append({"slot": name, "refused": voice.render_refusal(refused, values)})
            raise
        if secret:
            self.secrets.append(written.value)
            self.notable.append({"slot": name})
        return written

    def find_violation(
        self, name: str, values: Mapping[str, Any], env: Any, voice: Any
    ) -> str | None:
        """The constraint that a stored value violates; None if it violates none."""
        return self._writer.find_violation(name, values, env, voice)


class WatchedLedger(Ledger):
    """A ledger whose writes of a turn are told to whoever watches."""

    def __init__(self, ledger: Ledger, watch: Callable[[str], Span]) -> None:
        self._ledger = ledger
        self._watch = watch

    async def begin(
        self, key: str, digest: str, conversation_id: str, *, action: str = ""
    ) -> Effect | None:
        with self._watch("begin_effect"):
            return await self._ledger.begin(key, digest, conversation_id, action=action)

    async def finish(
        self, key: str, digest: str, conversation_id: str, result: dict[str, Any]
    ) -> None:
        with self._watch("finish_effect"):
            await self._ledger.finish(key, digest, conversation_id, result)

    async def list_unknown(self, *, begun_before: float, limit: int = 1000) -> list[Effect]:
        return await self._ledger.list_unknown(begun_before=begun_before, limit=limit)

    async def list_effects(self, conversation_id: str) -> list[Effect]:
        return await self._ledger.list_effects(conversation_id)

    async def resolve(self, key: str, digest: str, result: dict[str, Any]) -> bool:
        return await self._ledger.resolve(key, digest, result)
