"""All kinds there are: a new file shows here, and so in review."""

import typer

from soni.cli.main import make_app
from soni.commands import CommandHandlerRegistry
from soni.core.expressions import FUNCTIONS
from soni.core.filters import FILTERS
from soni.core.responses import BUILT_IN, OPTIONAL
from soni.persistence import kinds
from soni.slots import slot_types
from soni.steps import step_types


def words(text: str) -> list[str]:
    return text.split()


def test_step_types() -> None:
    assert sorted(step_types()) == words(
        "action branch call collect confirm generate handoff link parallel say set while"
    )


def test_slot_types() -> None:
    assert sorted(slot_types()) == words(
        """
        boolean choice date datetime duration email integer list money number object phone string
        text time
        """
    )


def test_commands() -> None:
    assert list(CommandHandlerRegistry.discover()) == words(
        """
        AffirmConfirmation CancelFlow ChitChat Clarify CorrectSlot DenyConfirmation Disambiguate
        HumanHandoff OutOfScope RepeatLast ResumeFlow SetSlot SkipSlot StartFlow
        """
    )


def test_stores() -> None:
    assert kinds() == words("memory sqlite")


def test_verbs_of_the_command_line() -> None:
    assert sorted(typer.main.get_group(make_app()).commands) == words("chat check graph test")


def test_filters() -> None:
    assert sorted(FILTERS) == words(
        "date iso long lower money number percent raw short time title upper"
    )


def test_functions_of_expressions() -> None:
    assert sorted(FUNCTIONS) == words(
        """
        abs coalesce contains date days days_between empty ends_with float hours int len lower max
        min minutes now round starts_with str sum today trim upper
        """
    )


def test_responses_are_there_in_english_and_spanish() -> None:
    for name, text in BUILT_IN.items():
        assert isinstance(text, dict), name
        assert sorted(text) == ["en", "es"], name


def test_responses() -> None:
    assert sorted([*BUILT_IN, *OPTIONAL]) == words(
        """
        cancel_confirm chitchat confirm_change correction_disabled correction_done
        correction_too_late disambiguate disambiguate_none error flow_cancelled flow_changed
        flow_gone flow_limit_ask flow_limit_kept flow_limit_reached flow_resumed handoff
        handoff_disabled invalid_boolean invalid_choice invalid_date invalid_datetime
        invalid_duration invalid_email invalid_integer invalid_list invalid_money invalid_number
        invalid_object invalid_option invalid_phone invalid_string invalid_text invalid_time
        invalid_value message_too_long more_options no no_answer not_interruptible not_understood
        nothing_to_cancel nothing_to_repeat out_of_scope skip_required slot_unavailable
        value_options value_too_long welcome what_i_can_do yes
        """
    )
