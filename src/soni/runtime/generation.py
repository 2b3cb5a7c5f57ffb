"""GeneratingRunner: runs requests for texts of a language model as if they were actions."""

from typing import Any, Final

import structlog

from soni.core.calls import ActionCall
from soni.core.errors import ActionError
from soni.core.generation import ANSWER, GENERATE, REPHRASE, TEXT_ACTIONS
from soni.core.grounding import find_answer_mistake, find_rewording_mistake
from soni.core.protocols import ActionRunner, AnswerWriter, TextGenerator

_log = structlog.get_logger("soni.generate")

_REPHRASE: Final = """\
Say "text" in other words, naturally, in as many sentences. Keep its meaning, every number, date, \
name and condition, and their order. What stands in square brackets, such as [name], is filled in \
later: copy it exactly, and add no other. A question stays a question, a statement a statement. \
Add nothing and leave nothing out. "said_before", if it is there, is what the person has just \
said: choose words that follow on it, but neither answer nor repeat it.
For example, "Your order [code] will arrive in 2 days." may become "You can expect your order \
[code] in 2 days."\
"""
_QUOTES: Final = {'"': '"', "“": "”", "«": "»"}


class GeneratingRunner:
    """Answers requests for texts, and passes all other actions to another runner.

    A text is recorded like the result of an action, so that a replay needs no model. A text that
    failed its check is recorded too, with the reason why it was `refused`.
    """

    def __init__(self, runner: ActionRunner, generator: TextGenerator) -> None:
        self._runner = runner
        self._generator = generator

    async def run(self, call: ActionCall) -> dict[str, Any]:
        """Run an action, or have a text written."""
        if call.action not in TEXT_ACTIONS:
            return await self._runner.run(call)
        try:
            return await self._write_text(call)
        except ActionError:
            raise
        except Exception as error:
            # Every failure becomes an `ActionError`, for which callers have a fallback.
            _log.warning("generation_failed", error=type(error).__name__)
            reason = f"the language model failed: {type(error).__name__}"
            raise ActionError("generation_failed", reason) from error

    async def _write_text(self, call: ActionCall) -> dict[str, Any]:
        if call.action == REPHRASE:
            return await self._rephrase_text(call.inputs)
        if call.action == ANSWER:
            return await self._answer_question(call.inputs)
        assert call.action == GENERATE
        asked = call.inputs
        write = call.write or _ignore_piece
        written = await self._generator.generate(
            asked["instruction"], asked["facts"], language=asked["language"], write=write
        )
        return dict(written)

    async def _rephrase_text(self, asked: Any) -> dict[str, Any]:
        heard = {"said_before": asked["message"]} if asked["message"] else {}
        written = await self._generator.generate(
            _REPHRASE,
            {"text": asked["text"], **heard},
            language=asked["language"],
            # Not streamed: the text is checked first against the facts of the original.
            write=_ignore_piece,
        )
        text = _strip_quotes(str(written["text"]), asked["text"])
        mistake = find_rewording_mistake(asked["text"], text, asked["language"], asked["values"])
        return {**written, "text": text, **({"refused": mistake} if mistake else {})}

    async def _answer_question(self, asked: Any) -> dict[str, Any]:
        if not isinstance(self._generator, AnswerWriter):
            raise ActionError("no_model", "whoever writes the texts here answers no questions")
        entries, question = asked["entries"], asked["question"]
        written = await self._generator.answer(question, entries, language=asked["language"])
        entry = next((each for each in entries if each["id"] == written["entry"]), None)
        if entry is None:
            return {**written, "entry": None, "text": ""}
        mistake = find_answer_mistake(
            written["text"],
            entry["answer"],
            asked["language"],
            questions=entry["questions"],
            asked=question,
        )
        return {**written, **({"refused": mistake} if mistake else {})}


def _strip_quotes(text: str, original: str) -> str:
    """The text without enclosing quotes, which models like to add."""
    closing = _QUOTES.get(text[:1])
    quoted = closing is not None and len(text) > 1 and text.endswith(closing)
    return text[1:-1].strip() if quoted and original[:1] != text[:1] else text


def _ignore_piece(piece: str) -> None:
    """Discard a piece of a streamed text."""
