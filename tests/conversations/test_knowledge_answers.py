"""Questions answered from knowledge: the entry that counts in this moment, or none."""

from pathlib import Path

import pytest

from soni import SoniConfig
from soni.commands import AffirmConfirmation, Clarify, StartFlow
from tests.conversations.shop import ACTIONS, SHOP, WHERE, shop
from tests.talking import Talk, talking_to

NO_ANSWER = "I have no answer to that."


async def ordering(talk: Talk, **slots: object) -> list[str]:
    return await talk.say("order", StartFlow(flow_name="order", slots=slots))


async def test_idle_a_question_is_answered() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say("where are you?") == [WHERE]
        assert await talk.say("Where are you exactly") == [WHERE]
        assert talk.state["conversation_state"] == "idle"


async def test_in_a_flow_the_pending_question_follows() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await ordering(talk)
        assert await talk.say("where are you?") == [WHERE, "Which dish?"]
        assert (talk.stack, talk.slots) == (["order"], {})


async def test_the_entry_of_the_flow_comes_first_once_it_can_be_filled() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say("what does it cost?") == ["Everything is ten euros."]
        await ordering(talk)
        # The flow's own answer would have a gap.
        said = await talk.say("what does it cost?")
        assert said == ["Everything is ten euros.", "Which dish?"]
        await talk.say("pizza")
        said = await talk.say("what does it cost?")
        assert said == ["A pizza is twelve euros.", "Which size?"]


async def test_the_entry_of_another_flow_is_not_used() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("pay my bill")
        assert await talk.say("what does it cost?") == ["Everything is ten euros.", "Your PIN?"]
        assert await talk.say("how many calories does the dish have?") == [NO_ANSWER, "Your PIN?"]


async def test_a_paused_flow_is_not_at_work() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await ordering(talk, dish="pizza")
        await talk.say("pay my bill")
        assert await talk.say("what does it cost?") == ["Everything is ten euros.", "Your PIN?"]


async def test_in_a_called_flow_the_entries_of_its_caller_count() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("pay my bill")
        assert talk.stack == ["pay", "identify"]
        said = await talk.say("is my PIN safe?")
        assert said == [NO_ANSWER, "Your PIN?"]  # the caller has no PIN to show


async def test_a_condition_that_does_not_hold() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await ordering(talk, dish="pizza")
        said = await talk.say("how many calories does the dish have?")
        assert said == [NO_ANSWER, "Which size?"]
        await talk.say("large")
        said = await talk.say("how many calories does the dish have?")
        assert said == ["A large pizza has a thousand.", "Is it a gift?"]


async def test_a_condition_on_what_the_caller_knows() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        staff = {"staff": True, "name": "Ann"}
        assert await talk.say("what does it cost?", context=staff) == ["For you, nothing, Ann."]
        guest = {"staff": False, "name": "Ann"}
        assert await talk.say("what does it cost?", context=guest) == ["Everything is ten euros."]


async def test_an_answer_that_would_have_a_gap_is_not_given() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        said = await talk.say("what does it cost?", context={"staff": True})
        assert said == ["Everything is ten euros."]
        assert await talk.say("what is my member number?") == [NO_ANSWER]


async def test_slots_of_the_conversation_are_read_anywhere() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        adult = {"context": {"adult": True}}
        await talk.say("become a member", StartFlow(flow_name="join"), **adult)
        assert await talk.say("M-7") == ["Welcome."]
        assert await talk.say("what is my member number?") == ["It is M-7."]
        await talk.say("pay my bill")
        assert await talk.say("what is my member number?") == ["It is M-7.", "Your PIN?"]


@pytest.mark.parametrize(
    "value", ["{size}", "{{ 1 + 1 }}", "{session.name}", "{", "}", "{dish.__class__}", "%(x)s"]
)
async def test_a_hostile_value_is_said_as_it_is(value: str) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await ordering(talk, dish=value)
        said = await talk.say("what does it cost?", context={"name": "secret"})
        assert said == [f"A {value} is twelve euros.", "Which size?"]


async def test_a_hostile_value_of_the_caller_is_said_as_it_is() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        hostile = {"staff": True, "name": "{session.token} {{ 2 }}", "token": "secret"}
        said = await talk.say("what does it cost?", context=hostile)
        assert said == ["For you, nothing, {session.token} {{ 2 }}."]


async def test_a_sensitive_slot_is_masked_in_an_answer() -> None:
    yaml = """
slots:
  pin: {prompt: "PIN?", sensitive: true}
  name: {prompt: "Name?"}
flows:
  enter: {trigger: {examples: [enter]}, steps: [{collect: pin}, {collect: name}]}
knowledge:
  - {question: Which PIN did I give?, answer: "You gave {pin}.", flow: enter}
"""
    async with talking_to(yaml) as talk:
        await talk.say("enter")
        assert await talk.say("1234") == ["Name?"]
        assert await talk.say("which PIN did I give?") == ["You gave ••••.", "Name?"]


