"""How slots are asked: prompts, messages, languages, and what stays private."""

from soni.commands import Clarify, StartFlow
from tests.talking import talking_to

ORDER = """
    slots:
      size:
        type: choice
        values: [small, large]
        prompt: {en: "Which size, {name}?", es: "¿Qué tamaño, {name}?"}
        help: {en: "It decides the price.", es: "De eso depende el precio."}
    flows:
      order:
        trigger: {examples: [order]}
        steps:
          - {collect: name, prompt: {en: "Your name?", es: "¿Tu nombre?"}}
          - collect: size
          - say: {en: "One {size} tea.", es: "Un té {size}."}
"""


async def test_a_slot_is_asked_with_its_own_prompt() -> None:
    async with talking_to(ORDER) as talk:
        assert await talk.say("order") == ["Your name?"]
        assert await talk.say("Ann") == ["Which size, Ann?"]
        assert await talk.say("large") == ["One large tea."]


async def test_texts_may_be_per_language_and_the_language_may_change_between_turns() -> None:
    async with talking_to(ORDER) as talk:
        assert await talk.say("order", language="es") == ["¿Tu nombre?"]
        assert await talk.say("Ann", language="fr") == ["Which size, Ann?"]
        assert await talk.say("large", language="es-MX") == ["Un té large."]


async def test_a_message_of_the_step_is_asked_instead_of_the_slots_prompt() -> None:
    flow = """
    slots:
      name: {prompt: "Name?"}
    flows:
      greet:
        steps:
          - {collect: name, message: "What may I call you?"}
          - say: "Hello, {name}!"
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["What may I call you?"]
        assert await talk.say("Ann") == ["Hello, Ann!"]


async def test_help_answers_why_that_is_needed_with_the_values_of_a_choice() -> None:
    async with talking_to(ORDER) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"name": "Ann"}))
        assert await talk.say("why?", Clarify()) == [
            "It decides the price.",
            "You can choose: small, large.",
            "Which size, Ann?",
        ]
        assert await talk.say("¿por qué?", Clarify(), language="es") == [
            "De eso depende el precio.",
            "Puedes elegir: small, large.",
            "¿Qué tamaño, Ann?",
        ]


async def test_a_sensitive_value_reaches_the_action_and_nothing_else() -> None:
    flow = """
    slots:
      pin: {prompt: "PIN?", sensitive: true}
    flows:
      unlock:
        steps:
          - collect: pin
          - action: open
          - {action: open, inputs: {pin: "{{ pin }}", hint: "{{ pin }}"}}
          - say: "{pin} opens {door}."
    """
    actions = """
        from soni import action

        @action
        def open(pin, hint=""):
            return {"door": "left" if pin == "4711" else "none"}
    """
    async with talking_to(flow, actions) as talk:
        assert await talk.say("hi") == ["PIN?"]
        assert await talk.say("4711") == ["•••• opens left."]
        assert talk.actions == [
            ("open", {"pin": "••••"}),
            ("open", {"pin": "••••", "hint": "••••"}),
        ]
        assert "4711" not in str({**talk.state, "flow_slots": {}})


async def test_a_sensitive_date_is_masked_however_it_is_given_to_the_action() -> None:
    flow = """
    slots:
      birth: {type: date, prompt: "Born when?", sensitive: true}
    flows:
      check:
        steps:
          - collect: birth
          - {action: judge, inputs: {since: "{{ birth }}"}}
          - say: "Adult: {adult}."
    """
    actions = """
        from datetime import date
        from soni import action

        @action
        def judge(since):
            return {"adult": since < date(2008, 3, 2)}
    """
    async with talking_to(flow, actions) as talk:
        await talk.say("hi")
        assert await talk.say("1990-07-01") == ["Adult: yes."]
        assert talk.actions == [("judge", {"since": "••••"})]
