"""What a correct assistant may do, and assistants written in Python."""

import pytest

from soni.config.checks import check_config, refuse_unsound
from soni.config.models import (
    ActionConfig,
    ActionStepConfig,
    BranchStepConfig,
    CollectStepConfig,
    ConfirmStepConfig,
    FlowConfig,
    SayStepConfig,
    SetStepConfig,
    SlotConfig,
    SoniConfig,
)
from soni.core.errors import ConfigError
from soni.decorators import action, validator


@action
def pay(amount, note=None): ...


@action
def lookup(**anything): ...


@action
def remind(ctx, day): ...


def assistant(*steps, slots=None, actions=None, **flow):
    config = SoniConfig(
        slots=slots or {},
        actions=actions or {},
        flows={"main": FlowConfig(steps=list(steps), **flow)},
    )
    return config.with_functions([pay, lookup, remind])


def messages(config):
    return [each.message for each in check_config(config) if each.severity == "error"]


def test_a_python_assistant_is_checked_by_path():
    config = assistant(SayStepConfig(message="Hi {nmae}"), slots={"name": SlotConfig()})
    with pytest.raises(ConfigError) as caught:
        refuse_unsound(config)
    assert str(caught.value) == (
        "1 problem found\n\n"
        "flows.main.steps.0.message: E204 unknown name 'nmae'\n"
        "  available: name, session\n"
        "  remedy: did you mean 'name'?"
    )


def test_a_correct_assistant_raises_nothing():
    config = assistant(SayStepConfig(message="Hi"))
    refuse_unsound(config)
    assert messages(config) == []


def test_duplicate_ids_in_python_name_the_other_by_path():
    config = assistant(
        SayStepConfig(step="hi", message="Hi"), SayStepConfig(step="hi", message="Ho")
    )
    assert messages(config) == ["the step id 'hi' is used twice; first at flows.main.steps.0.step"]


def test_without_functions_no_action_is_known():
    config = SoniConfig(flows={"main": FlowConfig(steps=[ActionStepConfig(call="pay")])})
    (problem,) = check_config(config)
    assert (problem.message, problem.available) == ("unknown action 'pay'", ())
    assert problem.remedy == "mark a function of that name with @action in actions.py"


@pytest.mark.parametrize(
    "step",
    [
        SayStepConfig(message="{name}"),
        SayStepConfig(message="{name.first} {name | upper}"),
        SayStepConfig(message="{session.user}"),
        SayStepConfig(message="{asked}"),
        SayStepConfig(message="{total}"),
        SayStepConfig(message="{given}"),
        SayStepConfig(message="{_error_message}"),
        SayStepConfig(message="{{not a name}}"),
        SayStepConfig(message="Hi", when="total > 3 and _error == null"),
        SetStepConfig(values={"x": "{{ total + 1 }}", "y": "{total}", "z": ["{{ later }}"]}),
    ],
)
def test_it_may_name_slots_inputs_errors_the_session_and_what_steps_fill(step):
    config = assistant(
        CollectStepConfig(slot="asked", message="?"),
        SetStepConfig(values={"total": 3}),
        step,
        slots={"name": SlotConfig()},
        inputs=["given"],
    )
    assert messages(config) == []


def test_outputs_of_a_contract_can_be_named_and_no_others():
    config = assistant(
        SetStepConfig(values={"amount": 3}),
        ActionStepConfig(call="pay", map_outputs={"id": "receipt"}),
        SayStepConfig(message="{receipt} {fee} {id}"),
        actions={"pay": ActionConfig(outputs=("id", "fee"))},
    )
    assert messages(config) == ["unknown name 'id'"]


def test_an_action_without_outputs_may_fill_any_name():
    config = assistant(
        SetStepConfig(values={"amount": 3}),
        ActionStepConfig(call="pay"),
        SayStepConfig(message="{receipt}"),
        SayStepConfig(message="Hi", when="fee > 3"),
        outputs=["receipt"],
    )
    assert messages(config) == []


def test_an_action_is_not_fed_by_its_own_outputs():
    config = assistant(ActionStepConfig(call="pay"))
    assert messages(config) == ["action 'pay' needs 'amount', which nothing in this flow fills"]


@pytest.mark.parametrize(
    "step",
    [
        ActionStepConfig(call="pay", inputs={"amount": 3, "note": "x"}),
        ActionStepConfig(call="lookup", inputs={"whatever": 3}),
        ActionStepConfig(call="remind", inputs={"day": "{{ today() }}"}),
    ],
)
def test_a_step_may_give_what_the_function_takes(step):
    assert messages(assistant(step)) == []


def test_the_context_is_not_an_input():
    config = assistant(ActionStepConfig(call="remind", inputs={"day": 1, "ctx": 2}))
    assert messages(config) == ["unknown input 'ctx'"]


def test_a_step_may_give_what_the_contract_leaves_out():
    config = assistant(
        ActionStepConfig(call="pay", inputs={"amount": 3}),
        actions={"pay": ActionConfig(inputs=("note?",))},
    )
    assert messages(config) == []


