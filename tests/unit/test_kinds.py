"""All kinds there are: a new file shows here, and so in review."""

import typer

from soni.cli.main import make_app
from soni.commands import CommandHandlerRegistry
from soni.config.codes import load_codes
from soni.core.expressions import FUNCTIONS
from soni.core.filters import FILTERS
from soni.core.texts import OPTIONAL_RESPONSES, built_in_responses
from soni.limit_strategies import limit_strategies
from soni.persistence import list_store_kinds
from soni.runtime.jobs import find_job_kinds
from soni.server.channels import find_channel_kinds
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
    assert list_store_kinds() == words("memory postgres sqlite")


def test_kinds_of_jobs() -> None:
    assert sorted(find_job_kinds()) == words(
        "effect_outcome reminder retention session_timeout unknown_effects webhook"
    )


def test_channels() -> None:
    assert sorted(find_channel_kinds()) == words("slack telegram twilio webhook")


def test_limit_strategies() -> None:
    assert sorted(limit_strategies()) == words("ask_user cancel_oldest reject_new")


def test_verbs_of_the_command_line() -> None:
    assert sorted(typer.main.get_group(make_app()).commands) == words(
        "chat check doctor effects erase eval export graph keys "
        "mcp optimize prune record replay report serve test trace"
    )


def test_filters() -> None:
    assert sorted(FILTERS) == words(
        "date iso long lower money number percent raw short time title upper"
    )


def test_codes_of_problems() -> None:
    assert list(load_codes()) == words(
        """
        E101 E102 E103 E104 E105 E106 E107 E108 E109 E110 E111 E112 E113 E114 E120 E121 E122 E123
        E124 E125 E126 E127 E128 E129 E130 E131 E132 E133 E134 E135 E136 E140 E141 E142 E143 E144
        E145 E151 E152 E153 E154 E155 E201 E202 E203 E204 E205 E207 E208 E209 E210 E211 E212 E213
        E214 E215 E216 E301 E302 E303 E310 E311 E312 E313 E320 E401 E402 E403 E404 E405 E406 E407
        E408 E409 E501 E502 E503 E504 E505 E506 E507 E508 E511 E512 E521 E522 E523 E524 E525 E526
        E527 E528 W601 W602 W603 W604 W605 W606 W607 W608 W609 E601 E602 E603 E604 E605 E606 E701
        E702 E801 E802 E901 E902 E903
        """
    )


def test_functions_of_expressions() -> None:
    assert sorted(FUNCTIONS) == words(
        """
        abs coalesce contains date days days_between empty ends_with float hours int len lower max
        min minutes now round starts_with str sum today trim upper
        """
    )


def test_responses_are_there_in_english_and_spanish() -> None:
    for name, text in built_in_responses().items():
        assert isinstance(text, dict), name
        assert sorted(text) == ["en", "es"], name


def test_responses() -> None:
    assert sorted([*built_in_responses(), *OPTIONAL_RESPONSES]) == words(
        """
        button_expired cancel_confirm chitchat confirm_again confirm_change confirm_shortly
        correction_disabled correction_done
        correction_too_late disambiguate disambiguate_none error flow_cancelled flow_changed
        flow_gone flow_limit_ask flow_limit_cancelled flow_limit_kept flow_limit_reached
        flow_resumed handoff handoff_disabled invalid_boolean invalid_choice invalid_date
        invalid_datetime invalid_duration invalid_email invalid_integer invalid_list invalid_money
        invalid_number invalid_object invalid_option invalid_phone invalid_string invalid_text
        invalid_time invalid_value message_too_long more more_options no no_answer not_interruptible
        not_understood nothing_to_cancel nothing_to_repeat out_of_scope outcome_unknown
        skip_required slot_unavailable value_options value_too_long welcome what_i_can_do yes
        """
    )
