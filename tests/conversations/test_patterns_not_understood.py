"""Not understood: said, then what can be done, then somebody else."""

from soni.commands import AffirmConfirmation, ChitChat, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
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
