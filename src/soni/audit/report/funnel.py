"""The funnel of a flow: how far its tasks came, and the steps at which they stopped."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from soni.audit.report.figures import FlowFigures
from soni.config.flow import FlowConfig
from soni.steps.call import CallStepConfig


@dataclass(frozen=True)
class Stage:
    """A step at which tasks stood."""

    step: str
    reached: int
    """Tasks that stood there at some time. Whoever says all at once passes most steps by."""

    stopped: int
    """Those that were cancelled, abandoned, handed off or failed there."""

    @property
    def share(self) -> float:
        """The share of tasks that came here and went no further."""
        return self.stopped / self.reached if self.reached else 0.0


def build_funnel(
    name: str, figures: FlowFigures, flows: Mapping[str, FlowConfig] | None = None
) -> list[Stage]:
    """The stages in the order of the flow's steps; those that it has no longer come last."""
    written = {step: place for place, step in enumerate(_iter_steps(name, flows or {}, ()))}

    def get_place(step: str) -> tuple[int, int, str]:
        # A task that was left before its first question.
        if step.startswith("("):
            return -1, 0, step
        return written.get(step, len(written)), -figures.reached[step], step

    return [
        Stage(step, figures.reached[step], figures.left_at[step])
        for step in sorted(figures.reached, key=get_place)
    ]


def _iter_steps(
    name: str, flows: Mapping[str, FlowConfig], callers: tuple[str, ...]
) -> Iterator[str]:
    """The steps as tasks name them. Those of a called flow stand where it is called."""
    flow = flows.get(name)
    if flow is None or name in callers:
        return
    for _, step in flow.iter_steps():
        yield f"{name}.{step.step}" if callers else str(step.step)
        if isinstance(step, CallStepConfig):
            yield from _iter_steps(step.flow, flows, (*callers, name))
