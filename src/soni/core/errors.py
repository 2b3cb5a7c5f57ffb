"""Every error that Soni raises on purpose."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from typing import Any, Literal
from unicodedata import combining, east_asian_width

OUTCOME_UNKNOWN = "outcome_unknown"
"""The type of the error when an action began before, and nobody knows whether it was done; and the
response that says so, whatever the type of the error."""

TIMEOUT = "timeout"
CANCELLED = "cancelled"
CONNECTION_LOST = "connection_lost"
OPEN_ERRORS = frozenset({OUTCOME_UNKNOWN, TIMEOUT, CANCELLED, CONNECTION_LOST})
"""Types of errors that by their names leave open whether an action was done."""

# Lines longer than this are shown in part.
_EXCERPT_LENGTH = 200

# More names than this are counted, not listed.
_MAX_LISTED = 40


class SoniError(Exception):
    """Base of all errors raised by Soni."""


class PluginError(SoniError):
    """An entry point of an installed package that Soni cannot use."""


@dataclass(frozen=True)
class Problem:
    """One mistake in an assistant: where it is, what is wrong, what to write instead."""

    message: str
    remedy: str | None = None
    path: tuple[str | int, ...] = ()
    """Keys that lead to the place, e.g. `("flows", "greet", "steps", 0, "slot")`."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    """1-based, like `line`."""

    length: int = 1
    """How many characters to underline."""

    source: str | None = None
    """The text of that line."""

    available: tuple[str, ...] = ()
    """The names that would have been accepted."""

    code: str = ""
    """The code of the mistake: `E104`, or `W601` for a warning. Codes keep their meaning."""

    @property
    def severity(self) -> Literal["error", "warning"]:
        """Whether the assistant cannot be used as it is, or only should not be."""
        return "warning" if self.code.startswith("W") else "error"

    @property
    def title(self) -> str:
        """What is wrong, after its code."""
        return f"{self.code} {self.message}" if self.code else self.message

    @property
    def available_text(self) -> str:
        """The names that would have been accepted, shortened to a readable list."""
        more = len(self.available) - _MAX_LISTED
        shown = ", ".join(self.available[:_MAX_LISTED])
        return f"{shown} and {more:,} more" if more > 0 else shown

    @property
    def where(self) -> str:
        """The place in words: `soni.yaml:3:5`, or the path when there is no file."""
        if self.file is None:
            return ".".join(str(part) for part in self.path) or "assistant"
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part)

    @property
    def excerpt(self) -> tuple[str, str]:
        """The line, or the relevant part of a long one, and the marks to put under it."""
        source, start = self.source or "", (self.column or 1) - 1
        first = max(0, start - _EXCERPT_LENGTH // 2) if len(source) > _EXCERPT_LENGTH else 0
        shown = source[first : first + _EXCERPT_LENGTH]
        begin = start - first
        end = begin + max(1, self.length)
        marks = " " * _measure_width(shown[:begin]) + "^" * max(1, _measure_width(shown[begin:end]))
        # Tabs have no fixed width, and a terminal would execute control characters.
        return "".join(sign if sign.isprintable() else " " for sign in shown), marks

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.title}"]
        if self.source is not None and self.column is not None:
            lines += [f"    {line}" for line in self.excerpt]
        if self.available:
            lines.append(f"  available: {self.available_text}")
        if self.remedy:
            lines.append(f"  remedy: {self.remedy}")
        return "\n".join(lines)


def _measure_width(text: str) -> int:
    """The columns a terminal needs for a text."""
    wide = sum(east_asian_width(sign) in "WF" for sign in text)
    return len(text) + wide - sum(bool(combining(sign)) for sign in text)


class ConfigError(SoniError):
    """The assistant cannot be used as it is written. Holds every problem that was found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        title = "1 problem" if count == 1 else f"{count} problems"
        super().__init__("\n\n".join([f"{title} found", *(str(p) for p in self.problems)]))


class FlowStackLimitError(SoniError):
    """A flow cannot start because the limit of open tasks is reached."""

    def __init__(self, limit: int, flow_name: str, strategy: str, *, asks: bool = False) -> None:
        self.limit = limit
        self.flow_name = flow_name
        self.strategy = strategy
        self.asks = asks
        """Whether the user is asked to end the oldest task instead."""

        super().__init__(
            f"Cannot start '{flow_name}': {limit} tasks are open already "
            f"(settings.flow_management.max_stack_depth). "
            f"Finish or cancel one, or set on_limit_reached: cancel_oldest."
        )


