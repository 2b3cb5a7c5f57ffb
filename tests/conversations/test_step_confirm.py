"""confirm: a yes before something is done."""

from soni.commands import AffirmConfirmation, CorrectSlot, DenyConfirmation, SetSlot, StartFlow
from tests.talking import talking_to

ACTIONS = """
    from soni import action

    @action
    def send(amount):
        return {"sent": amount}
"""

SEND = """
    slots:
      amount: {type: integer, prompt: "How much?"}
    flows:
      send:
        trigger: {examples: [send]}
        steps:
          - collect: amount
          - branch: [{condition: "amount < 0", then: action_send}]
          - {step: sure, type: confirm, message: "Send {amount}?" %s}
          - action: send
          - say: "Sent {sent}."
          - {step: kept, type: say, message: "Kept.", when: "sent == null"}
"""


async def confirming(talk: object) -> None:
    assert await talk.say("send", StartFlow(flow_name="send", slots={"amount": 0})) == [  # type: ignore[attr-defined]
        "Send 0?"
    ]


async def test_yes_goes_on() -> None:
    async with talking_to(SEND % "", ACTIONS) as talk:
        await confirming(talk)
        assert talk.state["conversation_state"] == "confirming"
        assert talk.actions == []
        assert await talk.say("yes") == ["Sent 0."]
        assert talk.actions == [("send", {"amount": 0})]


async def test_deny_never_falls_through() -> None:
    async with talking_to(SEND % "", ACTIONS) as talk:
        await confirming(talk)
        assert await talk.say("no") == ["What would you like to change?"]
        assert talk.actions == []
        assert await talk.say("no") == ["I have cancelled send."]
        assert talk.actions == []
        assert talk.ended == [("send", "cancelled")]


async def test_no_goes_to_on_no() -> None:
    async with talking_to(SEND % ", on_no: kept", ACTIONS) as talk:
        await confirming(talk)
        assert await talk.say("no") == ["Kept."]
        assert (talk.actions, talk.ended) == ([], [("send", "completed")])


async def test_on_no_may_be_a_reserved_target() -> None:
    async with talking_to(SEND % ", on_no: cancel_flow", ACTIONS) as talk:
        await confirming(talk)
        assert await talk.say("no") == ["I have cancelled send."]
    async with talking_to(SEND % ", on_no: end", ACTIONS) as talk:
        await confirming(talk)
        assert await talk.say("no") == []
        assert (talk.actions, talk.ended) == ([], [("send", "completed")])


async def test_on_yes_says_where_a_yes_leads() -> None:
    async with talking_to(SEND % ", on_yes: kept", ACTIONS) as talk:
        await confirming(talk)
        assert await talk.say("yes") == ["Kept."]
        assert talk.actions == []


