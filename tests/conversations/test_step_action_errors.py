"""action: what happens when it fails; never onwards."""

import pytest

from tests.talking import talking_to

FAIL = """
    import asyncio
    from soni import action, ActionError

    CALLS = []

    @action
    async def work(ctx):
        CALLS.append(1)
        how = ctx.session.get("how")
        if how == "own":
            raise ActionError("no_seats", "The flight is full.")
        if how == "bare":
            raise ActionError("no_seats")
        if how == "bug":
            raise KeyError("price")
        if how == "slow":
            await asyncio.Event().wait()
        if how == "bad":
            return ["no dict"]
        return {"result": f"done in {len(CALLS)}"}

    @action
    def notify():
        raise ActionError("away", "Nobody listens.")
"""


def flow(step: str, on_error: str = "") -> str:
    return f"""
    flows:
      work:
        {on_error}
        steps:
          - {{type: branch, input: session.way, cases: {{own: own, general: general}}}}
          - {step}
          - {{say: "{{result}}", jump_to: end}}
          - step: own
            type: say
            message: "own: {{_error_type}}, {{_error_message}}"
            jump_to: end
          - {{step: general, type: say, message: "general: {{_error_type}}", jump_to: end}}
    """


WRONG = "Something went wrong, so I could not finish work."


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("own", "own: no_seats, The flight is full."),
        ("bare", "own: no_seats, no_seats"),
        ("bug", "own: KeyError, 'price'"),
        ("slow", "own: timeout, no answer within 0.01 seconds"),
        ("bad", "own: bad_output, 'work' returned list, no dict"),
        (None, "done in 1"),
    ],
)
async def test_a_failure_goes_to_the_steps_on_error_with_its_type_and_message(
    how: str | None, said: str
) -> None:
    step = "{action: work, on_error: own, timeout: 0.01}"
    async with talking_to(flow(step, "on_error: general"), FAIL) as talk:
        assert await talk.say("hi", context={"how": how}) == [said]
        assert talk.ended == [("work", "completed")]


async def test_else_to_the_flows_on_error() -> None:
    async with talking_to(flow("action: work", "on_error: general"), FAIL) as talk:
        assert await talk.say("hi", context={"how": "own"}) == ["general: no_seats"]


async def test_else_the_flow_ends_as_error_and_nothing_after_it_runs() -> None:
    async with talking_to(flow("action: work"), FAIL) as talk:
        assert await talk.say("hi", context={"how": "own"}) == [WRONG]
        assert talk.ended == [("work", "error")]
        assert talk.state["metadata"]["error"] == "no_seats: The flight is full."
        assert talk.state["conversation_state"] == "idle"
        assert await talk.say("hi") == ["done in 2"]


@pytest.mark.parametrize(
    ("target", "said", "result"),
    [
        ("end", [], "completed"),
        ("error", [WRONG], "error"),
        ("cancel_flow", ["I have cancelled work."], "cancelled"),
        ("continue", [""], "completed"),
    ],
)
async def test_on_error_may_be_any_target(target: str, said: list[str], result: str) -> None:
    async with talking_to(flow(f"{{action: work, on_error: {target}}}"), FAIL) as talk:
        assert await talk.say("hi", context={"how": "own"}) == said
        assert talk.ended == [("work", result)]


async def test_an_input_that_cannot_be_worked_out_is_the_actions_failure() -> None:
    config = """
    flows:
      work:
        steps:
          - set: {n: 0}
          - {action: work, inputs: {ratio: "{{ 1 / n }}"}, on_error: own}
          - {say: "never", jump_to: end}
          - {step: own, type: say, message: "{_error_type}"}
    """
    actions = """
        from soni import action

        @action
        def work(ratio):
            return {}
    """
    async with talking_to(config, actions) as talk:
        assert await talk.say("hi") == ["expression"]
        assert talk.actions == []


