"""What may be stored in a checkpoint, and so what may come out of one.

Plain data, LangChain messages, and the interrupt that LangGraph keeps for a waiting
conversation. LangGraph's own serializer, even in its strict mode, also revives paths, patterns,
sets, dates and more, and answers a name it refuses with that object's raw arguments. Here both
directions refuse, so that a wrong value fails the turn that made it and not the turns after it.
The bytes are in LangGraph's format.
"""

from collections.abc import Callable, Mapping
from typing import Any

import ormsgpack
from langchain_core import messages
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.types import Interrupt

from soni.core.storage_errors import StorageError

# The numbers under which LangGraph's format keeps models and dataclasses; the last is ours.
_DATACLASS, _MODEL, _BIG_INTEGER = 2, 5, 64

_MESSAGES: tuple[type[messages.BaseMessage], ...] = (
    messages.AIMessage,
    messages.AIMessageChunk,
    messages.ChatMessage,
    messages.ChatMessageChunk,
    messages.FunctionMessage,
    messages.FunctionMessageChunk,
    messages.HumanMessage,
    messages.HumanMessageChunk,
    messages.RemoveMessage,
    messages.SystemMessage,
    messages.SystemMessageChunk,
    messages.ToolMessage,
    messages.ToolMessageChunk,
)
_REVIVED: Mapping[tuple[int, str, str], Callable[..., Any]] = {
    (_DATACLASS, Interrupt.__module__, Interrupt.__name__): Interrupt,
    **{(_MODEL, kind.__module__, kind.__name__): kind for kind in _MESSAGES},
}
_PLAIN = (type(None), bool, int, float, str, bytes, bytearray, memoryview)

_PACK = (
    ormsgpack.OPT_NON_STR_KEYS
    | ormsgpack.OPT_PASSTHROUGH_BIG_INT
    | ormsgpack.OPT_PASSTHROUGH_DATACLASS
    | ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_ENUM
    | ormsgpack.OPT_PASSTHROUGH_UUID
    | ormsgpack.OPT_REPLACE_SURROGATES
)


def strict_serializer() -> SerializerProtocol:
    """A serializer for LangGraph savers that stores and revives nothing but the above."""
    return StrictSerializer()


class StrictSerializer:
    """Checkpoints to bytes and back."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """The kind of encoding, and the bytes."""
        try:
            return "msgpack", _pack(obj)
        except TypeError as error:
            place, kind = _find_foreign_value(obj, ()) or ((), str(error))
            raise StorageError(
                f"The conversation's state cannot be stored: "
                f"{'.'.join(place) or 'a value'} is not plain data ({kind}). "
                "Store text, numbers, true/false, null, lists and mappings only."
            ) from error

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value that was dumped."""
        encoding, content = data
        if encoding != "msgpack":
            raise _refuse_checkpoint(f"it is encoded as {encoding!r:.40}, not as 'msgpack'")
        reader = _Reader()
        try:
            return reader.read(content)
        except (ValueError, TypeError) as error:
            raise _refuse_checkpoint(reader.refusal or str(error)) from error


class _Reader:
    """Reads one value. The decoder hides why a hook failed, so the reason is kept here."""

    def __init__(self) -> None:
        self.refusal = ""

    def read(self, content: bytes) -> Any:
        return ormsgpack.unpackb(content, ext_hook=self.revive, option=ormsgpack.OPT_NON_STR_KEYS)

    def revive(self, code: int, content: bytes) -> Any:
        if code == _BIG_INTEGER:
            return int.from_bytes(content, "big", signed=True)
        if code > _MODEL:
            self.refusal = f"it holds an object of unknown kind {code}"
            raise ValueError(self.refusal)
        module, name, fields, *_ = self.read(content)
        kind = _REVIVED.get((code, module, name))
        if kind is None:
            self.refusal = f"it holds a {f'{module}.{name}'!r:.80}, which is not plain data"
            raise ValueError(self.refusal)
        return kind(**fields)


def _pack(obj: Any) -> bytes:
    return ormsgpack.packb(obj, default=_wrap, option=_PACK)


def _wrap(obj: Any) -> ormsgpack.Ext:
    kind = type(obj)
    if kind is int:
        size = obj.bit_length() // 8 + 1
        return ormsgpack.Ext(_BIG_INTEGER, obj.to_bytes(size, "big", signed=True))
    if kind is Interrupt:
        return _pack_named(_DATACLASS, kind, {"value": obj.value, "id": obj.id})
    if (_MODEL, kind.__module__, kind.__name__) in _REVIVED:
        return _pack_named(_MODEL, kind, obj.model_dump(exclude_defaults=True))
    raise TypeError(kind.__name__)


def _pack_named(code: int, kind: type, fields: dict[str, Any]) -> ormsgpack.Ext:
    return ormsgpack.Ext(code, _pack((kind.__module__, kind.__name__, fields)))


def _find_foreign_value(obj: Any, place: tuple[str, ...]) -> tuple[tuple[str, ...], str] | None:
    """The path and the type of the first value that cannot be stored."""
    if isinstance(obj, dict):
        inside: Any = obj.items()
    elif isinstance(obj, list | tuple):
        inside = enumerate(obj)
    elif type(obj) in _PLAIN or type(obj) is Interrupt or isinstance(obj, _MESSAGES):
        return None
    else:
        return place, f"{type(obj).__module__}.{type(obj).__qualname__}"
    found = (_find_foreign_value(value, (*place, str(key))) for key, value in inside)
    return next((hit for hit in found if hit), None)


def _refuse_checkpoint(reason: str) -> StorageError:
    return StorageError(
        f"A stored checkpoint was refused: {reason}. It was not written by Soni, or it was "
        "changed since. Reset the conversation, or restore the store from a backup."
    )
