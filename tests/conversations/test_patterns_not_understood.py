"""Not understood: said, then what can be done, then somebody else."""

from soni.commands import AffirmConfirmation, CancelFlow, ChitChat, Disambiguate, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.conversations.desk import RELEASE, Line, desk, held
from tests.conversations.desk import transfer as desk_transfer
from tests.talking import Talk, talking_to

NOTHING = "I did not understand that."
CAN_DO = "I can help with: transfer, balance, weather."
GOODBYE = "I am connecting you with a person."


async def _noise(talk: Talk) -> list[str]:
    return await talk.say("xyzzy", commands=[])


def _patience(turns: int, more: str = "") -> str:
    return f"settings: {{conversation: {{max_turns_without_progress: {turns}{more}}}}}"


async def test_it_is_said_then_the_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("xyzzy") == [NOTHING]
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await _noise(talk) == [NOTHING, "How much?"]


async def test_repeated_it_says_what_can_be_done() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await _noise(talk)
        assert await _noise(talk) == [NOTHING, CAN_DO, "How much?"]


async def test_only_what_may_start_now_is_listed() -> None:
    flows = """
  vip_lounge: {trigger: {condition: session.vip}, steps: [{say: "Welcome."}]}
  secret: {trigger: {}, hidden: true, steps: [{say: "Hush."}]}
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await _noise(talk)
        assert await _noise(talk) == [NOTHING, CAN_DO]
        said = await talk.say("xyzzy", commands=[], context={"vip": True})
        assert said == [NOTHING, "I can help with: transfer, balance, weather, vip lounge."]


async def test_progress_starts_the_count_anew() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await _noise(talk)
        await talk.say("5", SetSlot(slot_name="amount", value=5))
        assert await _noise(talk) == [NOTHING, "To whom?"]


async def test_then_a_person_takes_over() -> None:
    async with talking_to(bank(_patience(3)), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await _noise(talk)
        await _noise(talk)
        assert await _noise(talk) == [GOODBYE]
        assert talk.state["metadata"]["handoff"]["reason"] == "no progress"
        # Given back, the conversation has its patience again.
        await talk.runtime.release("ann")
        assert await _noise(talk) == [NOTHING, "How much?"]


async def test_or_the_fallback_flow_is_pushed() -> None:
    more = ", on_no_progress: fallback, fallback_flow: lost"
    flows = "  lost: {steps: [{say: 'Let us start over.'}, {collect: city}]}\n"
    async with talking_to(bank(_patience(2, more), flows), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await _noise(talk)
        assert await _noise(talk) == ["Let us start over.", "Which city?"]
        assert talk.stack == ["transfer", "lost"]
        await _noise(talk)
        # A fallback that does not help either is not pushed onto itself.
        assert await _noise(talk) == [GOODBYE]


async def test_without_anybody_to_hand_over_to_it_goes_on() -> None:
    off = "\nconversation_patterns: {human_handoff: {enabled: false}}"
    async with talking_to(bank(_patience(2) + off), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await _noise(talk)
        for _ in range(3):
            assert await _noise(talk) == [NOTHING, CAN_DO, "How much?"]


async def test_unclear_answers_to_a_confirm_are_counted_then_a_person_takes_over() -> None:
    yaml = bank("conversation_patterns: {confirmation: {max_retries: 2}}")
    async with talking_to(yaml, ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        assert await _noise(talk) == [NOTHING, "Send 5 to Bob?"]
        assert await _noise(talk) == [GOODBYE]
        reason = "no clear answer to the confirmation"
        assert talk.state["metadata"]["handoff"]["reason"] == reason
        assert talk.actions == []


async def test_the_confirms_own_max_retries_counts_before_the_settings() -> None:
    yaml = BANK.replace('{recipient}?"}', '{recipient}?", max_retries: 1}')
    async with talking_to(yaml, ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        assert await _noise(talk) == [GOODBYE]


async def test_small_talk_at_a_confirm_is_not_unclear() -> None:
    yaml = bank("conversation_patterns: {confirmation: {max_retries: 1}}")
    async with talking_to(yaml, ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        assert await talk.say("hi", ChitChat()) == ["I'm here to help.", "Send 5 to Bob?"]
        assert await talk.say("yes", AffirmConfirmation()) == ["Sent 5 to Bob."]


async def test_noise_before_the_confirm_is_not_counted_at_it() -> None:
    yaml = bank("conversation_patterns: {confirmation: {max_retries: 2}}")
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await _noise(talk)
        await _noise(talk)
        await talk.say("Bob", SetSlot(slot_name="recipient", value="Bob"))
        assert await _noise(talk) == [NOTHING, "Send 5 to Bob?"]


async def test_the_default_flow_starts_on_an_idle_message_with_no_accepted_command() -> None:
    flows = "  start: {steps: [{say: 'Hello.'}]}\n"
    yaml = bank("settings: {conversation: {default_flow: start}}", flows)
    async with talking_to(yaml, ACTIONS) as talk:
        assert await talk.say("xyzzy") == ["Hello."]
        assert await talk.say("yes", AffirmConfirmation()) == ["Hello."]
        assert await talk.say("hi", ChitChat()) == ["I'm here to help."]
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await _noise(talk) == [NOTHING, "How much?"]


async def test_the_words_are_the_authors() -> None:
    own = 'responses: {not_understood: {en: "Pardon?", es: "¿Cómo?"}}'
    async with talking_to(bank(own), ACTIONS) as talk:
        assert await talk.say("xyzzy", language="es") == ["¿Cómo?"]


NADA, PUEDO = "No lo he entendido.", "Puedo ayudarte con: transfer, balance, weather, hours."


async def test_in_spanish_up_to_the_person() -> None:
    lines: list[Line] = [
        ((), [NADA]), (desk_transfer(), ["¿Cuánto?"]), ((), [NADA, "¿Cuánto?"]),
        ((), [NADA, PUEDO, "¿Cuánto?"]), ((), ["Te paso con una persona."]),
    ]  # fmt: skip
    await held(lines, desk(_patience(3)), language="es")


async def test_when_idle_it_is_counted_as_well() -> None:
    can = "I can help with: transfer, balance, weather, hours."
    await held([((), [NOTHING]), ((), [NOTHING, can]), ((), [GOODBYE])], desk(_patience(3)))


async def test_with_a_limit_of_one_the_first_time_is_the_last() -> None:
    await held([((), [GOODBYE]), ("hello?", []), (RELEASE, [])], desk(_patience(1)))


async def test_the_fallback_flow_helps_and_returns_to_the_question() -> None:
    more = ", on_no_progress: fallback, fallback_flow: hours"
    lines: list[Line] = [
        (desk_transfer(), ["How much?"]), ((), [NOTHING, "How much?"]),
        ((), ["From 9 to 5.", "Back to transfer.", "How much?"]),
        ((), [NOTHING, "How much?"]), ("5", ["To whom?"]),
    ]  # fmt: skip
    await held(lines, desk(_patience(2, more)))


async def test_the_fallback_flow_in_spanish_from_idle() -> None:
    more = ", on_no_progress: fallback, fallback_flow: weather"
    lines: list[Line] = [((), [NADA]), ((), ["¿Qué ciudad?"]), ("Roma", ["Hace sol en Roma."])]
    await held(lines, desk(_patience(2, more)), language="es")


async def test_a_fallback_that_takes_the_place_of_the_oldest_task_says_so() -> None:
    keys = (
        "settings: {flow_management: {max_stack_depth: 1}, conversation: {on_no_progress: fallback,"
        " max_turns_without_progress: 1, fallback_flow: weather}}"
    )
    room = "I have cancelled transfer to make room for weather."
    talk = await held([(desk_transfer(), ["How much?"]), ((), [room, "Which city?"])], desk(keys))
    assert (talk.stack, talk.ended) == (["weather"], [("transfer", "cancelled")])


async def test_rejected_commands_are_no_progress() -> None:
    wrong = (SetSlot(slot_name="city", value="Rome"), AffirmConfirmation())
    can = "I can help with: transfer, balance, weather, hours."
    lines: list[Line] = [
        (desk_transfer(), ["How much?"]),
        (wrong, [NOTHING, "How much?"]),
        (wrong, [NOTHING, can, "How much?"]),
    ]
    await held(lines, desk())


async def test_small_talk_in_between_is_no_progress_and_a_refused_value_is() -> None:
    can = "I can help with: transfer, balance, weather, hours."
    lines: list[Line] = [
        (desk_transfer(), ["How much?"]), ((), [NOTHING, "How much?"]),
        (ChitChat(), ["I'm here to help.", "How much?"]), ((), [NOTHING, can, "How much?"]),
        ("lots", ["Please give a whole number.", "How much?"]), ((), [NOTHING, "How much?"]),
    ]  # fmt: skip
    await held(lines, desk())


async def test_what_can_be_done_is_the_authors_too() -> None:
    own = 'responses: {what_i_can_do: {en: "Try {flows}.", es: "Prueba {flows}."}}'
    each = "transfer, balance, weather, hours"
    await held([((), [NOTHING]), ((), [NOTHING, f"Try {each}."])], desk(own))
    await held([((), [NADA]), ((), [NADA, f"Prueba {each}."])], desk(own), language="es")


async def test_a_question_of_the_system_is_dropped_for_the_fallback_flow() -> None:
    keys = _patience(2, ", on_no_progress: fallback, fallback_flow: weather")
    keys += "\nconversation_patterns: {cancellation: {confirm_before_cancel: true}}"
    really = "Do you want to cancel transfer?"
    lines: list[Line] = [
        (desk_transfer(), ["How much?"]), (CancelFlow(), [really]), ((), [NOTHING, really]),
        ((), ["Which city?"]), (AffirmConfirmation(), [NOTHING, "Which city?"]),
        ("Rome", ["It is sunny in Rome.", "Back to transfer.", "How much?"]),
    ]  # fmt: skip
    await held(lines, desk(keys))


async def test_which_flow_was_meant_is_no_longer_asked_in_the_fallback_flow() -> None:
    keys = _patience(2, ", on_no_progress: fallback, fallback_flow: weather")
    which = "Which one do you mean: 1. transfer, 2. balance?"
    lines: list[Line] = [
        (Disambiguate(flow_names=("transfer", "balance")), [which]), ((), [NOTHING, which]),
        ((), ["Which city?"]), ("Rome", ["It is sunny in Rome."]),
    ]  # fmt: skip
    await held(lines, desk(keys))