@pytest.mark.parametrize(
    ("language", "message", "answer"),
    [
        ("en", "where are you?", "In the high street."),
        ("es", "¿dónde están?", "En la calle mayor."),
        ("es-AR", "donde estan?", "En la calle mayor."),
        ("es", "¿cuánto cuesta?", "Todo cuesta diez euros."),
        ("fr", "where are you?", "In the high street."),
    ],
)
async def test_each_turn_is_answered_in_its_language(
    language: str, message: str, answer: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say(message, language=language) == [answer]


async def test_the_language_can_change_in_the_middle() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say("where are you?", language="en") == [WHERE]
        assert await talk.say("¿dónde están?", language="es") == ["En la calle mayor."]
        assert await talk.say("where are you?", language="en") == [WHERE]


@pytest.mark.parametrize(
    "message", ["do you repair shoes?", "who founded your company?", "how old is your chef?"]
)
async def test_what_nothing_answers_is_said_so(message: str) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say(message) == [NO_ANSWER]
        await ordering(talk, dish="pizza")
        assert await talk.say(message) == [NO_ANSWER, "Which size?"]


async def test_no_answer_in_spanish() -> None:
    async with talking_to(shop("settings: {language: es}"), ACTIONS) as talk:
        assert await talk.say("¿quién es el cocinero?") == ["No tengo respuesta para eso."]


async def test_knowledge_comes_before_help_for_a_why_of_its_own() -> None:
    yaml = """
slots:
  amount: {prompt: "How much?", help: "Nobody can send an amount I do not know."}
flows:
  send: {trigger: {examples: [send money]}, steps: [{collect: amount}]}
knowledge:
  - {question: Why is my card blocked?, answer: It was reported as lost.}
"""
    async with talking_to(yaml) as talk:
        await talk.say("send money")
        assert await talk.say("why is my card blocked?") == [
            "It was reported as lost.",
            "How much?",
        ]
        help_ = "Nobody can send an amount I do not know."
        assert await talk.say("why do you need that?") == [help_, "How much?"]


async def test_what_is_about_the_flow_is_answered_by_its_description() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await ordering(talk, dish="pizza")
        said = await talk.say("what does ordering mean?")
        assert said == ["Order something to eat", "Which size?"]
        said = await talk.say("?", Clarify(topic="order"))
        assert said == ["Order something to eat", "Which size?"]


async def test_idle_a_flow_that_could_start_is_described() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        said = await talk.say("what is reserving?", Clarify(topic="what is reserving?"))
        assert said == ["Keep a table for you"]


async def test_after_a_button_the_question_is_still_about_the_flow_that_ended() -> None:
    yaml = """
flows:
  send:
    trigger: {examples: [send money]}
    steps:
      - {collect: amount, message: "How much?"}
      - {confirm: "Send {amount}?"}
      - say: "Sent."
knowledge:
  - {question: What does it cost?, answer: Nothing., flow: send}
  - {question: How long does it take to send?, answer: "{amount} takes a day.", flow: send}
"""
    async with talking_to(yaml) as talk:
        await talk.say("send money")
        await talk.say("50")
        both = AffirmConfirmation(), Clarify(topic="what does it cost?")
        assert await talk.say("yes, and what does it cost?", *both) == ["Sent.", "Nothing."]
        assert await talk.say("what does it cost?") == [NO_ANSWER]
        await talk.say("send money")
        await talk.say("50")
        both = AffirmConfirmation(), Clarify(topic="how long does it take to send?")
        said = await talk.say("yes, and how long does it take to send?", *both)
        assert said == ["Sent.", NO_ANSWER]  # the amount is gone with the flow


async def test_variations_of_an_answer_read_the_same_in_the_same_conversation() -> None:
    yaml = """
flows: {greet: {trigger: {examples: [hi]}, steps: [{say: Hi}]}}
knowledge:
  - {question: Where are you?, answer: [Here., There., Everywhere.]}
"""
    said = []
    for _ in range(2):
        async with talking_to(yaml) as talk:
            said.append([await talk.say("where are you?") for _ in range(5)])
    assert said[0] == said[1]
    assert len({text for texts in said[0] for text in texts}) > 1


async def test_knowledge_in_files_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path
    (folder / "knowledge").mkdir()
    (folder / "soni.yaml").write_text("flows: {greet: {trigger: {}, steps: [{say: Hi}]}}\n")
    (folder / "knowledge" / "b.yaml").write_text("- {question: Where?, answer: Here.}\n")
    (folder / "knowledge" / "a.yml").write_text("- question: When are you open?\n  answer: Now.\n")
    (folder / "knowledge" / ".c.yaml").write_text("nothing to read")
    (folder / "knowledge" / "notes.md").write_text("nothing to read")
    config = SoniConfig.load(folder)
    assert [entry.answer for entry in config.knowledge] == ["Now.", "Here."]
    async with talking_to(config) as talk:
        assert await talk.say("when are you open?") == ["Now."]
        assert await talk.say("where?") == ["Here."]
