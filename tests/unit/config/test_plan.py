"""Plans of an assistant and of its copies."""

from typing import Any

from soni import SoniConfig, action
from soni.config.assistant import Assistant
from soni.testing.stubs import stub_actions

CONFIG = SoniConfig.model_validate(
    {"flows": {"pay": {"steps": [{"collect": "amount"}, {"action": "pay"}, {"say": "Paid."}]}}}
)


def test_a_conversation_test_with_stubs_has_the_plans_of_its_assistant() -> None:
    @action
    def pay(amount: str) -> dict[str, Any]:
        return {}

    config = CONFIG.with_functions([pay])
    stubbed = stub_actions(config, {"pay": {"paid": True}})
    assert stubbed.functions.actions["pay"] is not config.functions.actions["pay"]
    assert Assistant(stubbed).plans is Assistant(config).plans


def test_actions_of_another_form_make_other_plans() -> None:
    @action("pay")
    def once(amount: str) -> dict[str, Any]:
        return {}

    @action("pay")
    def to_somebody(amount: str, payee: str) -> dict[str, Any]:
        return {}

    for function, asks in ((once, {"amount"}), (to_somebody, {"amount", "payee"})) * 2:
        assert Assistant(CONFIG.with_functions([function])).plans["pay"].asks == asks


def test_other_flows_under_the_same_name_have_plans_of_their_own() -> None:
    closed = SoniConfig.model_validate({"flows": {"pay": {"steps": [{"say": "Closed."}]}}})
    changed = CONFIG.model_copy(update={"flows": closed.flows})
    for config, count in ((CONFIG, 3), (changed, 1)) * 2:
        assert len(Assistant(config).plans["pay"].steps) == count
