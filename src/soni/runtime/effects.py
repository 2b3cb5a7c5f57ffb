"""TurnEffects: records the actions of a turn, so that the ledger can be cleared after it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from soni.core.calls import ActionCall
from soni.core.errors import ActionError, NeedSlot, Refusal
from soni.core.generation import TEXT_ACTIONS
from soni.core.protocols import ActionRunner, SlotWriting
from soni.core.turn_trace import TurnTrace
from soni.core.types import DialogueState
from soni.du.usage import find_usage


class TurnEffects:
    """Runs actions and records calls and results. Lives for one turn."""

    def __init__(self, runner: ActionRunner, conversation_id: str, turn_trace: TurnTrace) -> None:
        self._runner = runner
        self._conversation_id = conversation_id
        self.turn_trace = turn_trace
        """Is told what texts by a language model took, also where none came of it."""

        self._met: set[str] = set()
        self.calls: list[dict[str, Any]] = []
        """Each call in the order of asking: `action`, `key`, `inputs`, and one of `outputs`,
        `error` and `need`; `said`, if it spoke. Nothing is masked."""

    async def run(self, call: ActionCall) -> dict[str, Any]:
        """Run an action."""
        self._met.add(call.key)
        said: list[str] = []
        place = call.key.removeprefix(f"{self._conversation_id}/")
        record = {"action": call.action, "key": place, "inputs": dict(call.inputs)}
        self.calls.append(record)

        def speak(text: str) -> None:
            said.append(text)
            call.say(text)

        try:
            outputs = await self._runner.run(replace(call, say=speak))
        except NeedSlot as need:
            record["need"] = need.slot_name
            raise
        except ActionError as error:
            record["error"] = {"type": error.type, "message": error.message}
            paid = find_usage(error) if call.action in TEXT_ACTIONS else None
            self.turn_trace.note_usage(paid.model_dump(mode="json") if paid else None)
            raise
        finally:
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
