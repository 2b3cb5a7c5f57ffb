"""GeneratingRunner: texts by a language model, asked for like actions."""

from typing import Any

import structlog

from soni.core.calls import ActionCall
from soni.core.errors import ActionError
from soni.core.generation import GENERATE
from soni.core.protocols import ActionRunner, TextGenerator

_log = structlog.get_logger("soni.generate")


class GeneratingRunner:
    """Has texts written, and leaves everything else to another runner.

    A text is recorded like the result of an action, so that a replay needs no model.
    """

    def __init__(self, runner: ActionRunner, generator: TextGenerator) -> None:
        self._runner = runner
        self._generator = generator

    async def run(self, call: ActionCall) -> dict[str, Any]:
        """Run an action, or have a text written."""
        if call.action != GENERATE:
            return await self._runner.run(call)
        try:
            written = await self._generator.generate(
                call.inputs["instruction"],
                call.inputs["facts"],
                language=call.inputs["language"],
                write=call.write or (lambda piece: None),
            )
        except ActionError:
            raise
        except Exception as error:
            # Whatever is wrong with a model, the step has a way out.
            _log.warning("generation_failed", error=type(error).__name__)
            reason = f"the language model failed: {type(error).__name__}"
            raise ActionError("generation_failed", reason) from error
        return dict(written)
