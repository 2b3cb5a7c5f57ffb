"""Evaluation: loads the sentences of an assistant and asks a provider about them."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from soni.config.assistant import Assistant
from soni.config.files import is_assistant_file
from soni.config.load import sort_problems
from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, Problem
from soni.core.protocols import NLUProvider
from soni.du.cascade.provider import CascadeNLU
from soni.du.providers import open_provider
from soni.testing.evaluate.candidate import Candidate
from soni.testing.evaluate.checks import check_sentences, doubt_values
from soni.testing.evaluate.probe import CaseProbe, Probe, Responder, ask_at_moment, make_sample
from soni.testing.evaluate.question import (
    AskingResponder,
    CascadeCandidate,
    Question,
    ReadingCallback,
    RecordingResponder,
)
from soni.testing.evaluate.sample import Half, Reading, Sample, is_in_half
from soni.testing.evaluate.sentences import SentenceFile, Sentences
from soni.testing.files import SUFFIXES, find_case_files, read_model
from soni.testing.run import ConversationTest
from soni.testing.suite import Suite

FOLDER: Final = "nlu"


@dataclass(frozen=True)
class Outcome:
    """The readings of all sentences."""

    readings: tuple[Reading, ...]
    left_out: tuple[Sample, ...]
    """Those of tests that had failed before, or that try what the conversation must refuse."""


@dataclass(frozen=True)
class Evaluation:
    """Sentences with their meaning, ready to be asked."""

    config: SoniConfig
    sentences: tuple[Sentences, ...]
    tests: tuple[ConversationTest, ...]
    half: Half | None = None

    @classmethod
    def load(
        cls,
        path: str | Path,
        files: Sequence[str | Path] = (),
        *,
        half: Half | None = None,
        config: SoniConfig | None = None,
    ) -> "Evaluation":
        """The sentences of an assistant: its folder `nlu/` and its tests, or just these files.

        `path` is the assistant's folder, or its only file. `half`: only what was set apart, or
        only the rest. `config`: the assistant, if it is loaded already. Raises `ConfigError`
        holding every problem of the assistant, or else of all the files.
        """
        config, problems = config or SoniConfig.load(path), list[Problem]()
        sentences, tests = list[Sentences](), list[ConversationTest]()
        for file in [Path(file) for file in files] or _find_files(Path(path)):
            try:
                if file.name.endswith(SUFFIXES):
                    tests += Suite.load(file, config=config).tests
                else:
                    sentences.append(_read_file(file, config, half))
            except ConfigError as error:
                problems += error.problems
        if problems:
            raise ConfigError(sort_problems(problems))
        return cls(config, tuple(sentences), tuple(tests), half)

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Warnings about values that are probably mistakes."""
        return tuple(problem for file in self.sentences for problem in file.warnings)

    def iter_samples(self) -> Iterator[Sample]:
        """Every sentence that will be asked."""
        for file in self.sentences:
            for moment in file.content.said:
                yield from self._choose_samples(file.iter_samples(moment))
        for test in self.tests:
            yield from self._iter_test_samples(test)

    async def run(
        self,
        nlu: NLUProvider | None = None,
        heard: ReadingCallback = lambda reading: None,
        *,
        provider: str | None = None,
        apart: bool = False,
    ) -> Outcome:
        """Ask one after the other; `nlu` is the assistant's own if not given, or by its name.

        `heard` is told each reading at once. `apart`: both providers of a cascade are asked about
        everything, so that it can be told what other thresholds would bring. Raises
        `EvaluationError` for a moment to which no conversation comes.
        """
        if nlu is not None:
            return await self._ask_all(nlu, heard, apart=apart)
        own = open_provider(self.config, provider)
        try:
            return await self._ask_all(own, heard, apart=apart)
        finally:
            close = getattr(own, "aclose", None)
            if close is not None:
                await close()

    async def collect_questions(self) -> list[Question]:
        """All sentences in their moments, not asked yet."""
        noting = RecordingResponder()
        async for conversation in self._hold_conversations(noting):
            noting.assign_conversation(conversation)
        return noting.questions

    async def _ask_all(self, nlu: NLUProvider, heard: ReadingCallback, *, apart: bool) -> Outcome:
        timeout = self.config.settings.nlu.timeout
        candidate = Candidate(nlu, timeout)
        if apart and isinstance(nlu, CascadeNLU):
            candidate = CascadeCandidate(nlu, timeout)
        asking = AskingResponder(candidate, heard)
        async for _ in self._hold_conversations(asking):
            pass
        reached = {(each.sample.place, each.sample.text) for each in asking.readings}
        of_tests = (sample for test in self.tests for sample in self._iter_test_samples(test))
        left_out = [each for each in of_tests if (each.place, each.text) not in reached]
        return Outcome(tuple(asking.readings), tuple(left_out))

    async def _hold_conversations(self, responder: Responder) -> AsyncIterator[str | None]:
        """Hold every conversation; its name, if what is said in it belongs together."""
        for file in self.sentences:
            for moment in file.content.said:
                samples = list(self._choose_samples(file.iter_samples(moment)))
                if samples:
                    await ask_at_moment(file, moment, samples, self.config, Probe(responder))
                    yield file.content.conversation
        for test in self.tests:
            if any(True for _ in self._iter_test_samples(test)):
                await test.run(listener=CaseProbe(test, self.half, responder))
                yield f"{test.where.rpartition(':')[0]}: {test.name}"

    def _iter_test_samples(self, test: ConversationTest) -> Iterator[Sample]:
        found = (make_sample(test, index) for index in range(len(test.case.turns)))
        yield from self._choose_samples(sample for sample in found if sample is not None)

    def _choose_samples(self, samples: Iterator[Sample]) -> Iterator[Sample]:
        return (sample for sample in samples if is_in_half(sample.text, self.half))


def _find_files(path: Path) -> list[Path]:
    """The files of a folder; an assistant that is a single file has none of its own."""
    if not path.is_dir():
        return []
    folder = path / FOLDER
    own = sorted(filter(is_assistant_file, folder.iterdir())) if folder.is_dir() else []
    return [*own, *find_case_files(path)]


def _read_file(file: Path, config: SoniConfig, half: Half | None) -> Sentences:
    home, place = config.folder or Path(), file.absolute()
    shown = place.relative_to(home).as_posix() if place.is_relative_to(home) else str(file)
    read = read_model(SentenceFile, file, shown, "begin with `said:`")
    if read.content is None:
        raise ConfigError(read.problems)
    assistant = Assistant(config)
    problems = [*read.problems, *check_sentences(read.content, assistant, read.positions)]
    if problems:
        raise ConfigError(problems)
    doubts = doubt_values(read.content, assistant, read.positions, half)
    return Sentences(read.content, read.positions, shown, tuple(doubts))
