"""What happens at a question when the answer is no plain yes, and who may say yes besides."""

from __future__ import annotations

from typing import Any

import pytest

from soni.audit.replay import replay
from soni.audit.turn import RecordedTurn
from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    Clarify,
    Command,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.du import NLUOutput
from tests.conversations.desk import ACTIONS, COSTS, SENT, SURE, desk, transfer
from tests.talking import Talk, assistant, talking_to

PARDON = "I did not understand that."
AGAIN, SHORTLY = "Shall I go ahead? Please answer Yes or No.", "Yes or No?"
YES = AffirmConfirmation()
START = transfer(amount=5, recipient="Bob")


class Hears:
    """Understands whatever it was told to hear next."""

    def __init__(self, *commands: Command) -> None:
        self.commands: tuple[Command, ...] = commands

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        return NLUOutput(commands=self.commands, source="hears")


async def ask(talk: Talk) -> None:
    assert await talk.say("send 5 to Bob", START) == [SURE]


def offered(talk: Talk) -> list[str]:
    return [option["label"] for option in talk.state["metadata"]["offered"]]


async def test_the_question_is_put_again_shorter_each_time_with_buttons() -> None:
    patient = desk("conversation_patterns: {confirmation: {max_retries: 9}}")
    async with talking_to(patient, ACTIONS, nlu=Hears(YES)) as talk:
        await ask(talk)
        assert offered(talk) == []
        for said, question in (
            ("yes?", SURE),
            ("I guess so", AGAIN),
            ("ok ok wait", SHORTLY),
            ("yes if it's free", SHORTLY),
        ):
            assert await talk.say(said) == [PARDON, question]
            assert talk.decisions == [("AffirmConfirmation", "rejected")]
            assert offered(talk) == ["Yes", "No"]
        assert await talk.say("yes, send 5 to Bob") == [SENT]


async def test_a_spanish_question_is_put_again_in_spanish() -> None:
    async with talking_to(desk(), ACTIONS, nlu=Hears(YES)) as talk:
        question = "¿Envío 5 a Bob?"
        assert await talk.say("envía 5 a Bob", START, language="es") == [question]
        for said, again in (
            ("¿sí?", question),
            ("vale, ¿y cuánto cuesta?", "¿Sigo adelante? Responde Sí o No, por favor."),
        ):
            assert (await talk.say(said))[-1] == again


async def test_unclear_yeses_are_counted_and_then_a_person_takes_over() -> None:
    two = desk("conversation_patterns: {confirmation: {max_retries: 2}}")
    async with talking_to(two, ACTIONS, nlu=Hears(YES)) as talk:
        await ask(talk)
        assert await talk.say("not sure") == [PARDON, SURE]
        assert await talk.say("yes?") == ["I am connecting you with a person."]


async def test_what_was_asked_is_answered_first() -> None:
    nlu = Hears(YES, Clarify(topic="What does it cost?"))
    async with talking_to(desk(COSTS), ACTIONS, nlu=nlu) as talk:
        await ask(talk)
        assert await talk.say("ok, what does it cost") == ["It is free.", SURE]
        assert await talk.say("right, and what does it cost?") == ["It is free.", AGAIN]


async def test_what_was_changed_is_changed_and_asked_in_full() -> None:
    nlu = Hears(YES)
    async with talking_to(desk(), ACTIONS, nlu=nlu) as talk:
        await ask(talk)
        await talk.say("yes?")
        nlu.commands = (YES, CorrectSlot("amount", 6))
        said = await talk.say("yes but make it 6")
        assert said == ["amount is now 6.", "Send 6 to Bob?"]
        assert offered(talk) == ["Yes", "No"]
        nlu.commands = (YES,)
        assert await talk.say("I guess") == [PARDON, AGAIN]


async def test_a_wish_beside_a_yes_is_granted_and_the_question_comes_back() -> None:
    nlu = Hears(YES, StartFlow("hours"))
    async with talking_to(desk(), ACTIONS, nlu=nlu) as talk:
        await ask(talk)
        said = await talk.say("yes, and when are you open?")
        assert said == ["From 9 to 5.", "Back to transfer.", SURE]


