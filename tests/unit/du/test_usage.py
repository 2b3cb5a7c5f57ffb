import asyncio

import pytest

from soni.du.context import Usage
from soni.du.usage import attach_usage, find_usage


async def _work(usage: Usage) -> None:
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError as error:
        attach_usage(error, usage)
        raise


async def test_work_that_was_stopped_by_a_timeout_has_still_to_be_paid() -> None:
    usage = Usage(model="tiny", calls=2, prompt_tokens=10)
    with pytest.raises(TimeoutError) as stopped:
        async with asyncio.timeout(0.01):
            await _work(usage)
    assert find_usage(stopped.value) == usage


def test_an_error_before_the_first_call_costs_nothing() -> None:
    assert find_usage(ValueError()) is None
