"""The program that an assistant's settings name, checked against the assistant."""

from typing import Final

from soni.commands import CommandHandlerRegistry
from soni.config.assistant import Assistant
from soni.config.models import SoniConfig
from soni.config.program import (
    MadeFor,
    Program,
    ProgramError,
    differences,
    digest,
    flows_of,
    read_program,
    slots_of,
)
from soni.core.errors import SoniError

AGAIN: Final = "run `soni optimize` again, or remove the key"


class UnfitProgramError(SoniError):
    """The program is broken, or made for another assistant, or by another version."""

    def __init__(self, reason: str, remedy: str = AGAIN) -> None:
        super().__init__(f"settings.nlu.program: {reason}; {remedy}")
        self.reason = reason
        self.remedy = remedy


def program_of(config: SoniConfig) -> Program | None:
    """The assistant's program; None if it has none. Raises `UnfitProgramError`."""
    name = config.settings.nlu.program
    if name is None:
        return None
    try:
        program = read_program(config.folder, name)
    except ProgramError as error:
        problem = error.problem
        raise UnfitProgramError(problem.message, problem.remedy or AGAIN) from None
    found = _changes(program, fingerprint_assistant(config))
    if found:
        raise UnfitProgramError(f"made for other flows ({'; '.join(found)})")
    return program


def fingerprint_assistant(config: SoniConfig) -> MadeFor:
    """The digests of an assistant's flows and slots, and of the installed commands."""
    assistant, registry = Assistant(config), CommandHandlerRegistry.discover()
    kinds = {name: registry.handler(name).command for name in registry}
    commands = {
        name: digest(kind.__doc__, sorted(kind.model_fields)) for name, kind in kinds.items()
    }
    return MadeFor(flows=flows_of(assistant), slots=slots_of(assistant), commands=commands)


def _changes(program: Program, now: MadeFor) -> list[str]:
    then = program.made_for
    # Only prompts depend on the commands: an offline program stays valid when those change.
    kinds = ("flows", "slots") if program.llm is None else ("flows", "slots", "commands")
    return [
        change
        for kind in kinds
        for change in differences(kind, getattr(then, kind), getattr(now, kind))
    ]