async def test_a_button_counts_and_a_command_of_the_application_does() -> None:
    async with talking_to(desk(), ACTIONS, nlu=Hears(YES)) as talk:
        await ask(talk)
        await talk.say("yes?")
        pressed = await talk.runtime.press(talk.user_id, "Yes")
        assert pressed.messages == [SENT]
        await ask(talk)
        assert await talk.say("whatever they said on the phone", YES) == [SENT]


async def test_a_yes_that_nobody_heard_is_heard_and_the_log_says_why() -> None:
    for commands in ((), (Clarify(topic="yes"),), (DenyConfirmation(),), (CancelFlow(),)):
        async with talking_to(desk(), ACTIONS, nlu=Hears(*commands)) as talk:
            await ask(talk)
            assert await talk.say("yes please") == [SENT]
            made = talk.last.commands[-1]  # type: ignore[union-attr]
            assert (made["command"], made["decision"]) == ("AffirmConfirmation", "accepted")
            assert made["reason"] == "all of the message is a plain answer"
            assert made["added"] is True


async def test_a_value_said_again_that_was_understood_as_another_is_no_yes() -> None:
    async with talking_to(desk(), ACTIONS, nlu=Hears(YES, SetSlot("amount", 50))) as talk:
        await ask(talk)
        said = await talk.say("yes, send 5 to Bob")
        assert said == ["amount is now 50.", "Send 50 to Bob?"]


async def test_understood_takes_the_word_of_the_provider() -> None:
    trusting = desk("conversation_patterns: {confirmation: {consent: understood}}")
    async with talking_to(trusting, ACTIONS, nlu=Hears(YES)) as talk:
        await ask(talk)
        assert await talk.say("I guess so") == [SENT]


async def test_the_sentences_can_be_overridden() -> None:
    own = desk("responses: {confirm_again: 'Well?', 'yes': Aye, 'no': Nay}")
    async with talking_to(own, ACTIONS, nlu=Hears(YES)) as talk:
        await ask(talk)
        await talk.say("yes?")
        assert offered(talk) == ["Aye", "Nay"]
        assert await talk.say("yes?") == [PARDON, "Well?"]


async def test_in_a_language_without_a_grammar_the_word_of_the_author_is_a_yes() -> None:
    french = desk("responses: {'yes': {en: 'Yes', fr: Oui}, 'no': {en: 'No', fr: Non}}")
    async with talking_to(french, ACTIONS, nlu=Hears(YES)) as talk:
        await talk.say("envoie 5", START, language="fr")
        told = "Shall I go ahead? Please answer Oui or Non."
        assert await talk.say("d'accord, vas-y") == [PARDON, told]
        assert await talk.say("oui") == [SENT]


async def test_whether_to_cancel_needs_a_plain_answer_too() -> None:
    careful = desk("conversation_patterns: {cancellation: {confirm_before_cancel: true}}")
    for heard in (YES, CancelFlow()):
        async with talking_to(careful, ACTIONS, nlu=Hears(heard)) as talk:
            await ask(talk)
            question = "Do you want to cancel transfer?"
            assert await talk.say("stop", CancelFlow()) == [question]
            assert await talk.say("ok but what happens then") == [PARDON, question]
            assert talk.stack == ["transfer"]
            assert await talk.say("yes, cancel it") == ["I have cancelled transfer."]


async def test_whether_to_drop_a_task_needs_a_plain_answer_too() -> None:
    one = desk("settings: {flow_management: {max_stack_depth: 1, on_limit_reached: ask_user}}")
    async with talking_to(one, ACTIONS, nlu=Hears(YES)) as talk:
        await ask(talk)
        (question,) = await talk.say("weather", StartFlow("weather"))
        assert await talk.say("sure about that?") == [PARDON, question]
        assert talk.stack == ["transfer"]
        assert (await talk.say("sure"))[-1] == "Which city?"


GIFT = """
slots:
  gift: {type: boolean, prompt: "Is it a gift?"}
  wrapped: {type: boolean, description: Whether it is wrapped, prompt: "In paper?"}
  name: {prompt: "For whom?"}
flows:
  order:
    trigger: {examples: [order it]}
    steps: [{collect: gift}, {collect: wrapped}, {collect: name}, {say: "{gift} {wrapped} {name}"}]
"""
ANSWER = "Please answer yes or no."