class UnknownFlowError(SoniError, ValueError):
    """A flow cannot start because the assistant does not define it."""

    def __init__(self, flow_name: str, flows: Iterable[str]) -> None:
        self.flow_name = flow_name
        super().__init__(
            f"Cannot start '{flow_name}': there is no such flow. "
            f"Available: {', '.join(flows) or 'none'}."
        )


class TransitionError(SoniError, ValueError):
    """A move that the conversation's state machine does not allow."""


class NotAllowedError(SoniError):
    """An API call that the current state of the conversation does not allow."""


class ExpiredOfferError(NotAllowedError):
    """A button was pressed that belongs to an earlier turn."""


class InvalidInputError(SoniError, ValueError):
    """Something that an application hands to the runtime is not what it takes. Nothing was done."""

    def __init__(self, name: str, wanted: str, found: str) -> None:
        super().__init__(f"{name}: expected {wanted}; found {found}. Nothing was done.")


class TurnError(SoniError):
    """A turn failed. The conversation is as it was before; the message may be sent again."""

    def __init__(self, conversation_id: str, turn: int, cause: BaseException) -> None:
        self.conversation_id = conversation_id
        self.turn = turn
        which = f"Turn {turn}" if turn else "A turn"
        super().__init__(
            f"{which} of conversation '{conversation_id}' failed: "
            f"{type(cause).__name__}: {cause}. Nothing was changed; send the message again."
        )


class ActionError(SoniError):
    """Raise it in an action to report a failure that the flow can handle.

        raise ActionError("no_funds", "The balance is too low.")

    The flow reads `type` as `_error_type` and `message` as `_error_message`. An action that cannot
    tell whether it was done, because the bank did not answer, say, gives `outcome_known=False`:
    the ledger then keeps its effect open. Without it the type decides, as `timeout` does.
    """

    def __init__(self, type: str, message: str = "", *, outcome_known: bool | None = None) -> None:
        # Texts, whatever was given: both are stored.
        self.type = str(type)
        self.message = str(message or type)
        by_type = self.type not in OPEN_ERRORS
        self.outcome_known = by_type if outcome_known is None else outcome_known
        super().__init__(f"{self.type}: {self.message}" if message else self.type)


class NeedSlot(SoniError):  # noqa: N818 - a request of the action, not a failure
    """Raise it in an action that needs a further slot: the user is asked, then it runs again."""

    def __init__(self, slot_name: str) -> None:
        self.slot_name = str(slot_name)
        super().__init__(f"the action needs slot '{slot_name}'")


class Refusal(SoniError, ValueError):  # noqa: N818 - an answer to the user, not a failure
    """A value that its slot does not accept.

    Either `text` is the sentence for the user (a validator's or a constraint's own words) or
    `response` names the sentence, to be filled with `values`.
    """

    def __init__(
        self, response: str = "", *, text: str | None = None, values: dict[str, str] | None = None
    ) -> None:
        self.response = response
        self.text = text
        self.values = values or {}
        super().__init__(text or response)


class NotationError(SoniError, ValueError):
    """A template or expression that cannot be parsed or evaluated, with place and remedy."""

    def __init__(self, reason: str, *, offset: int | None = None, remedy: str | None = None):
        super().__init__(reason)
        self.reason = reason
        self.offset = offset
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.reason}; {self.remedy}" if self.remedy else self.reason


_MAX_QUOTED = 40

# Comparing is slow, and among thousands of names a guess helps little.
_MAX_COMPARED = 200


def clip(text: str) -> str:
    """A text short enough to be quoted in a sentence."""
    return text if len(text) <= _MAX_QUOTED else f"{text[: _MAX_QUOTED - 1]}…"


def find_nearest(word: str, names: Iterable[str]) -> str | None:
    """A guess at the name that was meant."""
    said = word[:100].casefold()
    known = {name.casefold(): name for name in names}
    if len(known) > _MAX_COMPARED:
        near_in_length = sorted(known, key=lambda name: abs(len(name) - len(said)))
        known = {name: known[name] for name in near_in_length[:_MAX_COMPARED]}
    near = get_close_matches(said, known, n=2)
    likeness = [SequenceMatcher(None, name, said).ratio() for name in near]
    if len(near) == 2 and likeness[0] > likeness[1]:
        near.pop()
    guesses = " or ".join(f"'{known[name]}'" for name in sorted(near))
    return f"did you mean {guesses}?" if near else None


def describe_value(value: Any) -> str:
    """What an author wrote, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text '{clip(value)}'"
    if isinstance(value, int | float):
        return f"the number {clip(str(value))}"
    return "a list" if isinstance(value, list | tuple) else "a mapping"


class UnreadableFile(Exception):  # noqa: N818 - carries a problem, is never shown
    """The rest of the file cannot be read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem
