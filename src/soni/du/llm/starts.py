"""Starts: not more flows than a message has parts."""

from collections.abc import Sequence

from soni.commands import Command, StartFlow
from soni.du.llm.moment import Moment
from soni.du.local.words.questions import joints
from soni.du.nearest import nearest_flows
from soni.language import find_language, has_language


async def limit_starts(commands: Sequence[Command], message: str, moment: Moment) -> list[Command]:
    """Without the flows that are further from the message than as many others as it has parts.

    A small model that cannot tell which one is meant starts them all.
    """
    starts = [command for command in commands if isinstance(command, StartFlow)]
    language = moment.context.language
    parts = 1 + sum(1 for _ in joints(message, find_language(language)))
    if len(starts) <= parts or not has_language(language):
        return list(commands)
    names = {each.flow_name for each in starts}
    flows = [flow for flow in moment.flows if flow.name in names]
    near = {flow.name for flow in await nearest_flows(message, flows, (), parts, language)}
    return [each for each in commands if not isinstance(each, StartFlow) or each.flow_name in near]
