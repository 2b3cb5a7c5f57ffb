"""LanguageModelNLU: understanding by a language model, in two passes."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soni.commands import Command, StartFlow
from soni.config.models import SoniConfig
from soni.config.settings import Nlu
from soni.du.context import DialogueContext, NLUOutput
from soni.du.llm.moment import Moment
from soni.du.llm.verification import (
    drop_hasty_decisions,
    find_flow_by_example,
    is_bare_example,
    limit_starts,
)
from soni.du.local.exact import read_certain
from soni.du.local.provider import LocalNLU
from soni.du.local.view import View
from soni.du.nearest import find_nearest_flows
from soni.du.program import load_program

if TYPE_CHECKING:
    from soni.du.llm.client import LanguageModel
    from soni.du.llm.slot_extractor import SlotExtractor
    from soni.du.llm.soni_du import SoniDU


class LanguageModelNLU:
    """Asks a language model for the commands, then for the slots of a flow that starts.

    Clear messages and answers to sensitive questions are read offline.
    """

    def __init__(
        self,
        model: "LanguageModel",
        commands: "SoniDU",
        slots: "SlotExtractor",
        *,
        prompt_flows: int = Nlu().prompt_flows,
    ) -> None:
        self._model = model
        self._commands = commands
        self._slots = slots
        self._prompt_flows = prompt_flows
        self._local = LocalNLU()

    @classmethod
    def from_config(cls, config: SoniConfig) -> "LanguageModelNLU":
        """The provider for an assistant, by its settings."""
        from soni.du.llm.client import LanguageModel
        from soni.du.llm.passes import Passes

        settings, program = config.settings.nlu, load_program(config)
        passes = Passes.from_program(program.llm if program else None)
        model, limit = LanguageModel(settings), settings.prompt_flows
        return cls(model, passes.commands, passes.slots, prompt_flows=limit)

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message; none if it was not understood."""
        if not user_message.strip():
            return NLUOutput(source="llm")
        if context.asks_in_private:
            # The answer to a sensitive question does not leave the machine.
            return await self._local.understand(user_message, history, context)
        view, said = View(context), tuple(history)
        sure = read_certain(user_message, view)
        if sure is not None:
            return NLUOutput(commands=(sure,), source="llm")
        known = context.available_flows
        if _may_start_by_example(user_message, view):
            wish = find_flow_by_example(user_message, known)
            if wish is not None:
                return await self._start_by_example(user_message, Moment(context, (wish,), said))
        at_work = {context.current_flow, *context.paused_flows}
        limit = self._prompt_flows
        # Every flow makes the prompt dearer.
        flows = await find_nearest_flows(user_message, known, at_work, limit, context.language)
        return await self._read_commands(user_message, Moment(context, tuple(flows), said))

    async def _read_commands(self, message: str, moment: Moment) -> NLUOutput:
        hasty: list[str] = []
        with self._model.count_usage() as meter:
            read = await self._commands.acall(moment=moment, message=message)
            commands = read.commands
            if commands is not None:
                kept, hasty = drop_hasty_decisions(commands, message, moment)
                started = await limit_starts(kept, message, moment)
                commands = [await self._fill_slots(c, moment, message) for c in started]
            usage = meter.read_usage()
        if commands is None:
            reason = "the model gave no valid answer, twice"
            return NLUOutput(source="llm", confidence=0.0, reasoning=reason, usage=usage)
        dropped = [f"{kind} with a value that nobody said" for kind in read.unsaid]
        dropped += [f"{kind}, for the offline understanding hears something else" for kind in hasty]
        told = f"dropped: {', '.join(dropped)}" if dropped else None
        return NLUOutput(commands=tuple(commands), source="llm", reasoning=told, usage=usage)

    async def _start_by_example(self, message: str, moment: Moment) -> NLUOutput:
        """Start the flow whose example the message repeats; only its slots need the model."""
        start = StartFlow(flow_name=moment.flows[0].name)
        with self._model.count_usage() as meter:
            command = await self._fill_slots(start, moment, message)
            usage = meter.read_usage()
        return NLUOutput(commands=(command,), source="llm", usage=usage if usage.calls else None)

    async def warm_up(self, context: DialogueContext, most_flows: int, folder: Path | None) -> None:
        """Prepare the offline provider, which finds the flows for a prompt."""
        await self._local.warm_up(context, min(most_flows, self._prompt_flows), folder)

    async def aclose(self) -> None:
        """Close the connections to the model, and the offline provider."""
        await self._model.aclose()
        await self._local.aclose()

    async def _fill_slots(self, command: Command, moment: Moment, message: str) -> Command:
        if not isinstance(command, StartFlow):
            return command
        flow = next(flow for flow in moment.flows if flow.name == command.flow_name)
        if not flow.slots or is_bare_example(message, flow, moment.env):
            return command
        read = await self._slots.acall(flow=flow, moment=moment, message=message)
        return command.model_copy(update={"slots": read.slots})


def _may_start_by_example(message: str, view: View) -> bool:
    """Whether a message that repeats an example may start its flow: one word may be an answer."""
    is_text = view.asked is not None and view.asked.kind.takes_message
    return view.is_idle or (len(message.split()) > 1 and not is_text)
