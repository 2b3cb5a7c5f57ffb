"""Questions: what an assistant waits for, and answers to it by programs rather than by words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from soni.commands import AffirmConfirmation, CancelFlow, DenyConfirmation, SetSlot, SkipSlot
from soni.config.assistant import Assistant
from soni.core.errors import NotAllowedError
from soni.core.prompts import Prompt, is_consent
from soni.core.types import DialogueState
from soni.runtime.open_question import find_open_question
from soni.runtime.turn import Message
from soni.server.named_conversations import derive_message_id
from soni.server.slot_schema import Schema, make_slot_schema

ANSWER: Final = "answer"
"""The property that holds an answer."""


@dataclass(frozen=True)
class Question:
    """An open question of a conversation.

    Its answer has an id of its own, so the same question is answered once, however often an
    answer arrives; and an answer to a question that is no longer open does nothing.
    """

    conversation_id: str
    turn: int
    """The turn that ended with it."""

    resets: int
    """How often the conversation was forgotten: its turns are counted anew."""

    kind: str
    text: str
    slot: str | None
    flow_id: str | None
    options: tuple[str, ...]
    """What can be chosen, as the user reads it."""

    offered: tuple[str, ...]
    """Those of them that are buttons."""

    is_consent: bool
    """Only a plain yes lets it be done."""

    is_sensitive: bool = False
    is_optional: bool = False
    schema: Schema = field(default_factory=dict)
    """What an answer may be."""

    @property
    def id(self) -> str:
        """What it is called, and its answer's message id."""
        return derive_message_id("q", str(self.resets), str(self.turn))

    @property
    def form(self) -> Schema:
        """A form with the answer as its one field."""
        required = {} if self.is_optional else {"required": [ANSWER]}
        return {"type": "object", "properties": {ANSWER: self.schema}, **required}

    def make_answer_message(self, user_id: str, answer: Any) -> Message:
        """A message with an answer; None leaves out what is optional."""
        commands: Sequence[Any] | None = None
        said = isinstance(answer, str | int | float) and not isinstance(answer, bool)
        text = str(answer) if said else None
        if self.is_consent and isinstance(answer, bool):
            commands = [AffirmConfirmation() if answer else DenyConfirmation()]
        elif answer is None:
            commands = [SkipSlot()]
        elif isinstance(answer, str) and answer in self.offered:
            return self._make_message(user_id, text, None, is_press=True)
        elif self.slot is not None:
            commands = [SetSlot(self.slot, answer)]
        elif text is None:
            raise NotAllowedError(f"the open question takes {self.schema}")
        return self._make_message(user_id, text, commands)

    def make_refusal_message(self, user_id: str) -> Message:
        """A message of somebody who does not want to answer: the task is given up."""
        if self.kind == "cancel":
            return self._make_message(user_id, None, [AffirmConfirmation()])
        return self._make_message(user_id, None, [CancelFlow()])

    def _make_message(
        self, user_id: str, text: str | None, commands: Sequence[Any] | None, **more: Any
    ) -> Message:
        return Message(
            text=text,
            user_id=user_id,
            conversation_id=self.conversation_id,
            message_id=self.id,
            commands=commands,
            check=self._make_check(),
            **more,
        )

    def _make_check(self) -> Callable[[DialogueState], None]:
        def check(state: DialogueState) -> None:
            if state["turn_count"] != self.turn or state["_pending_prompt"] is None:
                raise NotAllowedError("the question is no longer open: the conversation went on")

        return check


def find_question(
    assistant: Assistant, conversation_id: str, state: DialogueState
) -> Question | None:
    """The open question of a conversation; None: nothing is waited for, or a person has it."""
    prompt = state["_pending_prompt"]
    asked = find_open_question(state)
    if asked is None or prompt is None:
        return None
    asks_consent = is_consent(prompt)
    slot = asked.slot
    options = () if asks_consent else asked.options
    language = state["metadata"].get("language") or assistant.config.settings.language
    return Question(
        conversation_id=conversation_id,
        turn=state["turn_count"],
        resets=state["metadata"].get("resets", 0),
        kind=asked.kind,
        text=asked.text,
        slot=slot,
        flow_id=prompt["flow_id"],
        options=options,
        offered=() if asks_consent else asked.buttons,
        is_consent=asks_consent,
        is_sensitive=slot is not None and assistant.is_sensitive(slot),
        is_optional=slot is not None and not assistant.get_slot_config(slot).required,
        schema=_make_schema(assistant, prompt, options, language),
    )


def _make_schema(
    assistant: Assistant, prompt: Prompt, options: tuple[str, ...], language: str
) -> Schema:
    if is_consent(prompt):
        return {"type": "boolean", "description": prompt["prompt"]}
    if options:
        return {"type": "string", "enum": list(options), "description": prompt["prompt"]}
    if prompt["slot"] is not None:
        return make_slot_schema(assistant, prompt["slot"], language)
    return {"type": "string", "description": prompt["prompt"]}
