"""The program that the settings name: whether it is there, and made for this assistant."""

from typing import Final

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.made_for import differences, flows_of, slots_of
from soni.config.program import Program, ProgramError, read_program

PATH: Final = ("settings", "nlu", "program")
_PARTS: Final = {"local": ("local",), "llm": ("llm",), "cascade": ("local", "llm", "threshold")}
"""What of a program each provider can use."""


def check_program(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """All that can be said without knowing what commands there are."""
    nlu = assistant.config.settings.nlu
    if nlu.program is None:
        return
    try:
        program = read_program(assistant.config.folder, nlu.program)
    except ProgramError as error:
        problem = error.problem
        report.add(PATH, problem.message, code=problem.code, remedy=problem.remedy)
        return
    _check_flows(assistant, program, report)
    parts = _PARTS.get(nlu.provider, ())
    if parts and all(getattr(program, part) is None for part in parts):
        remedy = f"run `soni optimize --provider {nlu.provider}`, or remove the key"
        message = f"made for the provider '{program.provider}'; it holds nothing for '{{}}'"
        report.add(PATH, message.format(nlu.provider), code="E903", remedy=remedy)


def _check_flows(assistant: Assistant, program: Program, report: Report) -> None:
    made_for = program.made_for
    found = [
        *differences("flows", made_for.flows, flows_of(assistant)),
        *differences("slots", made_for.slots, slots_of(assistant)),
    ]
    if found:
        remedy = "run `soni optimize` again, or remove the key"
        message = f"made for other flows ({'; '.join(found)})"
        report.add(PATH, message, code="E902", remedy=remedy)
