"""ask_user: the user decides whether the oldest task gives way."""

from soni.limit_strategies import AskUser, Decision, LimitReached, LimitStrategy


class AskTheUser(LimitStrategy):
    """Asks before anything is ended."""

    kind = "ask_user"

    def decide(self, reached: LimitReached) -> Decision:
        """Ask."""
        return AskUser()


STRATEGY = AskTheUser()
