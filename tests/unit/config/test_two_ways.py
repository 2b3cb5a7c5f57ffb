"""One assistant: in YAML long and short, and in Python with the models alone."""

from soni.config.models import (
    ActionConfig,
    ActionStepConfig,
    Arm,
    BranchStepConfig,
    CollectStepConfig,
    ConfirmStepConfig,
    Constraint,
    ConversationPatterns,
    FlowConfig,
    FlowInput,
    Retry,
    SayStepConfig,
    SetStepConfig,
    Settings,
    SlotConfig,
    SoniConfig,
    Trigger,
)
from soni.config.patterns import Cancellation
from soni.config.settings import Collection

ACTIONS = "from soni.decorators import action\n\n@action\ndef pay(amount, to): ...\n"

TOP = """
version: "1"
settings:
  language: es
  collection: {max_attempts: 5}
conversation_patterns:
  cancellation: {confirm_before_cancel: true}
slots:
  amount:
    type: number
    prompt: {en: How much?, es: ["¿Cuánto?", "¿Qué importe?"]}
    constraints:
      - {if: amount > 0, message: More than nothing}
  size: {type: choice, values: {small: [s, little], large: }}
  colour: {type: choice, values: [red, blue]}
actions:
  pay: {inputs: [amount, to], outputs: [receipt], confirm: true}
responses:
  bye: [Bye, So long]
"""

LONG = """
flows:
  transfer:
    description: Send money
    trigger:
      examples: [send money]
      condition: session.bank == "mine"
    inputs: [to, note?]
    outputs: [receipt]
    on_error: sorry
    steps:
      - {step: ask_to, type: collect, slot: to, message: To whom?}
      - {step: collect_amount, type: collect, slot: amount}
      - step: branch
        type: branch
        when:
          - {condition: amount > 100, then: confirm_sure}
          - {else: end}
      - {step: confirm_sure, type: confirm, message: Sure?, on_no: end}
      - step: action_pay
        type: action
        call: pay
        inputs: {to: "{{ upper(to) }}"}
        map_outputs: {receipt: receipt}
        retry: {max_attempts: 2}
      - {step: set_done, type: set, values: {done: true}}
      - {step: say_paid, type: say, message: Paid, when: done, jump_to: end}
      - {step: sorry, type: say, response: error}
"""

SHORT = """
flows:
  transfer:
    description: Send money
    trigger:
      intents: [send money]
      condition: session.bank == "mine"
    inputs: {to: {}, note?: {}}
    outputs: [receipt]
    on_error: sorry
    process:
      - collect: to
        step: ask_to
        prompt: To whom?
      - collect: amount
      - branch:
          - {condition: amount > 100, then: confirm_sure}
          - {else: end}
      - confirm: Sure?
        on_no: end
      - action: pay
        inputs: {to: "{{ upper(to) }}"}
        map_outputs: {receipt: receipt}
        retry: {max_attempts: 2}
      - set: {done: true}
      - say: Paid
        when: done
        jump_to: end
      - {step: sorry, type: say, response: error}
"""

IN_PYTHON = SoniConfig(
    settings=Settings(language="es", collection=Collection(max_attempts=5)),
    conversation_patterns=ConversationPatterns(
        cancellation=Cancellation(confirm_before_cancel=True)
    ),
    slots={
        "amount": SlotConfig(
            type="number",
            prompt={"en": "How much?", "es": ["¿Cuánto?", "¿Qué importe?"]},
            constraints=(Constraint(condition="amount > 0", message="More than nothing"),),
        ),
        "size": SlotConfig(type="choice", values={"small": ("s", "little"), "large": ()}),
        "colour": SlotConfig(type="choice", values={"red": (), "blue": ()}),
    },
    actions={"pay": ActionConfig(inputs=("amount", "to"), outputs=("receipt",), confirm=True)},
    responses={"bye": ["Bye", "So long"]},
    flows={
        "transfer": FlowConfig(
            description="Send money",
            trigger=Trigger(examples=("send money",), condition='session.bank == "mine"'),
            inputs={"to": FlowInput(), "note": FlowInput(required=False)},
            outputs=("receipt",),
            on_error="sorry",
            steps=[
                CollectStepConfig(step="ask_to", slot="to", message="To whom?"),
                CollectStepConfig(slot="amount"),
                BranchStepConfig(
                    when=[Arm(condition="amount > 100", then="confirm_sure"), Arm(otherwise="end")]
                ),
                ConfirmStepConfig(message="Sure?", on_no="end"),
                ActionStepConfig(
                    call="pay",
                    inputs={"to": "{{ upper(to) }}"},
                    map_outputs={"receipt": "receipt"},
                    retry=Retry(max_attempts=2),
                ),
                SetStepConfig(values={"done": True}),
                SayStepConfig(message="Paid", when="done", jump_to="end"),
                SayStepConfig(step="sorry", response="error"),
            ],
        )
    },
)


def test_the_long_spelling_is_the_assistant_written_in_python(write):
    folder = write({"soni.yaml": TOP + LONG, "actions.py": ACTIONS})
    assert SoniConfig.load(folder) == IN_PYTHON


def test_the_short_spelling_is_the_assistant_written_in_python(write):
    folder = write({"soni.yaml": TOP + SHORT, "actions.py": ACTIONS})
    assert SoniConfig.load(folder) == IN_PYTHON


def test_split_over_files_it_is_the_same(write):
    folder = write({"soni.yaml": TOP, "transfer.yaml": SHORT, "actions.py": ACTIONS})
    assert SoniConfig.load(folder) == IN_PYTHON


def test_another_assistant_is_not_equal(write):
    folder = write({"soni.yaml": TOP + LONG.replace("Paid", "Done"), "actions.py": ACTIONS})
    assert SoniConfig.load(folder) != IN_PYTHON
