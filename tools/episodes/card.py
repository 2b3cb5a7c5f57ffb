"""The model card: what the flow layers are, what they have learnt from, how good, what not."""

from __future__ import annotations

from collections.abc import Mapping

TEXT = """\
# Model card: the flow layers

Written by `python -m tools.episodes learn`, which tunes them; change it there.

**What they are.** The last {layers} layers of the sentence model, tuned so that the vector of a
message is near the texts of the flow it wants and far from those of others. Version `{version}`,
{size:.1f} MB, in `flows.safetensors` beside this card. The layers below them are the model's own.

**How they are made.** Episodes: small assistants with a few texts for each flow, and messages that
want one of them or none. A flow's score is the mean of two cosines, to the mean of its texts and
to the nearest of them. Seed {seed}, {minutes:.0f} minutes on two CPU cores, stopped at step {step}
where businesses kept apart were read best; {mixed:g} parts of them and {rest:g} of the weights that
they were tuned from. The weights are whole numbers of eight bits: the cosine to
what was tuned is {near:.4f} or more.

**Data.** {data}. No conversation of any user.

**Figures.** Businesses that no model has learnt from ({messages:.0f} first messages, flows told by
names and descriptions with no to three examples): flow or none right in {right:.3f}, the right
flow where one was meant in {flow:.3f}. Before tuning {right_before:.3f} and {flow_before:.3f}, as
"none" had not been learnt. docs/flow-vectors.md of Soni has what else was measured.

**Limits.** English. Assistants that book, order, report and ask; first messages more than what is
said in the middle of a flow. What a flow is called and described as is most of what is known of
it: a flow without a description is chosen less well.

**Licence.** Derived from Apache-2.0 weights; the data has the licences above and is not in them.
"""

NAMES = {
    "businesses": "first messages written by hand for businesses that nobody runs",
    "invented": "flows of invented assistants with what begins them",
    "clinc150": "CLINC150, train (CC BY 3.0)",
    "banking77": "Banking77, train (CC BY 4.0)",
    "sgd": "what starts a flow in Schema-Guided Dialogue, train (CC BY-SA 4.0)",
    "star-a": "first messages of STAR, half of the tasks (MIT)",
    "star-b": "first messages of STAR, the other half (MIT)",
    "nlupp": "NLU++ (CC BY 4.0)",
}


def write_card(about: Mapping[str, str], figures: Mapping[str, float]) -> str:
    """The card of layers with these figures."""
    told = [NAMES[name] for name in about["data"].split()]
    mixed = float(about["mixed"])
    named = {"version": about["version"], "layers": about["layers"], "seed": about["seed"]}
    data = "; ".join(told)
    return TEXT.format(
        **named, **figures, mixed=mixed, rest=round(1 - mixed, 2), data=data[0].upper() + data[1:]
    )