def test_an_optional_input_need_not_be_filled():
    config = assistant(
        ActionStepConfig(call="pay", inputs={"amount": 3}),
        actions={"pay": ActionConfig(inputs=("amount", "note?"))},
    )
    assert messages(config) == []


def test_a_collect_with_its_own_message_may_name_an_undeclared_slot():
    assert messages(assistant(CollectStepConfig(slot="name", message="Who?"))) == []


def test_an_unknown_response_lists_the_authors_and_the_built_in_ones():
    config = assistant(SayStepConfig(response="not_understod")).model_copy(
        update={"responses": {"mine": "Hi"}}
    )
    (problem,) = check_config(config)
    assert problem.remedy == "did you mean 'not_understood'?"
    assert {"mine", "welcome", "flow_resumed"} <= set(problem.available)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("flow_resumed", "Back to {flow}, {name}"),
        ("correction_done", {"en": ["{slot} is {value}"], "fr": "{session.user}"}),
        ("welcome", "Hello {name}"),
        ("nobody_says_this", "{asked}"),
    ],
)
def test_a_response_may_name_what_is_known_when_it_is_said(name, text):
    config = assistant(
        CollectStepConfig(slot="asked", message="?"), slots={"name": SlotConfig()}
    ).model_copy(update={"responses": {name: text}})
    assert messages(config) == []


def test_slot_texts_may_name_what_any_flow_collects():
    slots = {
        "age": SlotConfig.model_validate(
            {
                "prompt": "How old are you, {asked}?",
                "help": "{session.reason}",
                "constraints": [{"if": "age > 17 or asked == 'x'", "message": "{age} is young"}],
            }
        )
    }
    config = assistant(CollectStepConfig(slot="asked", message="?"), slots=slots)
    assert messages(config) == []


@pytest.mark.parametrize(
    "slot",
    [
        SlotConfig(type="integer", default=3),
        SlotConfig(type="integer", default=0),
        SlotConfig(type="boolean", default=False),
        SlotConfig(type="date", default="tomorrow"),
        SlotConfig(type="choice", values=["small", "large"], default="LARGE"),
    ],
)
def test_a_default_may_be_what_the_slot_would_take(slot):
    assert messages(assistant(SayStepConfig(message="Hi"), slots={"it": slot})) == []


def test_marked_validators_and_normalizers_are_known():
    @validator
    def fits(value): ...

    config = SoniConfig(slots={"age": SlotConfig(validator="fits")}).with_functions([fits])
    assert messages(config) == []


GUARDED = {"pay": ActionConfig(confirm=True, inputs=("amount",))}
NEEDS_YES = ["action 'pay' can be reached without the yes of a confirm step"]


def guarded(*steps, **flow):
    config = assistant(*steps, slots={"amount": SlotConfig()}, actions=GUARDED, **flow)
    return [each.message for each in check_config(config) if each.code == "E401"]


PAY = ActionStepConfig(step="pay", call="pay", jump_to="end")
SURE = ConfirmStepConfig(step="sure", message="Sure?")


@pytest.mark.parametrize(
    "steps",
    [
        [SURE, PAY],
        [SURE, SayStepConfig(message="Fine"), PAY],
        [
            SURE.model_copy(update={"on_yes": "pay"}),
            SayStepConfig(message="Never", jump_to="end"),
            PAY,
        ],
        [
            BranchStepConfig(when=[{"condition": "amount > 9", "then": "sure"}, {"else": "end"}]),
            PAY,
            SURE.model_copy(update={"on_yes": "pay"}),
        ],
        [SURE.model_copy(update={"on_no": "end"}), PAY],
    ],
)
def test_a_guarded_action_behind_a_yes_is_fine(steps):
    assert guarded(*steps) == []


@pytest.mark.parametrize(
    "steps",
    [
        [PAY],
        [SayStepConfig(message="Hi"), PAY],
        [SURE.model_copy(update={"on_no": "pay"}), PAY],
        [SURE.model_copy(update={"on_no": "continue"}), PAY],
        [SURE.model_copy(update={"when": "amount > 9"}), PAY],
        [BranchStepConfig(when=[{"condition": "amount > 9", "then": "sure"}]), PAY, SURE],
        [SayStepConfig(message="Hi", jump_to="pay"), SURE, PAY],
        [
            BranchStepConfig(when=[{"condition": "amount > 9", "then": "sure"}, {"else": "pay"}]),
            SURE,
            PAY,
        ],
    ],
)
def test_a_guarded_action_that_any_other_way_leads_to_is_not(steps):
    assert guarded(*steps) == NEEDS_YES


def test_an_error_is_no_yes_either():
    steps = [ActionStepConfig(step="look", call="lookup"), SURE, PAY]
    assert guarded(*steps, on_error="pay") == NEEDS_YES
    assert guarded(*steps, on_error="sure") == []
    assert guarded(steps[0].model_copy(update={"on_error": "pay"}), SURE, PAY) == NEEDS_YES
