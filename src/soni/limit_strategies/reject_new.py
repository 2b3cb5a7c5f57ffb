"""reject_new: what is open stays, and the new flow does not start."""

from soni.limit_strategies import Decision, LimitReached, LimitStrategy, RejectFlow


class RejectNew(LimitStrategy):
    """Keeps every open task."""

    kind = "reject_new"

    def decide(self, reached: LimitReached) -> Decision:
        """Start nothing."""
        return RejectFlow()


STRATEGY = RejectNew()
