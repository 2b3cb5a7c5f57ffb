"""Renders a turn as lines: message, commands, actions and replies."""

from collections.abc import Iterator
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from soni.audit.differences import name_instances
from soni.audit.source import Chain, dump_entry, iter_entries
from soni.audit.turn import RecordedTurn, to_datetime
from soni.cli.text import (
    clean_text,
    format_date,
    format_fields,
    format_named,
    format_plural,
    format_value,
    make_console,
    print_lines,
    to_one_line,
)
from soni.core.errors import SoniError
from soni.core.storage import Journal
from soni.testing.case_text import shorten_command

_WIDTH: Final = 9
_STYLES: Final = {
    "user": "bold",
    "api": "bold",
    "bot": "cyan",
    "command": "",
    "action": "magenta",
    "failed": "bold red",
    "refused": "yellow",
}


def render_turn(
    turn: RecordedTurn,
    *,
    timings: bool = False,
    transitions: bool = False,
    always_source: bool = False,
) -> Iterator[Text]:
    """The lines of a turn. Who understood it is named if there was a doubt, or always."""
    yield _render_head(turn)
    if turn.entry.status == "reset":
        yield _render_line("reset", "the conversation was forgotten, and begins anew")
        return
    if turn.entry.status == "erased":
        yield _render_line("erased", _describe_erasure(turn.entry.data))
        return
    if not turn.ok:
        error = to_one_line(str(turn.entry.data.get("error", "for an unknown reason")))
        yield _render_line("failed", f"{error}; nothing was stored")
        return
    for label, text in _iter_parts(turn, always_source=always_source):
        yield _render_line(label, text)
    if transitions:
        went = " -> ".join(map(to_one_line, turn.transitions))
        yield _render_line("states", went or "no transition recorded")
    if timings:
        spent = (f"{to_one_line(name)} {1000 * each:.1f} ms" for name, each in turn.timings.items())
        yield _render_line("time", ", ".join(spent) or "not recorded")


def _describe_erasure(data: dict[str, Any]) -> str:
    at, count = data.get("erased_at"), data.get("entries")
    when = f" on {format_date(to_datetime(at))}" if isinstance(at, int | float) else ""
    if isinstance(count, int):
        return f"a conversation of {format_plural(count, 'turn')} was erased{when}"
    return f"what was said here was erased{when}"


def _render_head(turn: RecordedTurn) -> Text:
    about = [format_date(turn.moment)]
    if turn.entry.message_id is not None:
        about.append(f"message {to_one_line(turn.entry.message_id)}")
    if turn.language is not None:
        about.append(to_one_line(turn.language))
    return Text.assemble((f"turn {turn.entry.turn}", "bold"), (f"  {'  '.join(about)}", "dim"))


def _render_line(label: str, text: str) -> Text:
    indented = clean_text(text).replace("\n", "\n" + " " * (_WIDTH + 4))
    style = _STYLES.get(label, "dim")
    return Text.assemble((f"  {label:<{_WIDTH}}  ", "dim"), (indented, style))


def _iter_parts(turn: RecordedTurn, *, always_source: bool) -> Iterator[tuple[str, str]]:
    if turn.message is not None:
        yield "user", turn.message
    if "api" in turn.facts:
        yield "api", str(turn.facts["api"])
    if turn.context:
        yield "context", format_fields(turn.context)
    if always_source or _is_doubtful(turn):
        yield "source", _describe_source(turn)
    for made in turn.commands:
        yield "command", _format_command(made)
    for result in turn.results:
        yield "result", _format_outcome(str(result.get("command")), result, "result")
    told_why = [result.get("reason") for result in turn.results]
    for write in turn.writes:
        if "refused" in write and write["refused"] not in told_why:
            yield "refused", f"{to_one_line(str(write.get('slot')))}: {write['refused']}"
    for step in turn.steps:
        yield "step", _format_step(step)
    for call in turn.actions:
        yield "action", _format_action(call)
    yield from _iter_values(turn)
    for text in turn.replies:
        yield "bot", text
    for event in turn.events:
        yield "event", _format_event(event)
    yield "state", _format_state(turn)


def _is_doubtful(turn: RecordedTurn) -> bool:
    """Whether the provider was not sure, or gave its reasons."""
    sure = turn.confidence
    return turn.reasoning is not None or (sure is not None and sure < 1)


def _describe_source(turn: RecordedTurn) -> str:
    confidence = "?" if turn.confidence is None else f"{turn.confidence:.2f}"
    shown = f"{to_one_line(turn.source) or '?'}, confidence {confidence}"
    return f"{shown} ({to_one_line(turn.reasoning)})" if turn.reasoning else shown


