"""Sentences with their meaning: what counts as the same, and what the figures say."""

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from soni.du import DialogueContext, NLUOutput
from soni.testing import ScriptedNLU
from soni.testing.evaluate import Evaluation, EvaluationError, Figures, Outcome, is_held_out

BANK = """
slots:
  amount: {type: money, prompt: How much?}
  recipient: {prompt: To whom?}
  urgent: {type: boolean, prompt: Is it urgent?}
  weight: {type: number, prompt: How many kilos?, constraints: [{if: weight < 20, message: No.}]}
  city: {scope: conversation, prompt: Where do you live?}
flows:
  transfer:
    trigger: {examples: [send money]}
    steps:
      - collect: amount
      - collect: recipient
      - confirm: "Send {amount} to {recipient}?"
      - say: Sent.
  parcel:
    trigger: {examples: [send a parcel]}
    steps:
      - set: {boxes: [{name: small, price: 3}, {name: big, price: 5}]}
      - {collect: box, from: boxes, message: Which box?, display: "{name}"}
      - collect: weight
      - collect: urgent
      - collect: city
      - say: On its way.
"""
MOMENTS = """
moments:
  amount: [[StartFlow transfer]]
  recipient: [[StartFlow transfer, SetSlot amount 50]]
  confirm: [[StartFlow transfer], [SetSlot amount 50, SetSlot recipient Bob]]
  box: [[StartFlow parcel]]
  weight: [[StartFlow parcel], [SetSlot box 1]]
  urgent: [[StartFlow parcel], [SetSlot box 1, SetSlot weight 3]]
  above: [[StartFlow transfer, SetSlot amount 50], [StartFlow parcel]]
"""

Write = Callable[..., Path]


@pytest.fixture
def bank(tmp_path: Path) -> Write:
    """Writes a file of the assistant's folder; gives the folder."""

    def write(text: str, name: str = "nlu/bank.yaml") -> Path:
        (tmp_path / "soni.yaml").write_text(BANK)
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(textwrap.dedent(text))
        return tmp_path

    return write


def said(moment: str, *pairs: tuple[str, str]) -> str:
    lines = [f'    "{sentence}": {meaning or "[]"}' for sentence, meaning in pairs]
    return "\n".join([MOMENTS, "said:", f"  {moment}:", *lines])


async def asked(folder: Path, script: dict[str, list[Any]], **options: Any) -> Figures:
    evaluation = Evaluation.load(folder, **options)
    return Figures(await evaluation.run(ScriptedNLU(script)))


