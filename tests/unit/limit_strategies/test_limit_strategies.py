"""Strategies at the stack's limit: those there are, and those of other packages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from soni import ConfigError, SoniConfig
from soni.commands import StartFlow
from soni.core.errors import SoniError
from soni.core.state import apply_updates, create_initial_state
from soni.flow.manager import FlowManager
from soni.limit_strategies import limit_strategies
from tests.conversations.bank import ACTIONS, bank
from tests.talking import talking_to

NEWEST = """
from soni.limit_strategies import Decision, EndTask, LimitReached, LimitStrategy


class CancelNewest(LimitStrategy):
    kind = "cancel_newest"

    def decide(self, reached: LimitReached) -> Decision:
        return EndTask(WHICH)


STRATEGY = CancelNewest()
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose package offers a strategy; it is forgotten after the test."""
    about = tmp_path / "soni_newest-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: soni-newest\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    limit_strategies.cache_clear()
    yield tmp_path
    limit_strategies.cache_clear()


def _offer(site: Path, module: str, which: str) -> None:
    (site / f"{module}.py").write_text(NEWEST.replace("WHICH", which))
    entry = f"[soni.limit_strategies]\ncancel_newest = {module}\n"
    (site / "soni_newest-1.0.dist-info" / "entry_points.txt").write_text(entry)


def _limited(name: str) -> str:
    limits = f"{{max_stack_depth: 2, on_limit_reached: {name}}}"
    return bank(f"settings: {{flow_management: {limits}}}")


async def test_another_package_decides_which_task_gives_way(site: Path) -> None:
    _offer(site, "newest_task", "reached.tasks[-1].flow_id")
    async with talking_to(_limited("cancel_newest"), ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("balance", StartFlow(flow_name="balance"))
        said = await talk.say("weather", StartFlow(flow_name="weather"))
        assert said == ["I have cancelled balance to make room for weather.", "Which city?"]
        assert (talk.stack, talk.ended) == (["transfer", "weather"], [("balance", "cancelled")])


def test_a_strategy_can_end_only_what_is_open(site: Path) -> None:
    _offer(site, "closed_task", '"nobody_1"')
    limits = {"max_stack_depth": 1, "on_limit_reached": "cancel_newest"}
    flows = {"a": {"steps": [{"say": "Hi."}]}}
    config = SoniConfig(settings={"flow_management": limits}, flows=flows)
    manager = FlowManager(config, new_id=lambda flow_name: f"{flow_name}_1")
    state = create_initial_state()
    state = apply_updates(state, manager.push_flow(state, "a")[1].updates())
    with pytest.raises(SoniError, match=r"'cancel_newest' wants to end 'nobody_1'.* open: a_1"):
        manager.push_flow(state, "a")


def test_an_unknown_strategy_is_a_problem_that_lists_those_there_are(
    site: Path, tmp_path: Path
) -> None:
    _offer(site, "newest_listed", "reached.tasks[-1].flow_id")
    (tmp_path / "soni.yaml").write_text(_limited("cancel_latest"))
    with pytest.raises(ConfigError) as refused:
        SoniConfig.load(tmp_path)
    (problem,) = refused.value.problems
    assert problem.code == "E108"
    assert problem.path == ("settings", "flow_management", "on_limit_reached")
    assert problem.available == ("ask_user", "cancel_newest", "cancel_oldest", "reject_new")
