"""Turns the examples of flows into questions."""

from dataclasses import replace
from typing import Final

from soni.config.dump import dump_yaml
from soni.config.positions import Source
from soni.config.soni_config import SoniConfig
from soni.testing.evaluate.evaluation import Evaluation
from soni.testing.evaluate.question import Question
from soni.testing.evaluate.sentences import IDLE, SentenceFile, Sentences
from soni.testing.files import parse_text

FILE: Final = "the flows' examples"


async def make_trigger_questions(config: SoniConfig) -> list[Question]:
    """A question for each example of a flow that may always start, with that example hidden."""
    said = {
        example: [{"StartFlow": {"flow_name": name}}]
        for name, flow in config.flows.items()
        if flow.trigger is not None and flow.trigger.condition is None
        for example in flow.trigger.examples
    }
    if not said:
        return []
    read = parse_text(SentenceFile, Source(FILE, dump_yaml({"said": {IDLE: said}})), "")
    assert read.content is not None, read.problems
    written = Sentences(read.content, read.positions, FILE)
    questions = await Evaluation(config, (written,), ()).collect_questions()
    return [_hide_example(question) for question in questions]


def _hide_example(question: Question) -> Question:
    """Hide the example from the provider: otherwise it would only be looked up."""
    text, flows = question.sample.text, question.context.available_flows
    others = tuple(
        flow.model_copy(update={"examples": tuple(each for each in flow.examples if each != text)})
        for flow in flows
    )
    context = question.context.model_copy(update={"available_flows": others})
    # An example says which flow it starts, not which values it holds: "I want to fly to Oslo".
    sample = replace(question.sample, values_open=True)
    return replace(question, context=context, sample=sample)
