"""How long understanding took."""

from typing import Any

import pytest

from soni.runtime.turn import TimedNLU


class Provider:
    async def understand(self, user_message: str, history: Any, context: Any) -> Any:
        if user_message == "fail":
            raise RuntimeError
        return user_message, history, context


async def test_the_provider_is_asked_as_it_is_and_its_time_adds_up() -> None:
    timed = TimedNLU(Provider())
    assert timed.seconds == 0.0
    assert await timed.understand("hi", ["h"], "c") == ("hi", ["h"], "c")
    once = timed.seconds
    assert once > 0
    with pytest.raises(RuntimeError):
        await timed.understand("fail", [], None)
    assert timed.seconds > once
