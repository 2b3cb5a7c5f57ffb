"""`soni eval`: what it prints and how it ends."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.main import make_app
from soni.testing.evaluate import is_held_out
from tests.model_server import Failing, serving

BANK = """
slots:
  amount: {type: integer, prompt: How much?}
  recipient: {prompt: To whom?}
flows:
  transfer:
    trigger: {examples: [send money]}
    steps:
      - collect: amount
      - collect: recipient
      - confirm: "Send {amount} to {recipient}?"
      - say: Sent.
"""
SENTENCES = """
moments:
  confirm: [[StartFlow transfer], [SetSlot amount 5, SetSlot recipient Bob]]
said:
  idle:
    send money: StartFlow transfer
    "<b>play</b> some jazz for me": StartFlow transfer; SetSlot amount 4711
  confirm:
    "yes": AffirmConfirmation
    "no": DenyConfirmation
    cancel: CancelFlow
"""
# What a model has to be asked about: the others are an example, and words that are plain.
NOT_PLAIN = SENTENCES.replace("send money:", "money, to a friend:").replace(
    "cancel:", "rather forget about the whole thing for today:"
)
# Whoever says this means something else.
WRONG = "<b>play</b> some jazz for me"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "bank"
    (home / "nlu").mkdir(parents=True)
    (home / "soni.yaml").write_text(BANK)
    (home / "nlu" / "bank.yaml").write_text(SENTENCES)
    return home


def soni(*arguments: Any) -> Result:
    return CliRunner().invoke(make_app(["eval"]), ["eval", *map(str, arguments)])


def test_an_evaluation_in_a_pipe_is_plain(folder: Path) -> None:
    result = soni(folder)
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    for line in (
        "sentences 5",
        "exact match 4, 80.0 % (95 %: 37.6 to 96.4 %)",
        "AffirmConfirmation 1 1.00 1.00 1.00",
        "nlu/bank.yaml 4 5 80.0 %",
        "idle 1 2 50.0 % nlu/bank.yaml",
        "4 of 5 exact, 80.0 % (95 %: 37.6 to 96.4 %)",
    ):
        assert line.split() in lines, result.stdout
    assert "\x1b" not in result.stdout


def test_every_wrong_sentence_is_listed_if_asked_for(folder: Path) -> None:
    told = soni(folder, "--errors").stdout
    assert f"✗ {WRONG}  nlu/bank.yaml:7, idle\n    - expected  SetSlot transfer.amount 4711" in told


def test_programs_get_json(folder: Path) -> None:
    figures = json.loads(soni(folder, "--json").stdout)
    assert figures["exact"]["count"] == 4
    assert figures["types"]["SetSlot"]["missed"] == 1
    [wrong] = figures["wrong"]
    assert (wrong["said"], wrong["line"]) == (WRONG, 7)
    assert wrong["expected"] == ["SetSlot transfer.amount 4711", "StartFlow transfer"]


def test_a_page_is_written(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "eval.html"
    result = soni(folder, "--html", file)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["exact", "match", "4,", "80.0", "%", "(95", "%:", "37.6", "to", "96.4", "%)"] in lines
    # The rest is on the page.
    assert "by command" not in result.stdout
    assert f"written to {file}" in result.stdout.replace("\n", "")
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "Understanding bank" in text
    assert "4 of 5 sentences exact" in text
    assert "&lt;b&gt;play&lt;/b&gt; some jazz for me" in text
    assert "<b>" not in text
    assert text.count("<svg") >= 5
    assert not re.search(r"https?://|<script", text)


def test_a_page_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    result = soni(folder, "--html", tmp_path / "no" / "such" / "x.html")
    assert result.exit_code == 1
    assert "could not be written" in result.stderr


def test_too_little_fails(folder: Path) -> None:
    assert soni(folder, "--fail-under", "0.8").exit_code == 0
    result = soni(folder, "--fail-under", "0.9")
    assert result.exit_code == 1
    assert "less than 90 %" in result.stdout
    assert soni(folder, "--fail-under", "0.9", "--json").exit_code == 1


def test_the_half_that_is_set_apart_is_never_shown(folder: Path, tmp_path: Path) -> None:
    apart = "said:\n  idle:\n" + "".join(
        f"    strange words {number}: CancelFlow\n" for number in range(30)
    )
    (folder / "nlu" / "bank.yaml").write_text(apart)
    count = sum(is_held_out(f"strange words {number}") for number in range(30))
    page = tmp_path / "page.html"
    for options in ([], ["--json"], ["--html", page]):
        result = soni(folder, "--held-out", *options)
        assert result.exit_code == 0
        assert "strange" not in result.output
    assert f"0 of {count} exact" in soni(folder, "--held-out").stdout
    assert "strange" not in page.read_text(encoding="utf-8")
    assert f"0 of {30 - count} exact" in soni(folder, "--tuning").stdout
    refused = soni(folder, "--held-out", "--errors")
    assert refused.exit_code == 2
    assert "not shown" in refused.stderr
    assert soni(folder, "--held-out", "--tuning").exit_code == 2


QUOTING = """
class Quoting:
    async def understand(self, user_message, history, context):
        raise ValueError(f"no words for {user_message}")

