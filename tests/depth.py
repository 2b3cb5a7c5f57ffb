"""How much of what is tried at random, or in very many ways, is tried.

`make test` takes a part, so that it is quick; `make cover` and `.ci/run` take all of it.
"""

import os

IS_FULL = os.environ.get("SONI_TEST_DEPTH") == "full"


def choose_count(part: int, full: int) -> int:
    """The first for `make test`, the second where all is tried."""
    return full if IS_FULL else part
