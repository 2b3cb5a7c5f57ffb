"""cancel_oldest: the task at the bottom of the stack gives way."""

from soni.limit_strategies import Decision, EndTask, LimitReached, LimitStrategy


class CancelOldest(LimitStrategy):
    """Ends the task that waits longest; the user is told which one."""

    kind = "cancel_oldest"

    def decide(self, reached: LimitReached) -> Decision:
        """End the bottom task."""
        return EndTask(reached.tasks[0].flow_id)


STRATEGY = CancelOldest()
