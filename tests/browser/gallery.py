"""An assistant that shows everything a page can show."""

from __future__ import annotations

from soni import RuntimeLoop, SoniConfig
from tests.server.serving import ACTIONS, PlainNLU
from tests.talking import assistant

PICTURE = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
LINES = "".join(f"      - say: Line {number} of many.\n" for number in range(49))
GALLERY = f"""
settings:
  server:
    allowed_origins: [http://shop.example]
    page:
      title: {{en: Corner shop, es: La tienda}}
      greeting: {{en: What can I do for you?, es: "¿Qué puedo hacer por ti?"}}
      suggestions: [{{en: send money, es: enviar dinero}}, what is my balance]
      languages: [en, es]
      accent: "#0b6e4f"
slots:
  amount: {{type: integer, prompt: {{en: How much?, es: "¿Cuánto?"}}}}
  account: {{type: choice, values: [main, savings], prompt: Which account?}}
  size: {{type: choice, values: [xs, s, m, l, xl, xxl], prompt: Which size?}}
  parcel: {{prompt: Which parcel?}}
  parcels: {{type: list}}
  note: {{prompt: What shall I say?}}
  topic: {{prompt: About what?}}
flows:
  transfer:
    trigger: {{examples: [send money, enviar dinero]}}
    steps:
      - collect: amount
      - {{step: sure, confirm: {{en: "Send {{amount}}?", es: "¿Envío {{amount}}?"}}}}
      - action: send
      - say: {{en: "Sent {{amount}}.", es: "Enviado: {{amount}}."}}
  balance:
    trigger: {{examples: [what is my balance]}}
    steps:
      - {{collect: account, ui: {{type: quick_replies}}}}
      - say: "There is 100 in {{account}}."
  sizes:
    trigger: {{examples: [sizes]}}
    steps:
      - {{collect: size, ui: {{type: buttons}}}}
      - say: "Size {{size}} it is."
  card:
    trigger: {{examples: [card]}}
    steps:
      - say: This is it.
        ui:
          type: card
          title: Raincoat
          text: Keeps the rain out, https://example.org/coat.
          image: {PICTURE}
          alt: A green coat
          options:
            - {{label: Take it, command: {{StartFlow: {{flow_name: transfer}}}}}}
  carousel:
    trigger: {{examples: [carousel]}}
    steps:
      - collect: account
        ui:
          type: carousel
          cards:
            - title: Main
              text: For every day
              image: {PICTURE}
              alt: A purse
              options: [{{label: Main, value: main}}]
            - title: Savings
              text: For later
              image: {PICTURE}
              alt: A jar
              options: [{{label: Savings, value: savings}}]
            - {{title: Both, text: For the undecided, options: [{{label: Any, value: main}}]}}
      - say: "You took {{account}}."
  parcel:
    trigger: {{examples: [parcel]}}
    steps:
      - set: {{parcels: "{{{{ ['small box', 'large box', 'a crate for a piano with wheels'] }}}}"}}
      - {{collect: parcel, from: parcels, message: Which parcel?}}
      - say: "You took {{parcel}}."
  picture:
    trigger: {{examples: [picture]}}
    steps:
      - {{say: Look., ui: {{type: image, image: "{PICTURE}", alt: A green square}}}}
  echo:
    trigger: {{examples: [echo]}}
    steps:
      - collect: note
      - say: "{{note}}"
  wait:
    trigger: {{examples: [wait for me]}}
    steps:
      - say: One moment.
      - action: linger
      - say: Done.
  many:
    trigger: {{examples: [many]}}
    steps:
{LINES}
  person:
    trigger: {{examples: [complain]}}
    steps:
      - collect: topic
      - step: person
        type: handoff
        queue: complaints
        message: "Somebody looks after {{topic}}."
"""


class ExampleNLU(PlainNLU):
    """Understands the examples of an assistant's flows, word for word."""

    def __init__(self, config: SoniConfig) -> None:
        self.flows = {  # type: ignore[misc]
            str(example): name
            for name, flow in config.flows.items()
            if flow.trigger is not None
            for example in flow.trigger.examples
        }


def make_runtime(yaml: str = GALLERY) -> RuntimeLoop:
    """The assistant, ready to be served."""
    config = assistant(yaml, ACTIONS.replace("recipient: str", 'recipient: str = ""'))
    return RuntimeLoop(config, nlu=ExampleNLU(config))