PROVIDER = lambda config: Quoting()
"""


def test_an_error_that_quotes_what_was_set_apart_is_told_by_its_kind(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "".join(f"    strange words {number}: CancelFlow\n" for number in range(30))
    (folder / "nlu" / "bank.yaml").write_text(f"said:\n  idle:\n{said}")
    (folder / "soni.yaml").write_text(f"settings: {{nlu: {{provider: quoting}}}}\n{BANK}")
    installed = tmp_path / "quoting-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: quoting\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[soni.providers]\nquoting = quoting\n")
    (tmp_path / "quoting.py").write_text(QUOTING)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "ValueError: no words for strange words" in soni(folder).output
    for options in ([], ["--html", tmp_path / "page.html"]):
        apart = soni(folder, "--held-out", *options).output
        assert "the first: ValueError" in apart
        assert "strange" not in apart


def test_a_single_file_is_an_assistant_too(folder: Path) -> None:
    result = soni(folder / "soni.yaml", folder / "nlu" / "bank.yaml")
    assert "4 of 5 exact" in result.stdout
    none = soni(folder / "soni.yaml")
    assert none.exit_code == 1
    assert "no sentences in" in none.stdout.replace("\n", "")


def test_mistakes_are_told(folder: Path) -> None:
    (folder / "nlu" / "bank.yaml").write_text("said: {idle: {hi: StartFlow transfr}}\n")
    result = soni(folder)
    assert result.exit_code == 1
    assert "nlu/bank.yaml:1:19: E702 unknown flow 'transfr'" in result.stderr
    assert "did you mean 'transfer'?" in result.stderr


def test_a_file_that_is_not_there_is_looked_for_from_here(folder: Path) -> None:
    result = soni(folder, "nlu/bank.yaml")
    assert result.exit_code == 1
    assert "E142 the file cannot be read: No such file" in result.stderr
    assert "remedy: name a file that is there, as seen from where the command runs" in result.stderr


def test_a_moment_out_of_reach_is_told(folder: Path) -> None:
    text = "moments: {a: [[SetSlot amount 3]]}\nsaid: {a: {hi: ChitChat}}\n"
    (folder / "nlu" / "bank.yaml").write_text(text)
    result = soni(folder)
    assert result.exit_code == 1
    assert "a conversation does not come to 'a'" in result.stderr


def test_tests_that_fail_are_told(folder: Path) -> None:
    (folder / "x.test.yaml").write_text(
        """
tests:
  - name: fails
    turns:
      - {user: send money, commands: [CancelFlow], expect: {flow: transfer}}
      - {user: never, commands: [CancelFlow]}
