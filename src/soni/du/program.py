"""The program that an assistant's settings name, if it can be used here and now."""

from soni.commands import CommandHandlerRegistry
from soni.config.assistant import Assistant
from soni.config.made_for import differences, digest, flows_of, slots_of
from soni.config.models import SoniConfig
from soni.config.program import MadeFor, Program, ProgramError, read_program
from soni.core.errors import SoniError


class UnfitProgramError(SoniError):
    """The program is broken, or made for another assistant."""


def program_of(config: SoniConfig) -> Program | None:
    """The assistant's program; None if it has none. Raises `UnfitProgramError`."""
    name = config.settings.nlu.program
    if name is None:
        return None
    try:
        program = read_program(config.folder, name)
    except ProgramError as error:
        raise UnfitProgramError(f"settings.nlu.program: {error.problem.message}") from None
    found = list(_changes(program.made_for, made_for(config)))
    if found:
        raise UnfitProgramError(
            f"settings.nlu.program: '{name}' was made for other flows ({'; '.join(found)}). "
            "Run `soni optimize` again, or remove the key."
        )
    return program


def made_for(config: SoniConfig) -> MadeFor:
    """The digests of an assistant, and of the commands that there are."""
    assistant, registry = Assistant(config), CommandHandlerRegistry.discover()
    kinds = {name: registry.handler(name).command for name in registry}
    commands = {
        name: digest(kind.__doc__, sorted(kind.model_fields)) for name, kind in kinds.items()
    }
    return MadeFor(flows=flows_of(assistant), slots=slots_of(assistant), commands=commands)


def _changes(then: MadeFor, now: MadeFor) -> list[str]:
    return [
        change
        for kind in MadeFor.model_fields
        for change in differences(kind, getattr(then, kind), getattr(now, kind))
    ]