async def test_a_failure_of_the_flows_own_error_step_ends_the_flow() -> None:
    config = """
    flows:
      work:
        on_error: alarm
        steps:
          - action: work
          - {step: alarm, type: action, call: notify}
    """
    async with talking_to(config, FAIL) as talk:
        assert await talk.say("hi", context={"how": "own"}) == [WRONG]
        assert talk.state["metadata"]["error"] == "away: Nobody listens."
        assert [name for name, _ in talk.actions] == ["work", "notify"]


async def test_a_timeout_of_the_settings_holds_for_steps_without_one() -> None:
    config = "    settings: {runtime: {action_timeout: 0.01}}" + flow(
        "{action: work, on_error: own}"
    )
    async with talking_to(config, FAIL) as talk:
        assert await talk.say("hi", context={"how": "slow"}) == [
            "own: timeout, no answer within 0.01 seconds"
        ]


FLAKY = """
    from soni import action, ActionError

    CALLS = []

    @action
    def work(ctx):
        CALLS.append(ctx.idempotency_key)
        ctx.say(f"Try {len(CALLS)}.")
        if len(CALLS) < 3:
            raise ActionError(ctx.session.get("how", "busy"))
        return {"result": f"done, {len(set(CALLS))} key"}
"""


async def test_retry_tries_again_with_the_same_key() -> None:
    step = "{action: work, retry: {max_attempts: 3, delay: 0}}"
    async with talking_to(flow(step), FLAKY) as talk:
        assert await talk.say("hi") == ["Try 1.", "Try 2.", "Try 3.", "done, 1 key"]
        assert talk.actions == [("work", {})]


async def test_retry_on_says_which_errors_are_worth_it() -> None:
    step = "{action: work, retry: {max_attempts: 3, delay: 0, retry_on: [busy]}, on_error: own}"
    async with talking_to(flow(step), FLAKY) as talk:
        assert await talk.say("hi", context={"how": "broken"}) == ["Try 1.", "own: broken, broken"]


async def test_the_error_path_may_ask_and_try_again() -> None:
    config = """
    slots:
      seats: {type: integer, prompt: "How many seats?"}
    flows:
      book:
        steps:
          - {step: ask, type: collect, slot: seats}
          - {step: do, type: action, call: book, on_error: sorry}
          - {say: "{result}", jump_to: end}
          - {step: sorry, type: confirm, message: "{_error_message} Try again?", on_yes: do,
             on_no: end}
    """
    actions = """
        from soni import action, ActionError

        CALLS = []

        @action
        def book(seats):
            CALLS.append(1)
            if len(CALLS) < 3:
                raise ActionError("busy", "The line is busy.")
            return {"result": f"{seats} seats"}
    """
    async with talking_to(config, actions) as talk:
        await talk.say("hi")
        assert await talk.say("2") == ["The line is busy. Try again?"]
        assert await talk.say("yes") == ["The line is busy. Try again?"]
        assert await talk.say("yes") == ["2 seats"]


async def test_what_was_set_before_the_failure_stays_for_the_error_path() -> None:
    config = """
    flows:
      work:
        on_error: sorry
        steps:
          - set: {tried: 1, result: old}
          - action: work
          - {step: sorry, type: say, message: "{tried} {result} {_error}"}
    """
    async with talking_to(config, FAIL) as talk:
        assert await talk.say("hi", context={"how": "own"}) == ["1 old yes"]


async def test_an_error_in_the_flow_on_top_returns_to_the_task_below() -> None:
    config = """
    flows:
      ask:
        trigger: {examples: [ask]}
        steps:
          - {collect: name, message: "Name?"}
          - say: "Hello, {name}."
      work:
        trigger: {examples: [work]}
        steps:
          - action: notify
    """
    async with talking_to(config, FAIL) as talk:
        await talk.say("ask")
        assert await talk.say("work") == [WRONG, "Back to ask.", "Name?"]
        assert await talk.say("Ann") == ["Hello, Ann."]
