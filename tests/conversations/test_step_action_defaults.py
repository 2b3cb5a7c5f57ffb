"""action: a required input that nobody can ask for takes its slot's default."""

import pytest

from soni.commands import CorrectSlot, SetSlot, StartFlow
from tests.talking import talking_to

PRINT = """
    from soni import action, normalizer, validator, NeedSlot

    @action
    def press(pages: int, copies: int) -> dict:
        return {"sheets": pages * copies}

    @action
    def fold(copies: int) -> dict:
        return {"folded": f"{copies} folded"}

    @action
    def bind(pages: int, ctx) -> dict:
        if "cover" not in ctx.slots:
            raise NeedSlot("cover")
        return {"bound": f"{pages} in {ctx.slots['cover']}"}

    @normalizer
    def doubled(copies: int) -> int:
        return copies * 2

    @validator
    def few(copies: int) -> bool:
        if copies > 5:
            raise ValueError("Five copies at most.")
        return True
"""


def printing(copies: str, *steps: str, pages: str = "") -> str:
    lines = "\n".join(f"          - {step}" for step in steps)
    return f"""
    slots:
      pages: {{type: integer, prompt: "How many pages?"{pages}}}
      copies: {{type: integer{copies}}}
      cover: {{default: linen}}
    flows:
      print:
        trigger: {{examples: [print]}}
        steps:
{lines}
"""


STEPS = ("action: press", 'say: "{sheets} sheets, {copies} each."')
SORRY = (
    "{action: press, on_error: sorry}",
    '{say: "{sheets} sheets.", jump_to: end}',
    '{step: sorry, say: "{_error_type}: {_error_message}"}',
)


async def test_the_default_is_written_and_the_action_runs_once() -> None:
    async with talking_to(printing(", default: 2", *STEPS), PRINT) as talk:
        assert await talk.say("print") == ["How many pages?"]
        assert await talk.say("3") == ["6 sheets, 2 each."]
        assert talk.actions == [("press", {"pages": 3, "copies": 2})]


@pytest.mark.parametrize("copies", [0, 1])
async def test_a_value_that_was_given_is_kept_even_if_it_is_zero(copies: int) -> None:
    async with talking_to(printing(", default: 2", *STEPS), PRINT) as talk:
        given = StartFlow(flow_name="print", slots={"copies": copies, "pages": 3})
        assert await talk.say("print", given) == [f"{3 * copies} sheets, {copies} each."]


async def test_zero_is_a_default() -> None:
    async with talking_to(printing(", default: 0", *STEPS), PRINT) as talk:
        given = StartFlow(flow_name="print", slots={"pages": 3})
        assert await talk.say("print", given) == ["0 sheets, 0 each."]


async def test_one_with_a_prompt_is_asked_all_the_same() -> None:
    asked = printing(', default: 2, prompt: "How many copies?"', *STEPS)
    async with talking_to(asked, PRINT) as talk:
        await talk.say("print")
        assert await talk.say("3") == ["How many copies?"]


async def test_without_a_default_it_is_still_the_steps_failure() -> None:
    async with talking_to(printing("", *SORRY), PRINT) as talk:
        await talk.say("print")
        assert await talk.say("3") == ["missing_input: slot 'copies' is not set"]


async def test_the_default_goes_through_the_normalizer() -> None:
    async with talking_to(printing(", default: 2, normalizer: doubled", *STEPS), PRINT) as talk:
        await talk.say("print")
        assert await talk.say("3") == ["12 sheets, 4 each."]


async def test_a_default_that_is_refused_is_the_steps_failure() -> None:
    async with talking_to(printing(", default: 9, validator: few", *SORRY), PRINT) as talk:
        await talk.say("print")
        assert await talk.say("3") == ["invalid_input: Five copies at most."]
        assert talk.actions == []


async def test_a_default_that_breaks_an_answer_asks_for_that_again() -> None:
    limit = ', constraints: [{if: "pages > copies", message: "More pages than copies."}]'
    steps = ("collect: pages", *STEPS)
    async with talking_to(printing(", default: 2", *steps, pages=limit), PRINT) as talk:
        await talk.say("print")
        assert await talk.say("1") == ["More pages than copies.", "How many pages?"]
        assert await talk.say("3") == ["6 sheets, 2 each."]
        assert talk.actions == [("press", {"pages": 3, "copies": 2})]


async def test_it_can_be_corrected_until_the_action_has_run() -> None:
    steps = ("action: fold", "collect: pages", *STEPS)
    contract = "    actions: {fold: {inputs: [copies], outputs: [folded], repeatable: true}}\n"
    async with talking_to(contract + printing(", default: 2", *steps), PRINT) as talk:
        assert await talk.say("print") == ["How many pages?"]
        assert talk.actions == [("fold", {"copies": 2})]
        change = CorrectSlot(slot_name="copies", new_value=4)
        assert await talk.say("4 copies", change) == ["copies is now 4.", "How many pages?"]
        assert await talk.say("3", SetSlot(slot_name="pages", value=3)) == ["12 sheets, 4 each."]


async def test_actions_side_by_side_share_it() -> None:
    steps = ("parallel: [press, fold]", 'say: "{sheets}, {folded}."')
    async with talking_to(printing(", default: 2", *steps), PRINT) as talk:
        await talk.say("print")
        assert await talk.say("3") == ["6, 2 folded."]


async def test_what_an_action_finds_missing_takes_its_default_too() -> None:
    steps = ("action: bind", 'say: "{bound}."')
    async with talking_to(printing("", *steps), PRINT) as talk:
        await talk.say("print")
        assert await talk.say("3") == ["3 in linen."]


async def test_a_step_that_is_passed_over_takes_no_default() -> None:
    steps = ("{action: fold, when: session.folds}", 'say: "[{copies}]"')
    async with talking_to(printing(", default: 2", *steps), PRINT) as talk:
        assert await talk.say("print") == ["[]"]
        assert await talk.say("print", context={"folds": True}) == ["[2]"]


async def test_an_input_that_has_a_default_is_provided() -> None:
    yaml = printing(", default: 2", *STEPS).replace(
        "        steps:", "        inputs: [copies]\n        steps:"
    )
    async with talking_to(yaml, PRINT) as talk:
        await talk.say("print")
        assert await talk.say("3") == ["6 sheets, 2 each."]
