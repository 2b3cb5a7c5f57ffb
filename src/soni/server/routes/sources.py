"""The assistant's files, in development: read, checked, changed, and loaded again."""

import asyncio
import hashlib

from fastapi import APIRouter
from pydantic import BaseModel, Field

from soni.config.files import MAX_BYTES
from soni.config.load import CheckResult
from soni.core.errors import ConfigError, Problem
from soni.server.access import Developer, Server
from soni.server.models import Incoming, describe_example
from soni.server.problems import ApiProblem, describe_problems
from soni.server.services import Services
from soni.server.source_files import SourceFiles

PROBLEMS = (
    "unauthenticated", "forbidden", "not_found", "invalid_request", "not_allowed",
    "development_only",
)  # fmt: skip
_TEXT = "flows:\n  greet:\n    steps:\n      - say: Hello\n"
_DIGEST = hashlib.sha256(_TEXT.encode()).hexdigest()

router = APIRouter(prefix="/api", tags=["inspector"])


class SourceBody(BaseModel):
    """A file of the assistant."""

    name: str = Field(examples=["transfers.yaml"])
    text: str = Field(examples=[_TEXT])
    digest: str = Field(
        description="Give it back with a change: another one's is not overwritten",
        examples=[_DIGEST],
    )


class FoundProblem(BaseModel):
    """One problem of an assistant, as `soni check` finds it."""

    code: str = Field(examples=["E104"])
    severity: str = Field(examples=["error"])
    file: str | None = Field(examples=["transfers.yaml"])
    line: int | None = Field(examples=[4])
    column: int | None = Field(examples=[16])
    length: int = Field(examples=[6])
    message: str = Field(examples=["the slot `amuont` is not defined"])
    remedy: str | None = Field(examples=["Define it under `slots`, or take one that is"])
    available: list[str] = Field(examples=[["amount"]])


class CheckBody(BaseModel):
    """Whether an assistant could be used, and what is wrong with it."""

    ok: bool
    problems: list[FoundProblem]


class SavedBody(CheckBody):
    """A file that was written."""

    digest: str = Field(examples=[_DIGEST])


class DraftRequest(Incoming):
    """A text that a file might hold."""

    file: str = Field(max_length=300, examples=["transfers.yaml"])
    text: str = Field(max_length=MAX_BYTES, examples=[_TEXT])


class ChangeRequest(DraftRequest):
    """A text that a file is to hold."""

    digest: str = Field(
        max_length=64, description="Of the file when it was read", examples=[_DIGEST]
    )


@router.get(
    "/sources",
    responses={**describe_problems(*PROBLEMS), **describe_example(["soni.yaml", "transfers.yaml"])},
)
async def list_sources(caller: Developer, server: Server) -> list[str]:
    """The names of the files that the assistant is made of."""
    return await asyncio.to_thread(_open_files(server).list_files)


@router.get("/sources/file", responses=describe_problems(*PROBLEMS))
async def read_source(file: str, caller: Developer, server: Server) -> SourceBody:
    """The text of a file."""
    text, digest = await asyncio.to_thread(_open_files(server).read, file)
    return SourceBody(name=file, text=text, digest=digest)


@router.post("/sources/check", responses=describe_problems(*PROBLEMS))
async def check_draft(draft: DraftRequest, caller: Developer, server: Server) -> CheckBody:
    """What `soni check` would say if the file held this text. Nothing is written."""
    found = await _check(server, draft)
    return CheckBody(ok=not found.errors, problems=[*map(describe_problem, found.problems)])


@router.post(
    "/sources/file", responses=describe_problems(*PROBLEMS, "stale_file", "invalid_assistant")
)
async def save_source(change: ChangeRequest, caller: Developer, server: Server) -> SavedBody:
    """Write a file and load the assistant again; what could not be used is not written."""
    # Of two who save at once one comes first, and the other's file is stale then.
    async with server.saving:
        found = await _check(server, change)
        if found.errors:
            raise ConfigError(found.errors)
        files = _open_files(server)
        saved = await asyncio.to_thread(files.write, change.file, change.text, change.digest)
        try:
            await server.reload()
        except Exception:
            # There is more that a runtime may refuse than a check of one file can know.
            await asyncio.to_thread(files.take_back, saved)
            raise
    problems = [describe_problem(each) for each in found.problems]
    return SavedBody(ok=True, problems=problems, digest=saved.digest)


def _open_files(server: Services) -> SourceFiles:
    if server.options.source is None:
        raise ApiProblem("not_allowed", "this assistant was not loaded from a folder")
    return SourceFiles(server.options.source)


async def _check(server: Services, draft: DraftRequest) -> CheckResult:
    functions = server.runtime.assistant.config.own_functions
    return await asyncio.to_thread(_open_files(server).check, {draft.file: draft.text}, functions)


def describe_problem(problem: Problem) -> FoundProblem:
    """A problem as the page shows it."""
    return FoundProblem(
        code=problem.code,
        severity=problem.severity,
        file=problem.file,
        line=problem.line,
        column=problem.column,
        length=problem.length,
        message=problem.message,
        remedy=problem.remedy,
        available=list(problem.available),
    )
