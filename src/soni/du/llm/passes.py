"""Passes: both passes as one DSPy module, to be optimised and saved together."""

from collections.abc import Sequence
from typing import Any

import dspy

from soni.config.program import Demo, ModelProgram
from soni.du.llm.slot_extractor import SlotExtractor
from soni.du.llm.soni_du import SoniDU


class Passes(dspy.Module):  # type: ignore[misc]
    """The first pass (commands) and the second pass (slots of a flow that starts)."""

    def __init__(self, commands: SoniDU | None = None, slots: SlotExtractor | None = None) -> None:
        super().__init__()
        self.commands = commands or SoniDU()
        self.slots = slots or SlotExtractor()

    @classmethod
    def from_program(cls, program: ModelProgram | None) -> "Passes":
        """The passes with the demos of a program."""
        passes = cls()
        if program is not None:
            # Only the demos come from the file. The instructions are this version's, and a file
            # must never decide which model is asked, or where.
            state = passes.dump_state()
            for output, demos in (("commands", program.commands), ("slots", program.slots)):
                state[f"{output}.predict"]["demos"] = [make_dspy_demo(d, output) for d in demos]
            passes.load_state(state)
        return passes

    def make_program(self) -> ModelProgram:
        """The program to save: the demos of both passes."""
        state = self.dump_state()
        return ModelProgram(
            commands=_read_demos(state["commands.predict"]["demos"], "commands"),
            slots=_read_demos(state["slots.predict"]["demos"], "slots"),
        )


def make_dspy_demo(demo: Demo, output: str) -> dict[str, Any]:
    """A demo as DSPy has it: by the names of inputs and outputs."""
    return {"moment": demo.moment, "message": demo.message, output: list(demo.answer)}


def _read_demos(demos: Sequence[Any], output: str) -> tuple[Demo, ...]:
    return tuple(
        Demo(moment=demo["moment"], message=demo["message"], answer=tuple(demo[output]))
        for demo in demos
    )
