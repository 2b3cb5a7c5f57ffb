"""The program that an assistant's settings name, checked against the assistant."""

from typing import Final

from soni.commands import CommandHandlerRegistry
from soni.config.assistant import Assistant
from soni.config.models import SoniConfig
from soni.config.program import (
    MadeFor,
    Program,
    ProgramError,
    describe_differences,
    digest_flows,
    digest_slots,
    make_digest,
    read_program,
)
from soni.core.errors import SoniError

OPTIMIZE_AGAIN: Final = "run `soni optimize` again, or remove the key"


class UnfitProgramError(SoniError):
    """The program is broken, or made for another assistant, or by another version."""

    def __init__(self, reason: str, remedy: str = OPTIMIZE_AGAIN) -> None:
        super().__init__(f"settings.nlu.program: {reason}; {remedy}")
        self.reason = reason
        self.remedy = remedy


def load_program(config: SoniConfig) -> Program | None:
    """The assistant's program; None if it has none. Raises `UnfitProgramError`."""
    name = config.settings.nlu.program
    if name is None:
        return None
    try:
        program = read_program(config.folder, name)
    except ProgramError as error:
        problem = error.problem
        raise UnfitProgramError(problem.message, problem.remedy or OPTIMIZE_AGAIN) from None
    found = _list_changes(program, fingerprint_assistant(config))
    if found:
        raise UnfitProgramError(f"made for other flows ({'; '.join(found)})")
    return program


def fingerprint_assistant(config: SoniConfig) -> MadeFor:
    """The digests of an assistant's flows and slots, and of the installed commands."""
    assistant, registry = Assistant(config), CommandHandlerRegistry.discover()
    kinds = {name: registry.get_handler(name).command for name in registry}
    commands = {
        name: make_digest(kind.__doc__, sorted(kind.model_fields)) for name, kind in kinds.items()
    }
    return MadeFor(flows=digest_flows(assistant), slots=digest_slots(assistant), commands=commands)


def _list_changes(program: Program, now: MadeFor) -> list[str]:
    then = program.made_for
    # Only prompts depend on the commands: an offline program stays valid when those change.
    kinds = ("flows", "slots") if program.llm is None else ("flows", "slots", "commands")
    return [
        change
        for kind in kinds
        for change in describe_differences(kind, getattr(then, kind), getattr(now, kind))
    ]
