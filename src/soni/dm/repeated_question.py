"""A yes/no question that is put again after an answer that only sounded like a yes."""

from collections.abc import Sequence
from typing import Any

from soni.commands.consent import NO_PLAIN_YES, read_plain_answer, sounds_like_yes
from soni.commands.consent_words import has_grammar
from soni.commands.output import render_response
from soni.commands.policy import Decision
from soni.commands.situation import Situation
from soni.core.prompts import YES_NO_KINDS, Prompt
from soni.core.records import Reply, TurnFacts
from soni.core.types import DialogueState, RuntimeContext
from soni.language import find_language
from soni.steps.ui import make_ui_reply


def count_doubts(decisions: Sequence[Decision], situation: Situation) -> TurnFacts:
    """How often the open question was answered by what is no plain yes, now included."""
    prompt = situation.prompt
    if not situation.asks_yes_or_no or prompt["data"].get("changing"):
        return {}
    times = prompt.get("doubts", 0) + _is_doubtful(decisions, situation)
    return {"doubts": times, "doubted": prompt} if times else {}


def _is_doubtful(decisions: Sequence[Decision], situation: Situation) -> bool:
    if situation.spoken is None or read_plain_answer(situation) is not None:
        return False
    understood = any(decision.reason == NO_PLAIN_YES for decision in decisions)
    return understood or sounds_like_yes(situation)


def put_question(
    prompt: Prompt, state: DialogueState, context: RuntimeContext
) -> tuple[list[Reply], Prompt]:
    """The messages that ask, and the question as it is kept.

    Put again, a yes/no question has buttons and is shorter each time, unless its values changed.
    """
    times = _count_repeats(prompt, state)
    ui = prompt["data"].get("ui")
    if not times:
        asked: Reply = {"text": prompt["prompt"]}
        return [{**asked, "ui": ui} if ui else asked], prompt
    words = {name: render_response(name, state, context) for name in ("yes", "no")}
    text = str(ui["message"]) if ui else prompt["prompt"]
    # Where nothing else is known to be a yes, people are told the word at once.
    knows_more = has_grammar(find_language(context.language))
    if times > 1 or not knows_more:
        name = "confirm_shortly" if times > 2 and knows_more else "confirm_again"
        text = render_response(name, state, context, **words)
    buttons = ui or {"type": "buttons", "options": make_answers(state, context), "plain": text}
    return [make_ui_reply(text, buttons)], {**prompt, "doubts": times}


def make_answers(state: DialogueState, context: RuntimeContext) -> list[dict[str, Any]]:
    """Yes and no as options."""
    commands = {"yes": "AffirmConfirmation", "no": "DenyConfirmation"}
    return [
        {"label": render_response(name, state, context), "command": {"type": command}}
        for name, command in commands.items()
    ]


def _count_repeats(prompt: Prompt, state: DialogueState) -> int:
    times, before = state["turn"].get("doubts", 0), state["turn"].get("doubted")
    if not times or before is None or prompt["kind"] not in YES_NO_KINDS:
        return 0
    places = {(each["kind"], each["flow_id"], each["step"]) for each in (before, prompt)}
    if len(places) > 1 or prompt["data"].get("changing"):
        return 0
    return times if before["prompt"] == prompt["prompt"] else 1
