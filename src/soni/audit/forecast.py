"""What a deployment of an assistant would do to open conversations."""

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from soni.audit.source import PAGE_SIZE
from soni.config.assistant import Assistant
from soni.config.slot import SlotConfig
from soni.config.soni_config import SoniConfig
from soni.config.version import dump_flows, fingerprint_flows, list_slots
from soni.core.errors import SoniError
from soni.core.state import create_initial_state
from soni.core.storage import Store
from soni.core.types import DialogueState, FlowContext
from soni.flow.adaptation import plan_adaptation
from soni.flow.stack import open_context
from soni.persistence.state_format import load_checkpoint, read_state
from soni.persistence.volatile_tables import VolatileDirectory, VolatileVersions
from soni.runtime.versions import AssistantVersions, VersionError

_GONE: Final = "the slot is gone"


@dataclass(frozen=True)
class FlowForecast:
    """What becomes of one open flow."""

    flow: str
    step: str | None
    """Where it stands; None: it has not begun."""

    outcome: Literal["continues", "restarts", "ends"]
    lost: Mapping[str, str]
    """Slots whose values are lost, or may be, with the reason."""

    finishes: bool = False
    """It goes on with the flows that it began with."""

    note: str | None = None
    """Why it cannot, although the settings want it."""

    @property
    def is_unharmed(self) -> bool:
        """Whether the user notices nothing."""
        return self.outcome == "continues" and not self.lost


@dataclass(frozen=True)
class ConversationForecast:
    """What becomes of one conversation."""

    conversation_id: str
    flows: tuple[FlowForecast, ...]
    """Its open flows, the active one last."""

    problem: str | None = None
    """Why its state cannot be read."""

    @property
    def is_unharmed(self) -> bool:
        """Whether the user notices nothing."""
        return self.problem is None and all(each.is_unharmed for each in self.flows)


async def forecast_store(config: SoniConfig, store: Store) -> AsyncIterator[ConversationForecast]:
    """What becomes of every conversation with an open task, in the order of their ids."""
    versions = AssistantVersions(config)
    versions.attach(store.versions)
    after: str | None = None
    while page := await store.directory.list_conversations(after=after, limit=PAGE_SIZE):
        for known in page:
            found = await _forecast_conversation(known.conversation_id, store, versions)
            if found is not None:
                yield found
        after = page[-1].conversation_id


async def _forecast_conversation(
    conversation_id: str, store: Store, versions: AssistantVersions
) -> ConversationForecast | None:
    try:
        stored = await load_checkpoint(store.checkpointer, conversation_id)
    except SoniError as error:
        return ConversationForecast(conversation_id, (), str(error))
    state = read_state(stored.checkpoint["channel_values"]) if stored else None
    if state is None or not state["flow_stack"]:
        return None
    return ConversationForecast(conversation_id, tuple(await forecast_flows(state, versions)))


async def forecast_flows(state: DialogueState, versions: AssistantVersions) -> list[FlowForecast]:
    """What the next turn does to the open flows: the engine decides by the same functions."""
    assistant = await versions.find_assistant(state)
    found = []
    for flow in state["flow_stack"]:
        own = state["flow_slots"].get(flow["flow_id"], {})
        adapted = plan_adaptation(flow, {**state["conversation_slots"], **own}, assistant)
        lost = {
            name: _describe_misfit(name, assistant) for name in (adapted.lost if adapted else ())
        }
        if adapted is not None and adapted.outcome != "ends":
            lost |= dict.fromkeys(await _find_removed(flow, own, versions, assistant), _GONE)
        found.append(
            FlowForecast(
                flow["flow_name"],
                flow["current_step"],
                adapted.outcome if adapted else "continues",
                lost,
                finishes=flow["flow_name"] in assistant.pinned,
                note=assistant.unpinned.get(flow.get("version", "")),
            )
        )
    return found


async def forecast_steps(old: SoniConfig, config: SoniConfig) -> list[FlowForecast]:
    """What becomes of conversations at each step of each flow of an earlier version."""
    content = dump_flows(old)
    version = fingerprint_flows(content)
    archive = VolatileVersions(VolatileDirectory())
    await archive.save(version, content)
    versions = AssistantVersions(config)
    versions.attach(archive)
    then = await versions.load_version(version)
    found = []
    for name, plan in then.plans.items():
        for step in plan.steps:
            instance: FlowContext = {
                **open_context(name, name, 0.0, None, None),
                "current_step": step,
                "version": version,
            }
            state: DialogueState = {**create_initial_state(), "flow_stack": [instance]}
            (forecast,) = await forecast_flows(state, versions)
            assistant = await versions.find_assistant(state)
            changed = dict(_iter_changed_slots(name, then, assistant))
            kept = {} if forecast.outcome == "ends" else changed
            found.append(FlowForecast(**{**vars(forecast), "lost": kept}))
    return found


def _describe_misfit(name: str, assistant: Assistant) -> str:
    kind = assistant.get_slot_config(name).type
    return f"its value is no {kind}" if kind != "choice" else "its value is none of the choices"


async def _find_removed(
    flow: FlowContext, slots: Mapping[str, Any], versions: AssistantVersions, assistant: Assistant
) -> list[str]:
    """Slots with a value that were defined, and that nothing in the flow knows any more."""
    known = _list_known_names(flow["flow_name"], assistant)
    unknown = [name for name, value in slots.items() if value is not None and name not in known]
    if not unknown:
        return []
    try:
        old = await versions.load_version(flow.get("version", ""))
    except VersionError:
        return []  # whether a slot was meant, or only a value of an action, is not on record
    return [name for name in unknown if old.is_declared(name)]


def _iter_changed_slots(flow: str, old: Assistant, now: Assistant) -> Iterator[tuple[str, str]]:
    """Slots of which values may be lost, by their definitions alone."""
    known = _list_known_names(flow, now)
    for name in list_slots(old, flow):
        if name not in known:
            yield name, _GONE
        elif now.is_declared(name) and (reason := _describe_change(old, now, name)) is not None:
            yield name, reason


def _describe_change(old: Assistant, now: Assistant, name: str) -> str | None:
    was: SlotConfig = old.get_slot_config(name)
    becomes: SlotConfig = now.get_slot_config(name)
    if was.type != becomes.type:
        return f"{was.type} becomes {becomes.type}"
    gone = [value for value in was.values if value not in becomes.values]
    return f"no longer a choice: {', '.join(gone)}" if gone else None


def _list_known_names(flow: str, assistant: Assistant) -> set[str]:
    plan = assistant.plans.get(flow)
    steps = plan.steps.values() if plan is not None else ()
    used = (planned.reads | planned.writes for planned in steps)
    return {*assistant.config.slots}.union(*used)