"""
    )
    result = soni(folder, folder / "x.test.yaml")
    assert re.search(r"left out +1, of tests that fail", result.stdout)


def test_another_provider_can_be_asked_and_its_tokens_are_counted(folder: Path) -> None:
    start = {"commands": [{"type": "StartFlow", "flow_name": "transfer"}]}
    settings = "settings: {nlu: {model: tiny, base_url: URL, prices: {input: 1, output: 1}}}"
    with serving() as model:
        model.always = lambda body: (
            {"slots": []} if "slots" in str(body["response_format"]) else start
        )
        soni_yaml = folder / "soni.yaml"
        soni_yaml.write_text(settings.replace("URL", f'"{model.url}"') + soni_yaml.read_text())
        (folder / "nlu" / "bank.yaml").write_text(NOT_PLAIN)
        result = soni(folder, "--provider", "llm")
        assert result.exit_code == 0, result.output
        # A plain yes and no are read without it.
        assert "3 of 5 exact" in result.output
        told = re.search(r"asked about 3, 60.0 %; (\d+) \+ \d+ tokens a call", result.output)
        assert told is not None
        data = json.loads(soni(folder, "--provider", "llm", "--json").output)
        assert data["model"]["sentences"]["count"] == 3
        assert data["model"]["cost"] > 0
        assert json.loads(soni(folder, "--json").output)["model"] is None


def test_a_value_that_no_slot_takes_is_told_and_the_rest_measured(folder: Path) -> None:
    sentences = folder / "nlu" / "bank.yaml"
    lines = [f"    take {number}: SetSlot amount heaps\n" for number in range(20)]
    sentences.write_text("said:\n  idle:\n" + "".join(lines))
    result = soni(folder, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["exact"]["total"] == 20
    assert "nlu/bank.yaml:3:13: W606 slot 'amount' does not take 'heaps'" in result.stderr
    assert "20 warnings found" in result.stderr
    # What is set apart is counted, and never shown.
    apart = soni(folder, "--held-out")
    assert re.search(r"values that their slots do not take \(W606\): \d+\n", apart.stderr)
    assert "heaps" not in apart.output


def test_a_curve_tells_how_many_sentences_a_perfect_model_would_have_to_see(folder: Path) -> None:
    result = soni(folder, "--curve")
    assert result.exit_code == 0, result.output
    assert "A cascade, a model that is never wrong" in result.output
    proposal = "20.0 % of the sentences need the model for 100.0 % exact. "
    threshold = re.search(rf"{proposal}Proposed: settings.nlu.threshold: (0\.\d+)\n", result.output)
    assert threshold is not None
    data = json.loads(soni(folder, "--target", "0.9", "--json").output)["curve"]
    assert data["perfect_model"] is True
    assert data["model_needed"] is True
    assert data["target"] == 0.9
    assert data["proposed"]["threshold"] == float(threshold[1])
    told = [(point["asked"]["count"], point["right"]["count"]) for point in data["points"]]
    assert told == [(0, 4), (1, 5)]
    assert "curve" not in json.loads(soni(folder, "--json").output)


def test_where_no_model_is_needed_the_default_threshold_is_kept(
    folder: Path, tmp_path: Path
) -> None:
    sentences = folder / "nlu" / "bank.yaml"
    lines = sentences.read_text().splitlines(keepends=True)
    sentences.write_text("".join(line for line in lines if WRONG not in line))
    told = (
        "All is exact without the model: these sentences do not need it. "
        "Proposed: keep the default, settings.nlu.threshold: 0.85"
    )
    assert told in soni(folder, "--curve").output
    page = tmp_path / "page.html"
    assert soni(folder, "--curve", "--html", page).exit_code == 0
    assert told in page.read_text()
    data = json.loads(soni(folder, "--curve", "--json").output)["curve"]
    assert data["model_needed"] is False
    assert data["proposed"]["threshold"] == 0.85


def test_a_cascade_proposes_its_threshold(folder: Path, tmp_path: Path) -> None:
    start = {"commands": [{"type": "StartFlow", "flow_name": "transfer"}]}
    settings = "settings: {nlu: {model: tiny, base_url: URL, threshold: 0.99}}"
    with serving() as model:
        model.always = lambda body: (
            {"slots": [{"slot": "amount", "said": "4711"}]}
            if "slots" in str(body["response_format"])
            else start
        )
        soni_yaml = folder / "soni.yaml"
        soni_yaml.write_text(settings.replace("URL", f'"{model.url}"') + soni_yaml.read_text())
        plot = tmp_path / "plot.html"
        result = soni(folder, "--provider", "cascade", "--curve", "--html", plot)
        assert result.exit_code == 0, result.output
        data = json.loads(soni(folder, "--provider", "cascade", "--curve", "--json").output)
    # With the threshold as it is one is sent, and the model is no help with it.
    assert data["exact"]["count"] == 4
    assert data["model"]["sentences"]["count"] == 1
    assert data["curve"]["perfect_model"] is False
    assert data["curve"]["proposed"]["asked"]["count"] == 0
    page = plot.read_text()
    assert "<polyline" in page
    assert "The model brings nothing more: settings.nlu.threshold: 0" in page


def test_a_goal_that_no_threshold_reaches_is_told(folder: Path) -> None:
    settings = "settings: {nlu: {model: tiny, base_url: URL}}"
    with serving() as model:
        model.always = {"commands": []}
        soni_yaml = folder / "soni.yaml"
        soni_yaml.write_text(settings.replace("URL", f'"{model.url}"') + soni_yaml.read_text())
        result = soni(folder, "--provider", "cascade", "--target", "0.95")
    assert "No threshold reaches 95.0 %: 80.0 % at best, with threshold 0." in result.output


def test_a_model_that_fails_is_told_and_no_threshold_is_proposed(
    folder: Path, tmp_path: Path
) -> None:
    settings = "settings: {nlu: {model: tiny, base_url: URL}}"
    cascade = ("--provider", "cascade", "--curve")
    with serving() as model:
        model.always = Failing(401)
        soni_yaml = folder / "soni.yaml"
        soni_yaml.write_text(settings.replace("URL", f'"{model.url}"') + soni_yaml.read_text())
        (folder / "nlu" / "bank.yaml").write_text(NOT_PLAIN)
        result = soni(folder, *cascade)
        data = json.loads(soni(folder, *cascade, "--json").stdout)
        page = soni(folder, *cascade, "--html", tmp_path / "page.html")
    assert result.exit_code == page.exit_code == 1
    # A plain yes and no are read without it.
    for output in (result.stdout, page.stdout):
        assert re.search(r"model failed +3, the first: \w+Error", output)
    told = "The model had no answer to 3 sentences, left out here: no threshold is proposed."
    assert told in result.stdout
    assert told in (tmp_path / "page.html").read_text()
    assert "settings.nlu.threshold" not in result.stdout
    assert (data["curve"]["failed"], data["curve"]["proposed"]) == (3, None)
    assert data["curve"]["points"][0]["right"]["total"] == 2


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ("", ("--provider", "llm", "--curve")),
        ("", ("--provider", "llm", "--target", "0.9")),
        ("provider: llm, ", ("--curve",)),
    ],
)
def test_a_curve_needs_a_provider_that_can_be_unsure(
    settings: str, options: tuple[str, ...], folder: Path
) -> None:
    soni_yaml = folder / "soni.yaml"
    nlu = f"settings: {{nlu: {{{settings}model: tiny, base_url: 'http://127.0.0.1:9/v1'}}}}"
    soni_yaml.write_text(nlu + soni_yaml.read_text())
    result = soni(folder, *options)
    assert result.exit_code == 2, result.output
    told = " ".join(re.sub("[│╭╮╰╯─]", " ", result.output).split())
    assert (
        "'llm' says of no answer how sure it is, so no threshold can be found with it: take "
        "--provider cascade, or --provider local"
    ) in told


def test_a_provider_that_lacks_something_is_told(folder: Path) -> None:
    result = soni(folder, "--provider", "llm")
    assert result.exit_code == 1
    assert "settings.nlu.model is missing" in result.output


def test_every_option_is_in_the_docs() -> None:
    page = (Path(__file__).parents[3] / "docs" / "evaluating.md").read_text(encoding="utf-8")
    command = typer.main.get_group(make_app(["eval"])).commands["eval"]
    options = [option for parameter in command.params for option in parameter.opts]
    assert [o for o in options if o.startswith("-") and f"`{o}" not in page] == []


async def test_the_sentences_in_the_docs_can_be_asked(tmp_path: Path) -> None:
    from soni.testing.evaluate import Evaluation
    from soni.testing.evaluate.sentences import SentenceFile

    page = (Path(__file__).parents[3] / "docs" / "evaluating.md").read_text(encoding="utf-8")
    [assistant] = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    [sentences] = re.findall(r"```yml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "nlu").mkdir()
    (tmp_path / "soni.yaml").write_text(assistant, encoding="utf-8")
    (tmp_path / "nlu" / "docs.yaml").write_text(sentences, encoding="utf-8")
    outcome = await Evaluation.load(tmp_path).run()
    assert len(outcome.readings) == 8
    rows = " ".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    assert [key for key in SentenceFile.model_fields if f"`{key}`" not in rows] == []