def _format_command(made: dict[str, Any]) -> str:
    name = str(made.get("command"))
    told = shorten_command({name: made["args"]}, bare=False)
    shown = f"{to_one_line(name)} {format_fields(told[name])}".rstrip()
    text = _format_outcome(shown, made, "decision")
    instead = [to_one_line(str(other.get("command"))) for other in made["to"]]
    return f"{text} -> {', '.join(instead)}" if instead else text


def _format_outcome(shown: str, made: dict[str, Any], key: str) -> str:
    reason = f" ({to_one_line(str(made['reason']))})" if made.get("reason") else ""
    return f"{shown}: {to_one_line(str(made.get(key)))}{reason}"


def _format_step(step: dict[str, Any]) -> str:
    skipped = ", skipped" if step.get("skipped") else ""
    going = f"-> {step['to']}" if step.get("to") is not None else "waits"
    return to_one_line(f"{step.get('flow')}.{step.get('step')} {going}{skipped}")


def _format_action(call: dict[str, Any]) -> str:
    cut = str(call.get("cut") or "")
    given = "..." if "inputs" in cut else format_named(call.get("inputs"))
    if "error" in call:
        came = f"failed: {format_named(call['error'])}"
    elif "need" in call:
        came = f"needs {to_one_line(str(call['need']))}"
    elif "outputs" in cut:
        came = "a result too long to record"
    else:
        came = format_named(call.get("outputs")) or "nothing"
    return f"{to_one_line(str(call.get('action')))}({given}) -> {came}"


def _iter_values(turn: RecordedTurn) -> Iterator[tuple[str, str]]:
    names = name_instances(turn.stack)
    for flow_id, new in turn.slots.items():
        yield "slots", f"{to_one_line(names.get(flow_id, flow_id))}: {format_fields(new)}"
    if turn.shared:
        yield "slots", f"conversation: {format_fields(turn.shared)}"


def _format_event(event: dict[str, Any]) -> str:
    named = {name: event[name] for name in event if name not in ("event", "flow_id")}
    about = {name: item for name, item in named.items() if item is not None}
    return f"{to_one_line(str(event.get('event')))} {format_fields(about)}".rstrip()


def _format_state(turn: RecordedTurn) -> str:
    open_flows = " > ".join(map(to_one_line, name_instances(turn.stack).values())) or "no open flow"
    state = "handed off" if turn.after.get("handoff") else str(turn.after.get("state"))
    parts = [state, open_flows]
    if turn.after.get("step"):
        parts.append(f"at {turn.after['step']}")
    if turn.after.get("waiting_for"):
        parts.append(f"waiting for {format_value(turn.after['waiting_for'])}")
    return ", ".join(map(to_one_line, parts))


async def show_turns(
    journal: Journal,
    conversation_id: str,
    console: Console,
    *,
    only: int | None,
    timings: bool,
    transitions: bool = False,
    is_pruned: bool = False,
) -> bool:
    """Print every turn, or one. Returns whether the journal is unchanged."""
    chain, shown = Chain(is_pruned=is_pruned), 0
    async for entry in chain.follow_entries(iter_entries(journal, conversation_id)):
        if only in (None, entry.turn):
            if shown:
                console.print()
            turn = RecordedTurn(entry)
            print_lines(console, render_turn(turn, timings=timings, transitions=transitions))
            shown += 1
    if only is not None and not shown:
        raise SoniError(f"there is no turn {only} in conversation '{conversation_id}'")
    console.print()
    console.print(render_verdict(chain), soft_wrap=True)
    return chain.broken is None


async def show_entries(
    journal: Journal,
    conversation_id: str,
    console: Console,
    *,
    only: int | None,
    is_pruned: bool = False,
) -> bool:
    """Print every entry as JSON; that the journal is broken is said on stderr."""
    chain = Chain(is_pruned=is_pruned)
    async for entry in chain.follow_entries(iter_entries(journal, conversation_id)):
        if only in (None, entry.turn):
            console.print(Text(dump_entry(entry)), soft_wrap=True)
    if chain.broken is not None:
        make_console(stderr=True).print(render_verdict(chain), soft_wrap=True)
    return chain.broken is None


def render_verdict(chain: Chain) -> Text:
    """A line that says whether the journal is unchanged."""
    if chain.broken is not None:
        return Text(clean_text(f"the journal was changed: {chain.broken}"), "bold red")
    count = f"{chain.length} entr{'y' if chain.length == 1 else 'ies'}"
    since = f" from entry {chain.first}, those before are kept no longer" if chain.first > 1 else ""
    return Text(f"{count} verified: the chain of hashes is whole{since}", "green")
