"""One node per step: run the step, apply what it did, say where control goes."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from langgraph.runtime import Runtime

from soni.commands.output import make_slot_env, reword_text, voice_of
from soni.compiler.state import FlowState, FlowUpdate
from soni.compiler.view import RunningStep
from soni.config.plan import FlowPlan, PlannedStep
from soni.core.constants import FAIL, IN_DOUBT_SLOT, ConversationState
from soni.core.errors import Refusal
from soni.core.expressions import ExpressionError
from soni.core.masking import find_secrets, mask_text
from soni.core.prompts import make_collect_prompt, make_confirm_prompt
from soni.core.records import Reply, SlotWriteNote, StepRequest
from soni.core.telemetry import SpanKind, keep_name
from soni.core.types import FlowContext, Progress, RuntimeContext, StepRun
from soni.flow.irreversible import TooLateError
from soni.flow.loops import begin_pass, forget_steps
from soni.flow.rewind import rewind
from soni.flow.steps import record_passage
from soni.steps import Calling, Failure, HandingOff, Linking, Outcome, StepConfig, Wait
from soni.steps.ui import make_ui_reply


@dataclass(frozen=True)
class StepNode:
    """The node every step type gets: the step itself says what to do.

    An object, not a function: LangGraph disassembles the bytecode of functions to find subgraphs.
    """

    planned: PlannedStep
    plan: FlowPlan

    async def __call__(self, state: FlowState, runtime: Runtime[RuntimeContext]) -> FlowUpdate:
        """Run the step and return what changed."""
        planned, flow = self.planned, self.plan.name
        with runtime.context.telemetry.start(
            SpanKind.STEP, planned.id, flow=flow, type=planned.step.type
        ) as span:
            run = _StepRun(planned, self.plan, state, runtime.context)
            changes = await run.collect_updates()
            failure = changes.get("error")
            if failure is not None:
                span.note(outcome="failed", error=keep_name(failure["type"]))
            elif changes.get("_need_input"):
                span.note(outcome="waiting")
            return changes


@dataclass
class _StepRun:
    """One run of one step. Lives for one node call."""

    planned: PlannedStep
    plan: FlowPlan
    state: FlowState
    context: RuntimeContext

    def __post_init__(self) -> None:
        self.progress: Progress = self.state["instance"]["progress"]
        self.slots = dict(self.state["slots"])
        self.shared = dict(self.state["shared"])
        self.phase = self.state["conversation_state"]
        self.said: list[Reply] = []
        self.changes: FlowUpdate = {}
        self.voice = voice_of(self.state, self.context)

    @property
    def values(self) -> dict[str, Any]:
        return {**self.shared, **self.slots}

    async def collect_updates(self) -> FlowUpdate:
        """Run the step and return what changed."""
        step_id = self.planned.id
        runs = {**self.state["runs"], step_id: self.state["runs"].get(step_id, 0) + 1}
        self.changes["runs"] = runs
        if runs[step_id] > self.context.config.settings.runtime.max_step_executions:
            message = f"step '{step_id}' ran too often"
            return self._fail_step(Failure("loop_detected", message, FAIL))
        remembered = next((p for p in self.progress["skip"] if p["step"] == step_id), None)
        if remembered is not None:
            return self._keep_result(remembered)
        lost = [name for name in self.progress["lost"] if name in self.planned.reads]
        wanted = [*self.progress["ask"], *lost]
        asked = next((name for name in wanted if name not in self.values), None)
        if asked is not None:
            return self._wait_for_user(Wait(self._render_question(asked), slot=asked))
        return await self._run()

    async def _run(self) -> FlowUpdate:
        step, step_id = self.planned.step, self.planned.id
        visits = {**self.progress["visits"]}
        visits[step_id] = visits.get(step_id, 0) + 1
        self.progress = {**self.progress, "visits": visits, "ask": []}
        view = RunningStep(
            step_id,
            self._make_instance(self.state["instance"]["current_step"]),
            self.values,
            self.voice,
            self.context,
            self._say_text,
            self.plan,
        )
        try:
            guard = None if self._is_resumed_call else step.when
            if isinstance(guard, str) and not view.is_true(guard):
                return self._skip_step()
            if self.planned.action is not None:
                self._move_phase(ConversationState.EXECUTING_ACTION)
            outcome = await step.run(view)
        except ExpressionError as error:
            return self._fail_step(Failure("expression", str(error), _get_own_error_target(step)))
        finally:
            self._record_calls(view)
        self._update_progress(outcome)
        return await self._apply_outcome(outcome)

    @property
    def _is_resumed_call(self) -> bool:
        """Whether the step resumes a call. Its guard no longer matters then."""
        left = self.progress["called"].get(self.planned.id)
        again = left is not None and left["again"] is not None
        by_itself = self.planned.guard_reads <= self.planned.fills
        return self.progress["returned"] is not None or (again and by_itself)

    def _update_progress(self, outcome: Outcome) -> None:
        progress = forget_steps(self.progress, outcome.forget)
        if outcome.passes is not None:
            progress = begin_pass(
                progress,
                self.plan,
                self.planned.id,
                outcome.passes,
                self.values,
                self.context.assistant.is_sensitive,
            )
        self.progress = {
            **progress,
            "answer": None,
            "returned": None,
            "changing": outcome.changing,
            "asking": outcome.asking,
        }

    def _skip_step(self) -> FlowUpdate:
        """Skip the step because its guard does not hold. Its jump is skipped too."""
        step_id, following = self.planned.id, self.planned.skipped
        # The answer was meant for this step, so no later step may use it.
        unanswered: Progress = {**self.progress, "answer": None, "changing": False}
        self.progress = record_passage(unanswered, self.plan, step_id, following, skipped=True)
        self._note_passage(following, skipped=True)
        return self._leave_step(following)

    async def _apply_outcome(self, outcome: Outcome) -> FlowUpdate:
        if outcome.failure is not None:
            return self._fail_step(outcome.failure)
        self._unset_slots(outcome.unset)
        if outcome.wait is not None:
            self._note_passage(None, edge=outcome.edge)
            question = await reword_text(outcome.wait.text, self.context)
            return self._wait_for_user(replace(outcome.wait, text=question))
        try:
            broken = await self._write_slots(outcome.writes)
        except Refusal as refused:
            reason = self.voice.render_refusal(refused, self.values)
            kind = "invalid_input" if outcome.again else "invalid_output"
            return self._fail_step(Failure(kind, reason, _get_own_error_target(self.planned.step)))
        if outcome.again:
            here = self.planned.id
            return self._leave_step(self._go_back(broken, here) if broken else here)
        for text in outcome.say:
            self._say_text(await reword_text(text, self.context), outcome.ui)
        if isinstance(outcome.request, Calling):
            # The step is done only when the called flow has ended.
            self._note_passage(None)
            self.changes["request"] = _dump_request(outcome.request)
            return self._leave_step(self.planned.id)
        following = self.plan.resolve_target(self.planned.id, outcome.to)
        self._note_passage(following, edge=outcome.edge)
        self.progress = record_passage(self.progress, self.plan, self.planned.id, following)
        if outcome.request is not None:
            self.changes["request"] = _dump_request(outcome.request)
        if broken:
            following = self._go_back(broken, following)
        return self._leave_step(following)

    async def _write_slots(self, writes: Mapping[str, Any]) -> dict[str, str]:
        """Write all values or none: a refusal leaves every slot as it was."""
        before = dict(self.slots), dict(self.shared)
        broken: dict[str, str] = {}
        try:
            for name, value in writes.items():
                written = await self.context.slot_writer.write(
                    name,
                    value,
                    self.values,
                    make_slot_env(self.context),
                    self.voice,
                    collected=self.plan.takes_text(name),
                )
                self._store_value(name, written.value)
                self._note_write(name)
                # A slot that is written now satisfies its constraint again.
                broken.pop(name, None)
                broken.update(written.broken)
        except Refusal:
            self.slots, self.shared = before
            raise
        return broken

    def _store_value(self, name: str, value: Any) -> None:
        home = self.shared if self.context.assistant.is_shared(name) else self.slots
        home[name] = value

    def _note_write(self, name: str) -> None:
        called = self.planned.actions
        brings = any(ref.kind == "flow" for ref in self.planned.step.refs())
        note: SlotWriteNote = {
            "flow_id": self.state["instance"]["flow_id"],
            "slot": name,
            "by": "flow" if brings else "action" if called else "step",
            "step": self.planned.id,
        }
        if called:
            makes = (each.name for each in called if name in (each.outputs or ()))
            note["action"] = next(makes, called[0].name)
        self.context.turn_trace.note_write(note)

    def _unset_slots(self, names: Iterable[str]) -> None:
        for name in names:
            self.slots.pop(name, None)
            self.shared.pop(name, None)

    def _go_back(self, broken: dict[str, str], following: str) -> str:
        """Ask again for slots whose constraints a computed value broke."""
        here, plans = self._make_instance(following), self.context.assistant.plans
        try:
            back = rewind(self.plan, here, (), broken, plans=plans)
        except TooLateError:
            # The effect of the old value cannot be undone, so there is nothing to ask.
            return following
        for words in broken.values():
            self._say_text(words)
        self._unset_slots((*broken, *back.unset))
        for name, value in back.restored.items():
            self._store_value(name, value)
        self.progress = back.progress
        return back.current_step or following

    def _keep_result(self, before: StepRun) -> FlowUpdate:
        """Skip the step because its result still holds after a correction."""
        step_id = self.planned.id
        skip = [passage for passage in self.progress["skip"] if passage["step"] != step_id]
        kept: Progress = {**self.progress, "skip": skip}
        following = self.plan.resolve_target(step_id, before["next"])
        skipped = before.get("skipped", False)
        self.progress = record_passage(kept, self.plan, step_id, following, skipped=skipped)
        return self._leave_step(following)

    def _fail_step(self, failure: Failure) -> FlowUpdate:
        message = mask_text(failure.message, self._list_secrets())
        self.slots.update(_error=True, _error_type=failure.type, _error_message=message)
        self.slots.pop(IN_DOUBT_SLOT, None)
        if not failure.outcome_known:
            self.slots[IN_DOUBT_SLOT] = True
        if self.phase != ConversationState.ERROR.value:
            self._move_phase(ConversationState.ERROR)
        to = failure.to or self._get_error_target()
        following = self.plan.resolve_target(self.planned.id, to)
        self._note_passage(following, edge="" if to == FAIL else "on_error")
        unanswered: Progress = {**self.progress, "answer": None}
        self.progress = record_passage(unanswered, self.plan, self.planned.id, following)
        self.changes["error"] = {"type": failure.type, "message": message, "step": self.planned.id}
        return self._leave_step(following)

    def _list_secrets(self) -> list[Any]:
        own = find_secrets([self.values], self.context.assistant.is_sensitive)
        return [*own, *self.context.secrets]

    def _get_error_target(self) -> str:
        on_error = self.plan.config.on_error
        # A failing error step must not handle its own failure: it would loop forever.
        return FAIL if on_error is None or on_error == self.planned.id else on_error

    def _wait_for_user(self, wait: Wait) -> FlowUpdate:
        flow_id, step_id = self.state["instance"]["flow_id"], self.planned.id
        if wait.slot is None:
            changing = self.progress["changing"]
            prompt = make_confirm_prompt(wait.text, flow_id, step_id, changing=changing)
            self._move_phase(ConversationState.CONFIRMING)
        else:
            prompt = make_collect_prompt(wait.text, wait.slot, flow_id, step_id, wait.options)
            self._move_phase(ConversationState.WAITING_FOR_SLOT)
        asked = make_ui_reply(wait.text, wait.ui)
        prompt["prompt"] = asked["text"]
        if wait.ui is not None:
            prompt["data"] = {**prompt["data"], "ui": asked["ui"]}
        self.changes["_need_input"] = True
        self.changes["_pending_prompt"] = prompt
        return self._leave_step(step_id)

    def _leave_step(self, following: str) -> FlowUpdate:
        return {
            **self.changes,
            "step": following,
            "instance": self._make_instance(following),
            "slots": self.slots,
            "shared": self.shared,
            "conversation_state": self.phase,
            "replies": self.said,
        }

    def _make_instance(self, step: str | None) -> FlowContext:
        return {**self.state["instance"], "current_step": step, "progress": self.progress}

    def _render_question(self, slot: str) -> str:
        message = self.plan.find_question(slot)
        if message is not None:
            return self.voice.render_text(message, self.values)
        return self.voice.render_prompt(slot, self.values) or f"{slot}?"

    def _say_text(self, text: str, ui: Mapping[str, Any] | None = None) -> None:
        said = make_ui_reply(text, ui)
        self.said.append(said)
        self.context.emit(said["text"])

    def _note_passage(self, to: str | None, *, edge: str = "", skipped: bool = False) -> None:
        self.context.turn_trace.note_step(
            self.plan.name, self.planned.id, to, edge=edge, skipped=skipped
        )

    def _move_phase(self, to: ConversationState) -> None:
        self.phase = self.context.move(self.phase, to).get("conversation_state", self.phase)

    def _record_calls(self, view: RunningStep) -> None:
        if view.calls:
            self.changes["actions"] = view.calls
            self.changes["trace"] = [
                {
                    "event": "action_called",
                    "timestamp": self.context.now(),
                    "data": {"step": self.planned.id, "action": call["action"]},
                }
                for call in view.calls
            ]


def _dump_request(request: Calling | Linking | HandingOff) -> StepRequest:
    return cast(StepRequest, {"kind": type(request).__name__, **asdict(request)})


def _get_own_error_target(step: StepConfig) -> str | None:
    way_out: str | None = getattr(step, "on_error", None)
    return way_out
