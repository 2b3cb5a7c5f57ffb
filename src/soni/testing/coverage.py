"""Coverage: which parts of an assistant its conversation tests run."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from soni.config.assistant import Assistant
from soni.config.files import find_yaml_files, read_files
from soni.config.plan import FlowPlan, PlannedStep
from soni.config.positions import Path, Positions
from soni.config.soni_config import SoniConfig
from soni.testing.result import Result

# Edges of branches may have any name, so these begin with a NUL.
_HOLDS, _FAILS = "\0holds", "\0fails"
_WORDS: Mapping[str, str] = {"": "goes on", _HOLDS: "when holds", _FAILS: "when does not hold"}


@dataclass(frozen=True)
class Part:
    """A flow, step, arm or response that tests can cover."""

    name: str
    where: str
    """`file:line`"""

    covered: bool
    within: str = ""
    """The flow, or the step, without which it cannot be covered."""


@dataclass(frozen=True)
class Coverage:
    """All parts of an assistant, in the order of its files."""

    flows: tuple[Part, ...]
    steps: tuple[Part, ...]
    arms: tuple[Part, ...]
    responses: tuple[Part, ...]

    @property
    def percent(self) -> float:
        """Of steps and arms together."""
        return measure_share((*self.steps, *self.arms))

    def iter_missing(self) -> Iterator[tuple[str, list[Part]]]:
        """The parts that are not covered, in groups. Parts of an uncovered part are left out."""
        groups = (
            ("flows that no test runs", self.flows),
            ("steps that no test reaches", self.steps),
            ("arms that no test takes", self.arms),
            ("responses that no test hears", self.responses),
        )
        unreached = {part.name for part in (*self.flows, *self.steps) if not part.covered}
        for title, parts in groups:
            open_ones = [p for p in parts if not p.covered and p.within not in unreached]
            if open_ones:
                yield title, open_ones


def measure_share(parts: Iterable[Part]) -> float:
    """Percent of the parts that are covered; 100 of none."""
    marks = [part.covered for part in parts]
    return 100 * sum(marks) / len(marks) if marks else 100.0


def measure_folder(folder: FilePath, results: Iterable[Result]) -> Coverage:
    """Measure what test results cover of the assistant in a folder."""
    done = list(results)
    survey = _Survey(
        Assistant(SoniConfig.load(folder)),
        read_files(find_yaml_files(folder)).positions,
        [step for result in done for step in result.steps],
        {name for result in done for name in result.responses},
    )
    return survey.survey()


@dataclass(frozen=True)
class _Survey:
    assistant: Assistant
    positions: Positions
    ran: list[Mapping[str, Any]]
    heard: set[str]

    def survey(self) -> Coverage:
        flows, responses = self.assistant.config.flows, self.assistant.config.responses
        ran = {entry["flow"] for entry in self.ran}
        return Coverage(
            flows=tuple(self._make_part("flows", name, name in ran) for name in flows),
            steps=tuple(part for flow in flows for part in self._survey_steps(flow)),
            arms=tuple(part for flow in flows for part in self._survey_arms(flow)),
            responses=tuple(
                self._make_part("responses", name, name in self.heard) for name in responses
            ),
        )

    def _make_part(self, section: str, name: str, covered: bool) -> Part:
        return Part(name, self._format_place((section, name)), covered)

    @cached_property
    def _by_step(self) -> Mapping[tuple[str, str], list[Mapping[str, Any]]]:
        entries: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for entry in self.ran:
            entries.setdefault((entry["flow"], entry["step"]), []).append(entry)
        return entries

    def _survey_steps(self, flow: str) -> Iterator[Part]:
        for place, step in self.assistant.config.flows[flow].iter_steps():
            passages = self._by_step.get((flow, step.step), [])
            covered = not all(passage.get("skipped") for passage in passages)
            where = self._format_place(("flows", flow, *place))
            yield Part(f"{flow}.{step.step}", where, covered, flow)

    def _survey_arms(self, flow: str) -> Iterator[Part]:
        plan = self.assistant.plans[flow]
        for place, step in plan.config.iter_steps():
            planned, within = plan.steps[step.step], f"{flow}.{step.step}"
            taken = set(self._find_edges_taken(flow, planned))
            guard = [(_HOLDS, ("when",)), (_FAILS, ("when",))] if planned.is_conditional else []
            for edge, key in (*guard, *step.ways()):
                name = f"{within}: {_WORDS.get(edge, edge)}"
                where = self._format_place(("flows", flow, *place, *key))
                yield Part(name, where, edge in taken, within)
        yield from self._survey_error_arm(flow, plan)

    def _find_edges_taken(self, flow: str, planned: PlannedStep) -> Iterator[str]:
        for passage in self._by_step.get((flow, planned.id), []):
            if passage.get("skipped"):
                yield _FAILS
                continue
            yield _HOLDS
            if "edge" in passage:
                yield passage["edge"]
            elif passage["to"] is not None:
                yield from _guess_edge(planned, passage["to"])

    def _survey_error_arm(self, flow: str, plan: FlowPlan) -> Iterator[Part]:
        """The flow's own `on_error` is one arm, whichever step takes it."""
        if plan.config.on_error is None:
            return
        covered = any(
            passage.get("edge") == "on_error"
            and getattr(plan.steps[passage["step"]].step, "on_error", None) is None
            for passage in self.ran
            if passage["flow"] == flow and passage["step"] in plan.steps
        )
        where = self._format_place(("flows", flow, "on_error"))
        yield Part(f"{flow}: on_error", where, covered, flow)

    def _format_place(self, path: Path) -> str:
        mark = self.positions.find_mark(self.positions.find_written(path), "key")
        if mark is None:
            return ".".join(map(str, path))
        return f"{mark.source.file}:{mark.source.locate(mark.start)[0]}"


def _guess_edge(planned: PlannedStep, to: str) -> Iterator[str]:
    """Guess the edge that a plugin's step took, since it need not name it."""
    named = [edge for edge, target in planned.targets.items() if target == to and edge != "next"]
    yield from named if named and to != planned.next else [""]
