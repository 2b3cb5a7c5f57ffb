"""What conversation tests share."""

from collections.abc import Iterator

import pytest

from tests.model_server import Model, serving


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as served:
        yield served
