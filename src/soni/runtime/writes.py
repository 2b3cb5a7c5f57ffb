"""TurnWrites: what one turn tried to write into slots, as far as the journal must know."""

from collections.abc import Mapping
from typing import Any

from soni.core.errors import Refused
from soni.core.protocols import SlotWriting


class TurnWrites:
    """A slot writer that remembers refusals, and what must not be recorded. Lives for one turn."""

    def __init__(self, writer: SlotWriting, assistant: Any) -> None:
        self._writer = writer
        self._assistant = assistant
        self.secrets: list[Any] = []
        """Values meant for sensitive slots, as they were said and as they were stored."""

        self.notable: list[dict[str, Any]] = []
        """Writes in order: refused ones with the words (not masked), and all of sensitive slots.

        A replay has no sensitive value to judge, so it must know what became of it.
        """

    async def write(
        self,
        name: str,
        value: Any,
        values: Mapping[str, Any],
        env: Any,
        voice: Any,
        **options: Any,
    ) -> Any:
        """Write."""
        secret = value is not None and self._assistant.slot(name).sensitive
        if secret:
            self.secrets.append(value)
        try:
            written = await self._writer.write(name, value, values, env, voice, **options)
        except Refused as refused:
            self.notable.append({"slot": name, "refused": voice.refusal(refused, values)})
            raise
        if secret:
            self.secrets.append(written.value)
            self.notable.append({"slot": name})
        return written

    def find_violation(
        self, name: str, values: Mapping[str, Any], env: Any, voice: Any
    ) -> str | None:
        """What a stored value's own constraints say against it."""
        return self._writer.find_violation(name, values, env, voice)
