"""What holds for all verbs."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """The command sets up logging for its whole process, which here is that of all tests."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)