def command(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": name, **fields}


SET = "SetSlot"
SAME = [
    ("amount", "SetSlot amount 50", [command(SET, slot_name="amount", value="50 euros")]),
    ("amount", "SetSlot amount 50", [command("CorrectSlot", slot_name="amount", new_value=50)]),
    ("amount", "SetSlot transfer.amount 50 USD", [command(SET, slot_name="amount", value="$50")]),
    (
        "idle",
        "StartFlow transfer; SetSlot amount 50; SetSlot recipient Bob",
        [command("StartFlow", flow_name="transfer", slots={"recipient": "Bob", "amount": 50})],
    ),
    (
        "idle",
        "StartFlow transfer; SetSlot amount 50",
        [
            command(SET, slot_name="amount", value="50", flow_name="transfer", confidence=0.4),
            command("StartFlow", flow_name="transfer", another=True),
        ],
    ),
    ("recipient", "CorrectSlot amount 60", [command(SET, slot_name="amount", value="60")]),
    (
        "confirm",
        "CorrectSlot amount 60",
        [command("DenyConfirmation"), command(SET, slot_name="amount", value=60)],
    ),
    (
        "confirm",
        "CorrectSlot amount 60",
        [
            command("CorrectSlot", slot_name="amount", new_value=60),
            command("DenyConfirmation", slot_to_change="amount"),
        ],
    ),
    ("box", "SetSlot box 2", [command(SET, slot_name="box", value="the second one")]),
    ("box", "SetSlot box big", [command(SET, slot_name="box", value={"name": "big", "price": 5})]),
    ("weight", "CorrectSlot box 2", [command(SET, slot_name="box", value="big")]),
    ("weight", "SetSlot weight 25", [command(SET, slot_name="weight", value=25)]),
    ("urgent", "SetSlot urgent true", [command("AffirmConfirmation")]),
    ("urgent", "SetSlot urgent no", [command("DenyConfirmation")]),
    ("urgent", "SetSlot city Rome", [command(SET, slot_name="city", value="Rome")]),
    ("above", "CorrectSlot transfer.amount 60", [command(SET, slot_name="amount", value=60)]),
    ("above", "ResumeFlow transfer", [command("ResumeFlow")]),
    ("weight", "SkipSlot", [command("SkipSlot", slot_name="weight")]),
    ("idle", "Clarify", [command("Clarify", topic="anything")]),
    (
        "idle",
        "CancelFlow; HumanHandoff",
        [command("HumanHandoff", reason="x"), command("CancelFlow")],
    ),
    ("idle", "ChitChat", [command("ChitChat", hint="hello"), command("ChitChat", hint="hello")]),
    (
        "idle",
        "Disambiguate transfer parcel",
        [command("Disambiguate", flow_names=["parcel", "transfer"])],
    ),
    ("amount", "", []),
]


@pytest.mark.parametrize(("moment", "meaning", "commands"), SAME)
async def test_one_meaning_in_two_spellings_is_one(
    bank: Write, moment: str, meaning: str, commands: list[Any]
) -> None:
    figures = await asked(bank(said(moment, ("x", meaning))), {"x": commands})
    [reading] = figures.readings
    assert (reading.right, reading.error) == (True, None), (reading.expected, reading.got)


OTHER = [
    ("amount", "SetSlot amount 50 EUR", [command(SET, slot_name="amount", value="50 USD")]),
    ("amount", "SetSlot amount 50", [command(SET, slot_name="amount", value="60")]),
    ("recipient", "SetSlot recipient Bob", [command(SET, slot_name="recipient", value="bob")]),
    ("recipient", "SetSlot recipient Bob", [command(SET, slot_name="amount", value=50)]),
    ("confirm", "DenyConfirmation", [command("DenyConfirmation", slot_to_change="amount")]),
    ("confirm", "AffirmConfirmation", [command("AffirmConfirmation"), command("RepeatLast")]),
    ("recipient", "StartFlow transfer", [command("StartFlow", flow_name="transfer", another=True)]),
    ("box", "SetSlot box 2", [command(SET, slot_name="box", value=1)]),
    ("box", "SetSlot box 2", [command(SET, slot_name="box", value="the purple one")]),
    ("idle", "StartFlow transfer", [command("StartFlow", flow_name="nothing_like_it")]),
    ("idle", "", [command("RepeatLast")]),
    ("idle", "ChitChat", []),
    ("idle", "ChitChat", [command("Chitchat")]),
    ("idle", "", [command("SetSlot", value=1)]),
]


@pytest.mark.parametrize(("moment", "meaning", "commands"), OTHER)
async def test_another_meaning_is_another(
    bank: Write, moment: str, meaning: str, commands: list[Any]
) -> None:
    figures = await asked(bank(said(moment, ("x", meaning))), {"x": commands})
    assert [reading.right for reading in figures.readings] == [False]


async def test_commands_may_be_written_in_full(bank: Write) -> None:
    folder = bank(
        MOMENTS
        + """
said:
  recipient:
    Tom and Jerry: [{SetSlot: {slot_name: recipient, value: Tom; Jerry}}, Clarify]
"""
    )
    script = [command(SET, slot_name="recipient", value="Tom; Jerry"), command("Clarify")]
    assert (await asked(folder, {"Tom and Jerry": script})).exact.value == 1


class Watching:
    """Understands nothing and remembers what it was told."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, DialogueContext]] = []

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        self.seen.append((user_message, context))
        return NLUOutput(confidence=0.3)


async def test_each_sentence_is_asked_at_its_moment_and_none_moves_the_others(bank: Write) -> None:
    folder = bank(
        "now: 2026-03-02T10:00:00\nlanguage: es\n"
        + said("recipient", ("Bob", "SetSlot recipient Bob"), ("stop", "CancelFlow"))
        + "\n  idle: {hi: ChitChat}\n"
    )
    nlu = Watching()
    await Evaluation.load(folder).run(nlu)
    # Something else comes first, so that what is loaded on first use is nobody's time.
    (first, at), *seen = nlu.seen
    assert (first in ("Bob", "stop", "hi"), at.waiting_for_slot) == (False, None)
    assert [(text, c.waiting_for_slot) for text, c in seen] == [
        ("Bob", "recipient"),
        ("stop", "recipient"),
        ("hi", None),
    ]
    _, context = seen[0]
    assert context.current_slots == {"amount": {"amount": 50, "currency": "EUR"}}
    assert (context.now.isoformat(), context.language) == ("2026-03-02T10:00:00+00:00", "es")


class Loading:
    """Reads a plain yes by rule, and loads a model before it reads anything else."""

    def __init__(self) -> None:
        self.loaded_for: list[str] = []

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        if user_message != "yes" and not self.loaded_for:
            self.loaded_for.append(user_message)
        return NLUOutput()


async def test_no_sentence_pays_for_what_is_loaded_on_first_use(bank: Write) -> None:
    sentences = [("yes", "AffirmConfirmation"), ("fifty to Bob", "SetSlot amount 50")]
    nlu = Loading()
    await Evaluation.load(bank(said("confirm", *sentences))).run(nlu)
    assert nlu.loaded_for and "fifty to Bob" not in nlu.loaded_for


async def test_a_moment_that_no_conversation_comes_to_is_told(bank: Write) -> None:
    folder = bank(
        """
        moments: {far: [[StartFlow parcel], [SetSlot weight 50]]}
        said: {far: {hi: ChitChat}}
        """
    )
    with pytest.raises(EvaluationError) as caught:
        await Evaluation.load(folder).run(ScriptedNLU({}))
    assert str(caught.value) == (
        "nlu/bank.yaml:3: a conversation does not come to 'far': SetSlot in turn 2: No.; "
        "change its turns under `moments`"
    )


async def test_a_moment_at_which_nothing_is_understood_is_told(bank: Write) -> None:
    folder = bank("moments: {gone: [[HumanHandoff]]}\nsaid: {gone: {hi: ChitChat}}\n")
    with pytest.raises(EvaluationError, match="at 'gone' cannot be asked: nothing is understood"):
        await Evaluation.load(folder).run(ScriptedNLU({}))


async def test_a_provider_that_fails_has_understood_nothing(bank: Write) -> None:
    figures = await asked(bank(said("idle", ("hi", "ChitChat"), ("x", ""))), {"hi": [], "y": []})
    assert (figures.total_failed, figures.exact.count, figures.exact.total) == (1, 0, 2)
    assert str(figures.wrong[1].error).startswith("ScriptError: the script has no entry")


TESTS = """
tests:
  - name: sends
    turns:
      - {user: go, commands: [{StartFlow: {flow_name: transfer}}]}
      - {user: fifty, commands: [{SetSlot: {slot_name: amount, value: 50}}]}
      - {user: anything}
      - {api: {push: News.}}
      - user: right
        commands: [AffirmConfirmation]
        expect: {completed: [transfer]}
  - name: expects
    turns:
      - {user: begin, expect: {commands: [StartFlow]}}
      - {user: more, expect: {commands: [{SetSlot: {slot_name: amount, value: 7}}]}}
      - {user: lost, commands: [CancelFlow]}
"""


async def test_turns_of_tests_are_asked_while_the_test_goes_its_own_way(bank: Write) -> None:
    folder = bank(TESTS, "bank.test.yaml")
    script: dict[str, list[Any]] = {
        "go": [command("CancelFlow")],
        "fifty": [command(SET, slot_name="amount", value="50")],
        "anything": [command(SET, slot_name="recipient", value="Bob")],
        "right": [],
        "begin": [command("StartFlow", flow_name="transfer", slots={"amount": 3})],
        "more": [command(SET, slot_name="amount", value=8)],
        "lost": [],
    }
    figures = await asked(folder, script)
    told = [(r.sample.text, r.sample.moment, r.sample.line, r.right) for r in figures.readings]
    assert told == [
        ("go", "sends", 5, False),
        ("fifty", "sends", 6, True),
        ("right", "sends", 9, False),
        ("begin", "expects", 14, True),
        ("more", "expects", 15, False),
    ]
    # The test has failed before it.
    assert [sample.text for sample in figures.left_out] == ["lost"]


async def test_what_a_test_has_refused_is_no_sentence(bank: Write) -> None:
    folder = bank(
        """
        tests:
          - name: x
            turns:
              - {user: a, commands: [{SetSlot: {slot_name: amount, value: 1}}]}
              - {user: b, commands: [{StartFlow: {flow_name: transfr}}]}
              - {user: c, commands: [{StartFlow: {flow_name: transfer}}, Clarify]}
              - {user: d, commands: [AffirmConfirmation]}
        """,
        "x.test.yaml",
    )
    figures = await asked(folder, {"c": [], "d": []})
    assert [reading.sample.text for reading in figures.readings] == ["c", "d"]
    assert [sample.text for sample in figures.left_out] == ["a", "b"]


async def test_an_expected_name_stands_for_any_fields(bank: Write) -> None:
    folder = bank(
        """
        tests:
          - name: x
            turns: [{user: a, expect: {commands: [SetSlot, SetSlot]}}]
        """,
        "x.test.yaml",
    )
    one = command(SET, slot_name="amount", value=1)
    assert (await asked(folder, {"a": [one]})).exact.value == 0
    other = command(SET, slot_name="recipient", value="Bob")
    assert (await asked(folder, {"a": [other, one]})).exact.value == 1


async def test_only_the_files_that_are_named_are_asked(bank: Write) -> None:
    folder = bank(TESTS, "bank.test.yaml")
    bank(said("idle", ("hi", "ChitChat")), "nlu/a.yaml")
    bank(said("idle", ("ho", "ChitChat")), "nlu/b.yaml")
    texts = [sample.text for sample in Evaluation.load(folder).iter_samples()]
    assert texts == ["hi", "ho", "go", "fifty", "right", "begin", "more", "lost"]
    chosen = Evaluation.load(folder, [folder / "nlu/b.yaml", folder / "bank.test.yaml"])
    assert [sample.text for sample in chosen.iter_samples()] == texts[1:]
    single = Evaluation.load(folder / "soni.yaml", [folder / "nlu/b.yaml"])
    assert [sample.file for sample in single.iter_samples()] == ["nlu/b.yaml"]
    assert list(Evaluation.load(folder / "soni.yaml").iter_samples()) == []


async def test_the_halves_are_all_there_is_and_share_nothing(bank: Write) -> None:
    pairs = [(f"sentence {number}", "ChitChat") for number in range(40)]
    folder = bank(said("idle", *pairs))
    bank(TESTS, "bank.test.yaml")
    halves = [
        {sample.text for sample in Evaluation.load(folder, half=half).iter_samples()}
        for half in ("held-out", "tuning")
    ]
    whole = {sample.text for sample in Evaluation.load(folder).iter_samples()}
    assert (halves[0] | halves[1], halves[0] & halves[1]) == (whole, set())
    assert halves[0] == {text for text in whole if is_held_out(text)}
    assert 10 < len([text for text in halves[0] if text.startswith("sentence")]) < 30


async def test_a_half_of_a_test_is_asked_while_all_of_it_is_held(bank: Write) -> None:
    folder = bank(TESTS, "bank.test.yaml")
    nlu = Watching()
    outcome = await Evaluation.load(folder, half="tuning").run(nlu)
    asked_for = [reading.sample.text for reading in outcome.readings]
    assert asked_for == [
        text for text in ("go", "fifty", "right", "begin") if not is_held_out(text)
    ]
    assert isinstance(outcome, Outcome)


def test_what_is_held_out_never_changes() -> None:
    assert [is_held_out(text) for text in ("yes", "no", "hello", "50", "¿qué?")] == [
        True,
        True,
        False,
        True,
        False,
    ]
