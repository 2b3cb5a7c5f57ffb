"""Passes: both passes as one DSPy module, which is what an optimiser changes and a file keeps."""

from collections.abc import Sequence
from typing import Any

import dspy

from soni.config.program import Demo, ModelProgram
from soni.du.llm.slot_extractor import SlotExtractor
from soni.du.llm.soni_du import SoniDU


class Passes(dspy.Module):  # type: ignore[misc]
    """Which commands, and which slots of a flow that starts."""

    def __init__(self, commands: SoniDU | None = None, slots: SlotExtractor | None = None) -> None:
        super().__init__()
        self.commands = commands or SoniDU()
        self.slots = slots or SlotExtractor()

    @classmethod
    def of(cls, program: ModelProgram | None) -> "Passes":
        """With the demos of a program, by DSPy's own way to load a state."""
        passes = cls()
        if program is not None:
            # Of the state only demos come from the file: instructions are those of this version,
            # and a file never says which model is asked, or where.
            state = passes.dump_state()
            state["commands.predict"]["demos"] = [
                make_dspy_demo(each, "commands") for each in program.commands
            ]
            state["slots.predict"]["demos"] = [
                make_dspy_demo(each, "slots") for each in program.slots
            ]
            passes.load_state(state)
        return passes

    def program(self) -> ModelProgram:
        """What a file keeps of it."""
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
