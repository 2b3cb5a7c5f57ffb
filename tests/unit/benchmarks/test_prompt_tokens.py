"""What a prompt costs: counted in words, or by the model that would read it."""

from __future__ import annotations

from benchmarks.understanding.prompt_tokens import Counted, by_model, main, prompts, report, words
from tests.model_server import serving


async def test_each_message_is_one_prompt_with_the_flows_that_there_are() -> None:
    asked = await prompts(3, 2)
    assert len(asked) == 2
    assert all(body["messages"][-1]["content"].count("\n- ") == 3 for body in asked)


async def test_a_model_counts_what_it_reads_and_says_what_it_still_had() -> None:
    (body,) = await prompts(2, 1)
    with serving("x") as model:
        model.cached = 9
        counted = by_model(model.url, "tiny")(body)
        (sent,) = model.asked
    assert counted == Counted(words(body).tokens, 9)
    assert (sent["model"], sent["messages"], sent["max_tokens"]) == ("tiny", body["messages"], 1)


async def test_a_line_is_printed_for_each_number_of_flows(capsys) -> None:
    await main([1, 2], 1, lambda body: Counted(len(body["messages"])))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0].strip() for line in lines] == ["1 flows", "2 flows"]


def test_the_first_message_has_nothing_to_find_again() -> None:
    line = report(10, [Counted(100), Counted(110, 80), Counted(120, 90)])
    assert line == (
        "   10 flows:      110 in the mean (100 to 120), 85 of them kept from the message before"
    )
