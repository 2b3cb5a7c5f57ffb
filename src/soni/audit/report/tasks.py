"""Follows the tasks of one conversation from start to end."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from soni.audit.report.figures import Figures, FlowFigures
from soni.audit.turn import RecordedTurn, parse_flow_name

_OUTCOMES: Final = {
    "flow_completed": "completed",
    "flow_cancelled": "cancelled",
    "flow_abandoned": "abandoned",
    "flow_error": "failed",
}
NOT_BEGUN: Final = "(not begun)"


@dataclass
class _Task:
    flow: str
    counted: Sequence[FlowFigures]
    """Where it is counted; nowhere, if it was begun outside of the time that is reported."""

    step: str = NOT_BEGUN
    turns: int = 0
    reached: set[str] = field(default_factory=set)

    def reach_step(self, step: str) -> None:
        """Note where it stands."""
        self.step = step
        if step not in self.reached:
            self.reached.add(step)
            for flow in self.counted:
                flow.reached[step] += 1


class TaskTracker:
    """The open tasks by the id of their first flow. Called flows belong to their task."""

    def __init__(self) -> None:
        self._open: dict[str, _Task] = {}
        self._task_of: dict[str, str] = {}
        self._fell: dict[str, str] = {}
        self._handed_off = False

    def follow_turn(self, turn: RecordedTurn, counted: Sequence[Figures]) -> None:
        """Process the next turn; the tasks that it begins are counted there."""
        taking_part = {self._find_root(turn.before.get("stack"))}
        if turn.facts.get("release"):
            self._handed_off = False
        self._fell = {}
        for event in turn.events:
            taking_part.add(self._follow_event(event, counted))
        for root, task in self._open.items():
            task.turns += root in taking_part and turn.message is not None
        self._close_ended(turn)
        self._note_position(turn)

    def abandon_open_tasks(self) -> None:
        """End the open tasks because the conversation was reset."""
        self.finish_open_tasks("abandoned")
        self._handed_off = False

    def finish_open_tasks(self, outcome: str) -> None:
        """End the open tasks because the journal ends here."""
        for root in list(self._open):
            self._end_task(root, "handed_off" if self._handed_off else outcome)
        self._task_of = {}

    def find_active_task(self, turn: RecordedTurn) -> tuple[str | None, str | None]:
        """The flow of the task that was active before the turn, if it counts, and its place."""
        task = self._open.get(self._find_root(turn.before.get("stack")) or "")
        if task is None:
            return None, None
        return task.flow if task.counted else None, f"{task.flow}: {task.step}"

    def _follow_event(self, event: dict[str, Any], counted: Sequence[Figures]) -> str | None:
        flow_id, name = str(event.get("flow_id")), str(event.get("flow_name"))
        kind = str(event.get("event"))
        if kind == "handoff":
            self._handed_off = True
        elif kind == "flow_started":
            caller = self._task_of.get(str(event.get("called_by")))
            self._task_of[flow_id] = caller or flow_id
            if caller is None:
                flows = [figures.get_flow(name) for figures in counted]
                self._open[flow_id] = _Task(name, flows)
            return caller or flow_id
        elif kind in _OUTCOMES:
            root = self._task_of.get(flow_id, flow_id)
            step = str(event.get("step") or NOT_BEGUN)
            # The innermost flow that did not complete says where the task was left.
            if flow_id == root or kind != "flow_completed":
                self._fell.setdefault(root, step if flow_id == root else f"{name}.{step}")
        return None

    def _close_ended(self, turn: RecordedTurn) -> None:
        for event in turn.events:
            flow_id, kind = str(event.get("flow_id")), str(event.get("event"))
            if kind not in _OUTCOMES:
                continue
            if flow_id in self._open:
                task = self._open[flow_id]
                if kind != "flow_completed":
                    task.reach_step(self._fell.get(flow_id, task.step))
                self._end_task(flow_id, _OUTCOMES[kind])
            self._task_of.pop(flow_id, None)

    def _end_task(self, root: str, outcome: str) -> None:
        task = self._open.pop(root)
        if outcome not in ("completed", "open"):
            task.reach_step(task.step)
        for flow in task.counted:
            flow.outcomes[outcome] += 1
            if outcome == "completed":
                flow.turns.add(task.turns)
            elif outcome != "open":
                flow.left_at[task.step] += 1

    def _note_position(self, turn: RecordedTurn) -> None:
        root, step = self._find_root(turn.stack), turn.after.get("step")
        if root in self._open and step is not None:
            top = parse_flow_name(turn.stack[-1])
            place = str(step) if turn.stack[-1] == root else f"{top}.{step}"
            self._open[root].reach_step(place)

    def _find_root(self, stack: Any) -> str | None:
        top = str(stack[-1]) if isinstance(stack, list) and stack else ""
        return self._task_of.get(top)
