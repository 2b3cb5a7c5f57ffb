"""ui: buttons, quick replies, cards, carousels and images, and the same as numbered text."""

import pytest

from soni import ConfigError
from soni.core.errors import NotAllowedError
from tests.talking import talking_to

SHOP = """
slots:
  size: {type: choice, values: [small, large], prompt: Which size?}
flows:
  order:
    trigger: {examples: [order]}
    steps:
      - {collect: size, ui: {type: quick_replies}}
      - {confirm: "One {size}?", ui: {type: buttons}}
      - say: Ordered.
        ui:
          type: card
          title: Your {size} one
          image: https://shop.example/{size}.png
          alt: A picture of it
          options:
            - {label: Another, command: {StartFlow: {flow_name: order, another: true}}}
            - {label: Goodbye, command: {ChitChat: {hint: bye}}}
"""


async def test_options_degrade_to_numbered_text() -> None:
    async with talking_to(SHOP) as talk:
        assert await talk.say("order") == ["Which size?\n1. small\n2. large"]
        assert await talk.say("2") == ["One large?\n1. Yes\n2. No"]
        assert await talk.say("1") == [
            "Ordered.\nYour large one\nA picture of it (https://shop.example/{size}.png)\n"
            "1. Another\n2. Goodbye"
        ]


async def test_a_rich_client_gets_the_options_as_data() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("order")
        assert talk.state["replies"] == [
            {
                "text": "Which size?\n1. small\n2. large",
                "ui": {
                    "type": "quick_replies",
                    "options": [
                        {"label": "small", "value": "small"},
                        {"label": "large", "value": "large"},
                    ],
                    "message": "Which size?",
                },
            }
        ]


async def test_pressing_an_option_sends_its_command_past_understanding() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("order")
        assert (await talk.runtime.press("ann", "large")).messages == ["One large?\n1. Yes\n2. No"]
        turn = await talk.runtime.press("ann", "yes")
        assert [made["command"] for made in turn.commands] == ["AffirmConfirmation"]
        again = await talk.runtime.press("ann", "Another")
        assert again.messages == ["Which size?\n1. small\n2. large"]


async def test_only_options_that_were_offered_last_are_accepted() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("order")
        await talk.runtime.press("ann", "small")
        with pytest.raises(NotAllowedError, match="'large' was not offered; last offered: Yes, No"):
            await talk.runtime.press("ann", "large")


async def test_labels_follow_the_language() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("order", language="es")
        assert await talk.say("small", language="es") == ["One small?\n1. Sí\n2. No"]


async def test_a_carousel_numbers_the_options_of_all_its_cards() -> None:
    async with talking_to(
        """
        flows:
          trips:
            trigger: {examples: [trips]}
            steps:
              - say: Our trips
                ui:
                  type: carousel
                  cards:
                    - {title: Rome, text: Three days, options: [{label: Take Rome, value: rome}]}
                    - title: Oslo
                      image: https://shop.example/oslo.png
                      alt: {en: The harbour, es: El puerto}
                      options: [{label: {en: Take Oslo, es: Elegir Oslo}, value: oslo}]
              - {collect: trip, message: Which one?, ui: {type: buttons, options: [Rome, Oslo]}}
              - {say: "{trip}!", ui: {type: image, image: "https://shop.example/map.png"}}
        """
    ) as talk:
        assert await talk.say("trips") == [
            "Our trips\nRome\nThree days\nOslo\nThe harbour (https://shop.example/oslo.png)\n"
            "1. Take Rome\n2. Take Oslo",
            "Which one?\n1. Rome\n2. Oslo",
        ]
        assert await talk.say("2") == ["Oslo!\nhttps://shop.example/map.png"]


async def test_values_in_labels_are_text_and_nothing_else() -> None:
    async with talking_to(
        """
        flows:
          echo:
            trigger: {examples: [echo]}
            steps:
              - {collect: word, message: Word?}
              - {say: Here, ui: {type: buttons, options: [{label: "{word}", value: x}]}}
        """
    ) as talk:
        await talk.say("echo")
        assert await talk.say("{word} {{7*7}}") == ["Here\n1. {word} {{7*7}}"]


async def test_a_command_that_does_not_exist_is_refused_at_load() -> None:
    broken = SHOP.replace("ChitChat", "ChatChit")
    with pytest.raises(ConfigError, match="unknown command 'ChatChit'"):
        async with talking_to(broken):
            pass


CARD = """
flows:
  offer:
    trigger: {examples: [offer]}
    steps:
      - step: card
        type: say
        message: {en: "Today only:", es: "Solo hoy:"}
        ui:
          type: card
          title: {en: A pizza, es: Una pizza}
          text: {en: With cheese., es: Con queso.}
          image: https://shop.example/pizza.png
          alt: {en: A round pizza, es: Una pizza redonda}
          options:
            - {label: {en: I take it, es: La quiero}, command: {StartFlow: {flow_name: order}}}
            - {label: {en: Somebody help, es: Que me ayuden}, command: HumanHandoff}
  order:
    trigger: {examples: [order]}
    steps: [{say: {en: "Ordered.", es: "Pedida."}}]
"""


@pytest.mark.parametrize(
    ("language", "card", "label", "said"),
    [
        ("en", "Today only:\nA pizza\nWith cheese.\nA round pizza (https://shop.example/pizza.png)\n"
               "1. I take it\n2. Somebody help", "I take it", "Ordered."),
        ("es", "Solo hoy:\nUna pizza\nCon queso.\n"
               "Una pizza redonda (https://shop.example/pizza.png)\n"
               "1. La quiero\n2. Que me ayuden", "La quiero", "Pedida."),
    ],
)  # fmt: skip
async def test_a_card_reads_in_the_language_of_the_turn_and_its_options_by_label(
    language: str, card: str, label: str, said: str
) -> None:
    async with talking_to(CARD) as talk:
        assert await talk.say("offer", language=language) == [card]
        assert await talk.say(label, language=language) == [said]
        await talk.say("offer", language=language)
        assert await talk.say("1", language=language) == [said]


async def test_a_command_may_be_a_bare_name() -> None:
    async with talking_to(CARD) as talk:
        await talk.say("offer")
        assert await talk.say("2") == ["I am connecting you with a person."]
