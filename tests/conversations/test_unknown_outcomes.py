"""What the user hears when nobody knows whether an action was done."""

import pytest

from soni.core.storage import Effect
from tests.talking import Talk, talking_to

SHOP = """
actions:
  pay: {repeatable: %s}
  notify: {}
flows:
  order:
    trigger: {examples: [order]}
    steps:
      - %s
      - say: Ordered.
  buy:
    trigger: {examples: [buy]}
    steps:
      - call: order
      - say: Bought.
  handled:
    trigger: {examples: [handled]}
    steps:
      - {action: pay, timeout: 0.01, on_error: failed}
      - {say: Paid., jump_to: end}
      - {step: failed, say: "Not paid: {_error_type}.", jump_to: %s}
"""

PAY = """
import asyncio
from soni import ActionError, action

ATTEMPTS = []

@action
async def pay(ctx):
    match ctx.session["how"]:
        case "slow":
            await asyncio.sleep(60)
        case "cancelled":
            raise asyncio.CancelledError
        case "silent":
            raise ActionError("bank_silent", "no answer", outcome_known=False)
        case "not_sent":
            raise ActionError("timeout", "the bank could not be reached", outcome_known=True)
        case "refused":
            raise ActionError("no_funds", "too little money")
        case "silent_then_refused":
            ATTEMPTS.append("pay")
            if len(ATTEMPTS) == 1:
                raise ActionError("bank_silent", "no answer", outcome_known=False)
            raise ActionError("no_funds", "too little money")
        case "broken":
            raise KeyError("price")

@action
def notify(ctx):
    raise ActionError("no_phone", "nobody to tell")
"""

ACTION = "{action: pay, timeout: 0.01}"
TWICE = "{action: pay, retry: {max_attempts: 2, delay: 0}}"
TOGETHER = "{parallel: [notify, pay]}"
IN_DOUBT = (
    "I do not know whether {} was done: it was interrupted. Please check before you try again."
)
IN_DOUBT_ES = (
    "No sé si {} se hizo, porque se interrumpió. Compruébalo antes de volver a intentarlo."
)
FAILED = "Something went wrong, so I could not finish {}."


def write_shop(step: str = ACTION, *, repeatable: bool = False, after: str = "end") -> str:
    return SHOP % (str(repeatable).lower(), step, after)


async def list_open(talk: Talk) -> list[Effect]:
    return await talk.runtime.store.ledger.list_unknown(begun_before=9e12)


@pytest.mark.parametrize("how", ["slow", "cancelled", "silent"])
@pytest.mark.parametrize("flow", ["order", "buy"])
async def test_an_effect_that_stays_open_is_said_to_be_in_doubt(how: str, flow: str) -> None:
    async with talking_to(write_shop(), PAY) as talk:
        assert await talk.say(flow, context={"how": how}) == [IN_DOUBT.format(flow)]
        assert len(await list_open(talk)) == 1
        assert talk.ended[-1] == (flow, "error")


async def test_a_second_attempt_that_is_refused_does_not_say_that_the_first_was_not_done() -> None:
    async with talking_to(write_shop(TWICE), PAY) as talk:
        said = await talk.say("order", context={"how": "silent_then_refused"})
        assert said == [IN_DOUBT.format("order")]
        assert len(await list_open(talk)) == 1


async def test_in_spanish_too() -> None:
    async with talking_to(write_shop(), PAY) as talk:
        said = await talk.say("order", context={"how": "slow"}, language="es")
        assert said == [IN_DOUBT_ES.format("order")]


@pytest.mark.parametrize("how", ["refused", "broken", "not_sent"])
async def test_what_is_known_not_to_be_done_could_not_be_finished(how: str) -> None:
    async with talking_to(write_shop(), PAY) as talk:
        assert await talk.say("order", context={"how": how}) == [FAILED.format("order")]
        assert await list_open(talk) == []


async def test_what_may_be_repeated_leaves_nobody_in_doubt() -> None:
    async with talking_to(write_shop(repeatable=True), PAY) as talk:
        assert await talk.say("order", context={"how": "slow"}) == [FAILED.format("order")]


@pytest.mark.parametrize(("how", "said"), [("silent", IN_DOUBT), ("refused", FAILED)])
async def test_of_actions_that_run_together_one_in_doubt_is_enough(how: str, said: str) -> None:
    async with talking_to(write_shop(TOGETHER), PAY) as talk:
        assert await talk.say("order", context={"how": how}) == [said.format("order")]


@pytest.mark.parametrize(("after", "end"), [("end", []), ("error", [IN_DOUBT.format("handled")])])
async def test_a_flow_that_handles_the_failure_speaks_for_itself(
    after: str, end: list[str]
) -> None:
    async with talking_to(write_shop(after=after), PAY) as talk:
        said = await talk.say("handled", context={"how": "slow"})
        assert said == ["Not paid: timeout.", *end]


async def test_a_later_failure_of_which_all_is_known_is_said_as_such() -> None:
    async with talking_to(write_shop(), PAY) as talk:
        await talk.say("order", context={"how": "slow"})
        assert await talk.say("order", context={"how": "refused"}) == [FAILED.format("order")]
