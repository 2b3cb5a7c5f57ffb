"""The check of an assistant's program against the commands and limits of this version."""

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.checks.settings import PROGRAM_PATH
from soni.du.local.limits import LocalTuning
from soni.du.program import UnfitProgramError, load_program


def check_fitness(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Report a program that this version cannot use.

    `soni.config` cannot check it: it does not know the commands and the limits.
    """
    if any(problem.path == PROGRAM_PATH for problem in report.problems):
        return
    try:
        program = load_program(assistant.config)
        if program is not None and program.local is not None:
            LocalTuning.from_program(program.local)
    except UnfitProgramError as unfit:
        report.add(PROGRAM_PATH, unfit.reason, code="E902", remedy=unfit.remedy)
