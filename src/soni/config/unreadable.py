"""The end of reading a file."""

from soni.core.errors import Problem


class Unreadable(Exception):  # noqa: N818 - carries a problem, is never shown
    """The rest of the file cannot be read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem
