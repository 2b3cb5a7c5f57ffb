"""Handoff: a person takes over, the bot is silent, and a release repeats the pending question."""

from datetime import timedelta

import pytest

from soni.commands import HumanHandoff, StartFlow
from soni.core.errors import NotAllowedError
from tests.conversations.desk import (
    ACTIONS,
    CANCEL,
    DESK,
    NO,
    RELEASE,
    TRANSFER,
    WEATHER,
    YES,
    Line,
    change,
    desk,
    held,
    put,
    transfer,
)
from tests.talking import talking_to

PERSON = "I am connecting you with a person."
BOTH = transfer(amount=5, recipient="Bob")
SURE = "Send 5 to Bob?"
HUMAN = HumanHandoff()


@pytest.mark.parametrize(
    ("language", "words", "person"),
    [
        ("en", "agent", PERSON),
        ("en", "I want to talk to a person.", PERSON),
        ("es", "quiero hablar con una persona", "Te paso con una persona."),
        ("es", "Operador", "Te paso con una persona."),
    ],
)
async def test_as_it_is_said(language: str, words: str, person: str) -> None:
    talk = await held([(words, [person])], language=language)
    ticket = talk.state["metadata"]["handoff"]
    assert (ticket["reason"], ticket["summary"]) == ("requested by the user", "no open task")


async def test_then_nothing_is_answered_and_nothing_is_done() -> None:
    talk = await held([
        (BOTH, [SURE]), (HUMAN, [PERSON]), ("yes", []), (YES, []), (CANCEL, []), (WEATHER, []),
        ("cancel", []), (HUMAN, []), ((), []),
    ])  # fmt: skip
    assert (talk.stack, talk.actions, talk.decisions) == (["transfer"], [], [])


async def test_what_was_said_meanwhile_is_recorded() -> None:
    talk = await held([(TRANSFER, ["How much?"]), (HUMAN, [PERSON]), ("are you there?", [])])
    assert [str(message.content) for message in talk.state["messages"]][-1] == "are you there?"


@pytest.mark.parametrize(
    ("language", "asked", "person", "whom"),
    [
        ("en", "How much?", PERSON, "To whom?"),
        ("es", "¿Cuánto?", "Te paso con una persona.", "¿A quién?"),
    ],
)
async def test_released_the_question_is_asked_again(
    language: str, asked: str, person: str, whom: str
) -> None:
    lines: list[Line] = [
        (TRANSFER, [asked]), (HUMAN, [person]), ("5", []), (RELEASE, [asked]), ("5", [whom]),
    ]  # fmt: skip
    await held(lines, language=language)


async def test_released_a_confirmation_is_asked_again_and_needs_its_own_yes() -> None:
    talk = await held([(BOTH, [SURE]), (HUMAN, [PERSON]), ("yes", []), (RELEASE, [SURE])])
    assert talk.actions == []
    await held([(BOTH, [SURE]), (HUMAN, [PERSON]), (RELEASE, [SURE]), (YES, ["Sent 5 to Bob."])])


async def test_released_what_to_change_is_asked_again() -> None:
    what = "What would you like to change?"
    await held([(BOTH, [SURE]), (NO, [what]), (HUMAN, [PERSON]), (RELEASE, [what])])


async def test_released_when_idle_nothing_is_said() -> None:
    await held([(HUMAN, [PERSON]), (RELEASE, []), ("when are you open", ["From 9 to 5."])])


async def test_a_paused_task_is_still_there_after_the_release() -> None:
    await held(
        [
            (TRANSFER, ["How much?"]),
            (WEATHER, ["Which city?"]),
            (HUMAN, [PERSON]),
            (RELEASE, ["Which city?"]),
            ("Rome", ["It is sunny in Rome.", "Back to transfer.", "How much?"]),
        ]
    )


async def test_nothing_times_out_meanwhile_nor_by_the_release() -> None:
    await held([
        (TRANSFER, ["How much?"]), (HUMAN, [PERSON]), (timedelta(days=2), []), ("hello?", []),
        (timedelta(days=2), []), (RELEASE, ["How much?"]), ("5", ["To whom?"]),
    ])  # fmt: skip


async def test_after_the_release_the_time_runs_again() -> None:
    talk = await held(
        [
            (TRANSFER, ["How much?"]),
            (HUMAN, [PERSON]),
            (RELEASE, ["How much?"]),
            (timedelta(hours=1), []),
            ("when are you open", ["From 9 to 5."]),
        ]
    )
    assert talk.ended == [("transfer", "abandoned"), ("hours", "completed")]


async def test_a_second_handoff_after_a_release_is_one_like_the_first() -> None:
    await held([
        (TRANSFER, ["How much?"]), (HUMAN, [PERSON]), (RELEASE, ["How much?"]), (HUMAN, [PERSON]),
        (RELEASE, ["How much?"]),
    ])  # fmt: skip


async def test_what_else_the_message_said_happens_first() -> None:
    await held(
        [(TRANSFER, ["How much?"]), ((put("amount", 5), HUMAN), [PERSON]), (RELEASE, ["To whom?"])]
    )
    await held(
        [
            (BOTH, [SURE]),
            ((change("amount", 6), HUMAN), ["amount is now 6.", PERSON]),
            (RELEASE, ["Send 6 to Bob?"]),
        ]
    )
    talk = await held([(BOTH, [SURE]), ((YES, HUMAN), ["Sent 5 to Bob.", PERSON]), (RELEASE, [])])
    assert talk.stack == []


async def test_the_ticket_says_where_the_user_is() -> None:
    talk = await held(
        [(BOTH, [SURE]), (WEATHER, ["Which city?"]), (HumanHandoff(reason="angry"), [PERSON])]
    )
    ticket = talk.state["metadata"]["handoff"]
    assert (ticket["reason"], ticket["queue"]) == ("angry", None)
    assert ticket["summary"] == "transfer (at sure); weather (at collect_city)"


async def test_the_queue_and_the_action_are_settings() -> None:
    keys = "settings: {handoff: {default_queue: cards, action: notify}}"
    actions = """
from soni import action

@action
def send(amount: int, recipient: str) -> dict:
    return {}

@action
def notify(queue: str, reason: str, summary: str, slots: dict, ctx) -> dict:
    ctx.say(f"{queue}: {summary}, {sorted(slots)}")
    return {}
"""
    said = [PERSON, "cards: transfer (at sure), ['amount', 'recipient']"]
    await held([(BOTH, [SURE]), (HUMAN, said), (RELEASE, [SURE])], desk(keys), actions)


STEP = """
  complain:
    trigger: {}
    steps:
      - collect: grade
      - {handoff: complaints, message: {en: "A colleague will read it.", es: "Lo leerá alguien."}}
      - say: {en: "Anything else?", es: "¿Algo más?"}
"""


@pytest.mark.parametrize(
    ("language", "asked", "person", "after"),
    [
        ("en", "How many stars?", "A colleague will read it.", "Anything else?"),
        ("es", "¿Cuántas estrellas?", "Lo leerá alguien.", "¿Algo más?"),
    ],
)
async def test_a_step_hands_over_and_the_next_follows_the_release(
    language: str, asked: str, person: str, after: str
) -> None:
    lines: list[Line] = [
        (StartFlow(flow_name="complain"), [asked]), ("1", [person]), ("hm", []), (RELEASE, [after]),
    ]  # fmt: skip
    talk = await held(lines, desk(flows=STEP), language=language)
    assert talk.ended == [("complain", "completed")]


@pytest.mark.parametrize(
    ("language", "asked", "nobody"),
    [
        ("en", "How much?", "I cannot connect you with a person here."),
        ("es", "¿Cuánto?", "Aquí no puedo pasarte con una persona."),
    ],
)
async def test_disabled_it_says_so_and_goes_on(language: str, asked: str, nobody: str) -> None:
    off = desk("conversation_patterns: {human_handoff: {enabled: false}}")
    await held([(TRANSFER, [asked]), (HUMAN, [nobody, asked])], off, language=language)


@pytest.mark.parametrize(("language", "person"), [("en", "Hold the line."), ("es", "Un momento.")])
async def test_the_words_are_the_authors(language: str, person: str) -> None:
    own = desk('responses: {handoff: {en: "Hold the line.", es: "Un momento."}}')
    await held([(HUMAN, [person])], own, language=language)


async def test_the_application_may_not_start_anything_meanwhile_nor_release_twice() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        with pytest.raises(NotAllowedError, match="it is not handed off"):
            await talk.runtime.release("ann")
        await talk.say("person", HUMAN)
        with pytest.raises(NotAllowedError, match="release it first"):
            await talk.runtime.start_flow("ann", "weather")
        await talk.runtime.release("ann")
        assert (await talk.runtime.start_flow("ann", "weather")).messages == ["Which city?"]


async def test_another_conversation_of_the_same_user_goes_on() -> None:
    async with talking_to(DESK, ACTIONS) as talk:
        await talk.say("person", HUMAN)
        assert await talk.say("hello?") == []
        assert await talk.say("when are you open", conversation_id="other") == ["From 9 to 5."]