async def test_a_yes_answers_one_confirm_only() -> None:
    flow = """
    flows:
      twice:
        steps:
          - confirm: "Sure?"
          - confirm: "Really sure?"
          - say: "Done."
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["Sure?"]
        assert await talk.say("yes") == ["Really sure?"]
        twice = AffirmConfirmation(), AffirmConfirmation()
        assert await talk.say("yes yes", *twice) == ["Done."]


async def test_a_yes_before_the_question_is_no_yes() -> None:
    async with talking_to(SEND % "", ACTIONS) as talk:
        await talk.say("send")
        eager = SetSlot(slot_name="amount", value=5), AffirmConfirmation()
        assert await talk.say("5, yes", *eager) == ["Send 5?"]
        assert talk.actions == []
        assert ("AffirmConfirmation", "rejected") in talk.decisions


async def test_a_yes_in_one_flow_does_not_confirm_the_one_below() -> None:
    async with talking_to(SEND % "", ACTIONS) as talk:
        await confirming(talk)
        another = StartFlow(flow_name="send", slots={"amount": 7}, another=True)
        assert await talk.say("and 7 too", another) == ["Send 7?"]
        assert await talk.say("yes") == ["Sent 7.", "Back to send.", "Send 0?"]
        assert talk.actions == [("send", {"amount": 7})]
        assert await talk.say("yes") == ["Sent 0."]


async def test_a_correction_at_the_confirm_shows_it_again() -> None:
    async with talking_to(SEND % "", ACTIONS) as talk:
        await confirming(talk)
        assert await talk.say("60", CorrectSlot(slot_name="amount", new_value=60)) == [
            "amount is now 60.",
            "Send 60?",
        ]
        assert await talk.say("yes") == ["Sent 60."]


async def test_a_yes_beside_a_change_of_what_it_shows_is_no_yes() -> None:
    async with talking_to(SEND % "", ACTIONS) as talk:
        await confirming(talk)
        but = AffirmConfirmation(), SetSlot(slot_name="amount", value=60)
        assert await talk.say("yes, but make it 60", *but) == ["amount is now 60.", "Send 60?"]
        assert talk.actions == []


async def test_no_with_a_slot_to_change_asks_it_again_then_confirms() -> None:
    async with talking_to(SEND % "", ACTIONS) as talk:
        await confirming(talk)
        deny = DenyConfirmation(slot_to_change="amount")
        assert await talk.say("no, the amount", deny) == ["How much?"]
        assert await talk.say("7") == ["Send 7?"]
        assert await talk.say("yes") == ["Sent 7."]


async def test_unclear_answers_are_counted_up_to_max_retries() -> None:
    async with talking_to(SEND % ", max_retries: 2", ACTIONS) as talk:
        await confirming(talk)
        assert (await talk.say("hmm"))[-1] == "Send 0?"
        assert (await talk.say("well"))[-1] == "I am connecting you with a person."
        assert talk.actions == []


async def test_a_guarded_confirm_is_asked_only_while_its_condition_holds() -> None:
    flow = SEND.replace("when:", "then:").replace(', then: "sent == null"', "") % (
        ', when: "amount > 100"'
    )
    async with talking_to(flow, ACTIONS) as talk:
        start = StartFlow(flow_name="send", slots={"amount": 5})
        assert await talk.say("send", start) == ["Sent 5.", "Kept."]
        start = StartFlow(flow_name="send", slots={"amount": 500})
        assert await talk.say("send", start) == ["Send 500?"]


async def test_a_confirm_asks_in_the_language_of_the_turn() -> None:
    flow = """
    flows:
      leave:
        steps:
          - confirm: {en: "Sure?", es: "¿Seguro?"}
          - say: {en: "Bye.", es: "Adiós."}
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hola", language="es") == ["¿Seguro?"]
        assert await talk.say("sí", language="es") == ["Adiós."]


DEED = """
slots:
  amount: {type: number, prompt: {en: "How much?", es: "¿Cuánto?"}}
flows:
  give:
    trigger: {examples: [give]}
    steps:
      - collect: amount
      - step: sure
        type: confirm
        message: {en: "Give {amount}?", es: "¿Dar {amount}?"}
        max_retries: 2
        on_yes: given
        on_no: kept
        ui: {type: buttons}
        when: amount > 10
        jump_to: given
      - {say: {en: "So little needs no question.", es: "Tan poco no se pregunta."}, jump_to: end}
      - {step: given, say: {en: "Given.", es: "Dado."}, jump_to: end}
      - {step: kept, say: {en: "Kept.", es: "Guardado."}}
"""


async def test_every_way_out_of_a_confirm() -> None:
    async with talking_to(DEED) as talk:
        asked = ["Give 12.5?\n1. Yes\n2. No"]
        for answer, said in (("yes", "Given."), ("2", "Kept.")):
            assert await talk.say("give") == ["How much?"]
            assert await talk.say("12.5") == asked
            assert await talk.say(answer) == [said]
        await talk.say("give")
        assert await talk.say("10") == ["So little needs no question."]


async def test_every_way_out_of_a_confirm_in_spanish() -> None:
    async with talking_to(DEED) as talk:
        for answer, said in (("sí", "Dado."), ("2", "Guardado.")):
            assert await talk.say("give", language="es") == ["¿Cuánto?"]
            assert await talk.say("12,5", language="es") == ["¿Dar 12,5?\n1. Sí\n2. No"]
            assert await talk.say(answer, language="es") == [said]
        await talk.say("give", language="es")
        assert await talk.say("10", language="es") == ["Tan poco no se pregunta."]


async def test_after_max_retries_unclear_answers_a_person_takes_over() -> None:
    async with talking_to(DEED) as talk:
        await talk.say("give")
        await talk.say("12.5")
        assert await talk.say("hm") == ["I did not understand that.", "Give 12.5?\n1. Yes\n2. No"]
        assert await talk.say("hm") == ["I am connecting you with a person."]


async def test_after_max_retries_unclear_answers_a_person_takes_over_in_spanish() -> None:
    async with talking_to(DEED) as talk:
        await talk.say("give", language="es")
        await talk.say("12,5", language="es")
        assert await talk.say("eh", language="es") == [
            "No lo he entendido.",
            "¿Dar 12,5?\n1. Sí\n2. No",
        ]
        assert await talk.say("eh", language="es") == ["Te paso con una persona."]