@pytest.mark.parametrize(
    "said", ["Si Fletcher", "Yes Theory", "I guess so", "yes?", "Nop Sadowski"]
)
@pytest.mark.parametrize("heard", [YES, DenyConfirmation(), SetSlot("gift", True)])
async def test_a_boolean_is_filled_by_a_plain_answer_only(said: str, heard: Command) -> None:
    async with talking_to(GIFT, nlu=Hears(heard)) as talk:
        await talk.say("order it", StartFlow("order"))
        assert await talk.say(said) == [ANSWER, "Is it a gift?"]
        assert talk.slots == {}


@pytest.mark.parametrize(("said", "gift"), [("yes please", True), ("nope, thanks", False)])
@pytest.mark.parametrize("heard", [YES, DenyConfirmation(), SetSlot("gift", "maybe"), SkipSlot()])
async def test_a_plain_answer_fills_a_boolean_whatever_was_heard(
    said: str, gift: bool, heard: Command
) -> None:
    async with talking_to(GIFT, nlu=Hears(heard)) as talk:
        await talk.say("order it", StartFlow("order"))
        assert await talk.say(said) == ["In paper?"]
        assert talk.slots == {"gift": gift}


async def test_a_boolean_is_filled_by_words_of_the_slot() -> None:
    nlu = Hears(SetSlot("gift", True))
    async with talking_to(GIFT, nlu=nlu) as talk:
        await talk.say("order it", StartFlow("order"))
        assert await talk.say("well, a gift for my mother") == ["In paper?"]
    nlu.commands = (StartFlow("order", {"wrapped": True, "gift": True}),)
    async with talking_to(GIFT, nlu=nlu) as talk:
        assert await talk.say("order it, nicely wrapped") == ["Is it a gift?"]
        assert talk.slots == {"wrapped": True}


async def test_neither_a_value_in_the_question_nor_an_example_makes_an_answer() -> None:
    asks = '{type: boolean, examples: ["yes"], prompt: "Is it a gift for {name}?"}'
    yaml = GIFT.replace('{type: boolean, prompt: "Is it a gift?"}', asks)
    for said in ("Ann", "yes if she likes it"):
        async with talking_to(yaml, nlu=Hears(SetSlot("gift", True))) as talk:
            await talk.say("order it", StartFlow("order", {"name": "Ann"}))
            assert await talk.say(said) == [ANSWER, "Is it a gift for Ann?"]


async def test_a_name_is_never_a_yes() -> None:
    async with talking_to(GIFT, nlu=Hears(SetSlot("name", "Yes"))) as talk:
        await talk.say("order it", StartFlow("order", {"gift": False, "wrapped": False}))
        assert await talk.say("Yes") == ["no no Yes"]


async def test_a_replay_judges_the_words_again() -> None:
    config = assistant(desk(), ACTIONS)
    nlu = Hears(YES)
    async with talking_to(config, nlu=nlu) as talk:
        await ask(talk)
        await talk.say("yes?")
        nlu.commands = ()
        assert await talk.say("yes please") == [SENT]
        await ask(talk)
        await talk.say("as agreed", YES)
        turns = [RecordedTurn(e) for e in await talk.runtime.store.journal.entries("ann")]
    held = [each async for each in replay(config, turns)]
    assert [each.differences for each in held] == [()] * 5


async def test_a_replay_holds_a_secret_answer() -> None:
    config = assistant(
        GIFT.replace('prompt: "Is it a gift?"', 'prompt: "A gift?", sensitive: true')
    )
    for said, heard in (
        ("no", ()),
        ("no", (DenyConfirmation(),)),
        ("hm", (SetSlot("gift", True),)),
    ):
        async with talking_to(config, nlu=Hears(*heard)) as talk:
            await talk.say("order it", StartFlow("order"))
            await talk.say(said)
            turns = [RecordedTurn(e) for e in await talk.runtime.store.journal.entries("ann")]
        held = [each async for each in replay(config, turns)]
        assert [each.differences for each in held] == [(), ()]
