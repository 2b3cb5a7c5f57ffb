"""Answers of a provider kept in a file: a run that was stopped goes on where it was.

One JSON object a line, written as soon as there is one. A question that was asked before, in
exactly the same moment, is answered from the file, whichever run asked it: the cascade pays only
for moments that the model alone did not get into. The first line says which model was asked and
what it was shown: answers of two are never mixed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.understanding.sgd.conversation import Provider
from soni.commands import CommandHandlerRegistry
from soni.du.context import DialogueContext, NLUOutput, Usage

MADE_WITH = "made_with"


class Answers:
    """What a provider said, by the question."""

    def __init__(self, file: Path, made_with: str | None = None) -> None:
        """`made_with`: who answers now; None: nobody does, and it may be anybody's file."""
        self._file = file
        self._made_with = made_with
        self._read_to = 0
        self._rows: dict[str, Mapping[str, Any]] = {}
        if made_with is not None and file.exists() and file.stat().st_size:
            self._refuse_others(made_with)

    def _refuse_others(self, made_with: str) -> None:
        with self._file.open(encoding="utf-8") as file:
            before = json.loads(file.readline()).get(MADE_WITH, "something that it does not say")
        if before != made_with:
            raise SystemExit(
                f"{self._file} was made with {before}, and now it is {made_with}: name another "
                "file with --answers, or see what is in this one with --known"
            )

    def get(self, key: str) -> Mapping[str, Any] | None:
        """The answer to a question; None if it was never asked."""
        if key not in self._rows and self._file.exists():
            self._read_on()
        return self._rows.get(key)

    def _read_on(self) -> None:
        """Another run may have written to the same file."""
        with self._file.open("rb") as file:
            file.seek(self._read_to)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._read_to += len(line)
                row = json.loads(line)
                if MADE_WITH not in row:
                    self._rows[row["key"]] = row

    def add(self, row: Mapping[str, Any]) -> None:
        """Keep an answer."""
        with self._file.open("a", encoding="utf-8") as file:
            if self._made_with is not None and not file.tell():
                file.write(json.dumps({MADE_WITH: self._made_with}) + "\n")
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


class Remembering:
    """A provider that is asked nothing twice. Without one, only what was asked before is known."""

    def __init__(self, provider: Provider | None, answers: Answers) -> None:
        self._provider = provider
        self._answers = answers
        self.missing = 0
        """How many questions had no answer."""

        self.seconds = 0.0
        """How long the last answer took when it was given first."""

        self.spent = 0.0
        """How long it took now."""

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message."""
        start = time.perf_counter()
        key = _key(user_message, history, context)
        row = self._answers.get(key)
        if row is None and self._provider is None:
            self.missing += 1
            return NLUOutput(source="llm")
        if row is None:
            assert self._provider is not None
            output = await self._provider.understand(user_message, history, context)
            seconds = time.perf_counter() - start
            row = {"key": key, "message": user_message, "seconds": seconds, **_written(output)}
            self._answers.add(row)
        self.seconds, self.spent = row["seconds"], time.perf_counter() - start
        return _read(row)


def _key(message: str, history: Sequence[Any], context: DialogueContext) -> str:
    said = [(each.type, each.content) for each in history]
    moment = json.dumps(context.model_dump(mode="json"), sort_keys=True)
    return sha256(json.dumps([message, said, moment]).encode()).hexdigest()


def _written(output: NLUOutput) -> dict[str, Any]:
    parse = CommandHandlerRegistry.discover().parse
    commands = [parse(each).model_dump(mode="json") for each in output.commands]
    usage = output.usage.model_dump() if output.usage else None
    return {"commands": commands, "confidence": output.confidence, "usage": usage}


def _read(row: Mapping[str, Any]) -> NLUOutput:
    parse = CommandHandlerRegistry.discover().parse
    return NLUOutput(
        commands=tuple(parse(each) for each in row["commands"]),
        confidence=row["confidence"],
        source="llm",
        usage=Usage(**row["usage"]) if row["usage"] else None,
    )
