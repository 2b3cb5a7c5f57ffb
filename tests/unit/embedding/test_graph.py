"""An assistant as a graph that asks by interrupts."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from soni import RuntimeLoop
from soni.embedding import make_graph
from tests.talking import assistant

YAML = """
slots:
  recipient: {type: string, prompt: To whom?}
  amount: {type: number, prompt: How much?}
actions:
  transfer: {inputs: [recipient, amount], outputs: [times]}
flows:
  send_money:
    trigger: {examples: [send money]}
    steps:
      - collect: recipient
      - collect: amount
      - {confirm: "Send {amount} to {recipient}?", ui: {type: buttons}}
      - action: transfer
      - say: "Sent to {recipient}, {times}."
"""
ACTIONS = """
from soni import action

sent = []

@action
def transfer(recipient, amount):
    sent.append(recipient)
    return {"times": len(sent)}
"""
THREAD: Any = {"configurable": {"thread_id": "t1"}}
START_TALK: Any = {"messages": [("user", "send money")]}


def get_question(state: dict[str, Any]) -> dict[str, Any]:
    (interrupt,) = state["__interrupt__"]
    question: dict[str, Any] = interrupt.value
    return question


def list_texts(state: dict[str, Any]) -> list[str]:
    return [message.text for message in state["messages"]]


async def test_each_question_is_an_interrupt_and_the_answer_resumes() -> None:
    async with RuntimeLoop(assistant(YAML, ACTIONS)) as runtime:
        graph = make_graph(runtime, checkpointer=InMemorySaver())
        asked = await graph.ainvoke(START_TALK, THREAD)
        assert get_question(asked) == {
            "text": "To whom?",
            "kind": "collect",
            "slot": "recipient",
            "options": [],
        }
        await graph.ainvoke(Command(resume="Bob"), THREAD)
        asked = await graph.ainvoke(Command(resume={"text": "50"}), THREAD)
        assert (get_question(asked)["kind"], get_question(asked)["options"]) == (
            "confirm",
            ["Yes", "No"],
        )
        done = await graph.ainvoke(Command(resume={"press": "Yes"}), THREAD)
        assert "__interrupt__" not in done
        assert list_texts(done) == [
            *("send money", "To whom?", "Bob", "How much?", "50"),
            *("Send 50 to Bob?\n1. Yes\n2. No", "Yes", "Sent to Bob, 1."),
        ]
        assert (await runtime.get_state("t1"))["turn_count"] == 4


@pytest.mark.parametrize("wrong", [50, ["Bob"], {"answer": "Bob"}, {"text": 5}])
async def test_an_answer_of_no_known_form_is_asked_for_again(wrong: Any) -> None:
    async with RuntimeLoop(assistant(YAML, ACTIONS)) as runtime:
        graph = make_graph(runtime, checkpointer=InMemorySaver())
        await graph.ainvoke(START_TALK, THREAD)
        asked = await graph.ainvoke(Command(resume=wrong), THREAD)
        assert "expected a text, {'text': ...} or {'press'" in get_question(asked)["error"]
        asked = await graph.ainvoke(Command(resume="Bob"), THREAD)
        assert get_question(asked)["text"] == "How much?"


async def test_a_new_message_is_as_good_as_an_answer() -> None:
    async with RuntimeLoop(assistant(YAML, ACTIONS)) as runtime:
        graph = make_graph(runtime, checkpointer=InMemorySaver())
        await graph.ainvoke(START_TALK, THREAD)
        asked = await graph.ainvoke({"messages": [("user", "Bob")]}, THREAD)
        assert get_question(asked)["text"] == "How much?"
        assert list_texts(asked) == ["send money", "To whom?", "Bob", "How much?"]


async def test_in_a_hosts_graph_it_goes_on_when_the_task_is_done() -> None:
    ran: list[str] = []

    async def greet(state: MessagesState) -> None:
        ran.append("greet")

    async def file_away(state: MessagesState) -> dict[str, Any]:
        ran.append("file_away")
        return {"messages": [("ai", "Filed.")]}

    async with RuntimeLoop(assistant(YAML, ACTIONS)) as runtime:
        builder = StateGraph(MessagesState)
        builder.add_node("greet", greet)
        builder.add_node("bank", make_graph(runtime))
        builder.add_node("file_away", file_away)
        builder.add_edge(START, "greet")
        builder.add_edge("greet", "bank")
        builder.add_edge("bank", "file_away")
        host = builder.compile(checkpointer=InMemorySaver())
        asked = await host.ainvoke(START_TALK, THREAD)
        assert get_question(asked)["text"] == "To whom?"
        for answer in ("Bob", "50", "yes"):
            assert ran == ["greet"]
            done = await host.ainvoke(Command(resume=answer), THREAD)
        assert ran == ["greet", "file_away"]
        assert list_texts(done)[-2:] == ["Sent to Bob, 1.", "Filed."]


async def test_an_interrupted_run_is_resumed_after_a_restart(tmp_path: Path) -> None:
    config = assistant(
        f"settings: {{persistence: {{backend: sqlite, url: '{tmp_path}/soni.db'}}}}\n{YAML}",
        ACTIONS,
    )
    answers = [START_TALK, Command(resume="Bob"), Command(resume="50"), Command(resume="yes")]
    for answer in answers:
        async with (
            RuntimeLoop(config) as runtime,
            AsyncSqliteSaver.from_conn_string(f"{tmp_path}/host.db") as saver,
        ):
            graph = make_graph(runtime, checkpointer=saver)
            state = await graph.ainvoke(answer, THREAD)
    assert list_texts(state)[-1] == "Sent to Bob, 1."


async def test_a_run_that_breaks_off_after_the_answer_does_nothing_twice() -> None:
    class Unplugged(InMemorySaver):
        """A host's store that fails when it should keep the end of a run."""

        broken = False

        async def aput(self, config: Any, checkpoint: Any, *rest: Any) -> Any:
            if self.broken:
                raise ConnectionError("unplugged")
            return await super().aput(config, checkpoint, *rest)

    saver = Unplugged()
    async with RuntimeLoop(assistant(YAML, ACTIONS)) as runtime:
        graph = make_graph(runtime, checkpointer=saver)
        options: Any = {"durability": "exit"}
        await graph.ainvoke(START_TALK, THREAD, **options)
        for answer in ("Bob", "50"):
            await graph.ainvoke(Command(resume=answer), THREAD, **options)
        saver.broken = True
        with pytest.raises(ConnectionError):
            await graph.ainvoke(Command(resume="yes"), THREAD, **options)
        saver.broken = False
        # The transfer was made; the host knows nothing of it and sends the answer again.
        done = await graph.ainvoke(Command(resume="yes"), THREAD, **options)
        assert list_texts(done)[-2:] == ["yes", "Sent to Bob, 1."]
        assert (await runtime.get_state("t1"))["turn_count"] == 4


async def test_two_threads_of_one_host_are_not_mixed() -> None:
    async with RuntimeLoop(assistant(YAML, ACTIONS)) as runtime:
        graph = make_graph(runtime, checkpointer=InMemorySaver())
        threads: list[Any] = [{"configurable": {"thread_id": name}} for name in ("a", "b")]
        await graph.abatch([START_TALK, START_TALK], threads)
        await graph.abatch([Command(resume="Ann"), Command(resume="Bob")], threads)
        asked = await graph.abatch([Command(resume="1"), Command(resume="2")], threads)
        texts = [get_question(state)["text"].splitlines()[0] for state in asked]
        assert texts == ["Send 1 to Ann?", "Send 2 to Bob?"]


async def test_a_label_that_is_not_offered_is_read_as_a_message() -> None:
    async with RuntimeLoop(assistant(YAML, ACTIONS)) as runtime:
        graph = make_graph(runtime, checkpointer=InMemorySaver())
        await graph.ainvoke(START_TALK, THREAD)
        pressed = HumanMessage("Bob", additional_kwargs={"press": True})
        asked = await graph.ainvoke({"messages": [pressed]}, THREAD)
        assert get_question(asked)["text"] == "How much?"
