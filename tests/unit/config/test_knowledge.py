"""Knowledge files are read beside the flows, and their mistakes are told as well."""

from pathlib import Path

import pytest

from soni.config.checks import check_config
from soni.config.files import MAX_BYTES, MAX_TOTAL
from soni.config.guard import MAX_PROBLEMS
from soni.config.load import examine_assistant
from soni.config.models import KnowledgeEntry, SoniConfig
from soni.core.errors import ConfigError

GREET = "flows:\n  greet:\n    steps:\n      - say: Hello\n"
HOURS = "- question: When are you open?\n  answer: Now.\n"


def test_entries_of_all_files_in_the_order_of_their_names(write):
    folder = write(
        {
            "soni.yaml": GREET + "knowledge:\n  - {question: First?, answer: '1'}\n",
            "knowledge/b.yaml": "- {question: Third?, answer: '3'}\n",
            "knowledge/a.yml": "- {question: Second?, answer: '2'}\n",
        }
    )
    config = SoniConfig.load(folder)
    assert [entry.answer for entry in config.knowledge] == ["1", "2", "3"]


def test_an_assistant_needs_no_knowledge(write):
    assert SoniConfig.load(write({"soni.yaml": GREET})).knowledge == ()


def test_only_yaml_files_directly_in_the_folder_are_read(write):
    folder = write(
        {
            "soni.yaml": GREET,
            "knowledge/hours.yaml": HOURS,
            "knowledge/.hidden.yaml": "{",
            "knowledge/notes.md": "{",
            "knowledge/a.test.yaml": "{",
            "knowledge/old/more.yaml": "{",
        }
    )
    assert len(SoniConfig.load(folder).knowledge) == 1


def test_a_file_called_knowledge_is_none(write):
    assert SoniConfig.load(write({"soni.yaml": GREET, "knowledge": "{"})).knowledge == ()


def test_one_file_is_loaded_without_its_knowledge(write):
    folder = write({"soni.yaml": GREET, "knowledge/hours.yaml": HOURS})
    assert SoniConfig.load(folder / "soni.yaml").knowledge == ()


def test_every_key_of_an_entry(write):
    entry = (
        "- question: {en: [When?, At what time?], es: ¿Cuándo?}\n"
        "  answer: {en: 'At {session.time}.', es: ['A las {session.time}.', Pronto.]}\n"
        "  flow: greet\n  when: session.time != null\n"
    )
    config = SoniConfig.load(write({"soni.yaml": GREET, "knowledge/x.yaml": entry}))
    assert config.knowledge == (
        KnowledgeEntry(
            question={"en": ["When?", "At what time?"], "es": "¿Cuándo?"},
            answer={"en": "At {session.time}.", "es": ["A las {session.time}.", "Pronto."]},
            flow="greet",
            when="session.time != null",
        ),
    )


def test_problems_of_several_files_are_told_together_each_at_its_place(write):
    found = examine_assistant(
        write(
            {
                "soni.yaml": "flows:\n  greet:\n    steps:\n      - say: '{who}'\n"
                "knowledge:\n  - {question: Zero?, answer: '{zero}'}\n",
                "knowledge/a.yaml": HOURS + "- question: One?\n  answer: '{one}'\n",
                "knowledge/b.yaml": "- question: Two?\n  answer: Yes.\n  when: two\n",
            }
        )
    ).problems
    assert [(p.file, p.line, p.code, p.message) for p in found] == [
        ("soni.yaml", 4, "E204", "unknown name 'who'"),
        ("soni.yaml", 6, "E204", "unknown name 'zero'"),
        ("knowledge/a.yaml", 4, "E204", "unknown name 'one'"),
        ("knowledge/b.yaml", 3, "E204", "unknown name 'two'"),
    ]


def test_an_unreadable_file_is_told_beside_the_problems_of_others(write):
    files = {"soni.yaml": GREET, "knowledge/a.yaml": "- {question: [", "knowledge/b.yaml": "- 1\n"}
    found = examine_assistant(write(files)).problems
    assert [(p.file, p.code) for p in found] == [
        ("knowledge/a.yaml", "E129"),
        ("knowledge/b.yaml", "E103"),
    ]


def test_a_wrong_knowledge_key_beside_files(write):
    files = {"soni.yaml": GREET + "knowledge: {a: b}\n", "knowledge/a.yaml": HOURS}
    (problem,) = examine_assistant(write(files)).problems
    assert (problem.file, problem.line, problem.code) == ("soni.yaml", 5, "E103")
    assert problem.message == "expected a list, found a mapping"


@pytest.mark.parametrize(
    ("second", "clash"),
    [
        ("{question: when are you OPEN, answer: Later.}", True),
        ("{question: {en: When are you open?}, answer: Later.}", True),
        ("{question: When are you open?, answer: Later., flow: greet}", False),
        ("{question: When are you open?, answer: Later., when: session.vip}", False),
        ("{question: When will you open?, answer: Later.}", False),
    ],
)
def test_two_answers_to_one_question(write, second, clash):
    files = {"soni.yaml": GREET, "knowledge/a.yaml": f"{HOURS}- {second}\n"}
    found = examine_assistant(write(files)).problems
    assert [p.code for p in found] == (["E801"] if clash else [])


def test_the_same_question_in_two_languages_or_twice_in_one_entry_is_fine(write):
    entries = (
        "- {question: {en: Menu?}, answer: {en: Yes.}}\n"
        "- {question: {es: Menu?}, answer: {es: Sí.}}\n"
        "- {question: [Hours?, hours], answer: Now.}\n"
    )
    assert (
        examine_assistant(write({"soni.yaml": GREET, "knowledge/a.yaml": entries})).problems == []
    )


def test_a_slot_that_only_knowledge_reads_is_used(write):
    slots = "slots:\n  a: {scope: conversation}\n  b: {scope: conversation}\n  c: {prompt: C?}\n"
    entry = "- {question: What?, answer: '{a}', when: b != null}\n"
    found = examine_assistant(
        write({"soni.yaml": slots + GREET, "knowledge/x.yaml": entry})
    ).problems
    assert [(p.code, p.message) for p in found] == [("W603", "nothing uses slot 'c'")]


def test_an_assistant_written_in_python_is_checked_too():
    flows = {"greet": {"steps": [{"say": "Hello"}]}}
    entries = [{"question": "Who?", "answer": "{who}"}, {"question": "?", "answer": "x"}]
    problems = check_config(SoniConfig.model_validate({"flows": flows, "knowledge": entries}))
    assert [(p.path, p.code) for p in problems] == [
        (("knowledge", 0, "answer"), "E204"),
        (("knowledge", 1, "question"), "E802"),
    ]


def test_assistants_with_other_answers_are_not_equal():
    flows = {"greet": {"steps": [{"say": "Hello"}]}}
    one = SoniConfig.model_validate({"flows": flows})
    other = SoniConfig.model_validate(
        {"flows": flows, "knowledge": [{"question": "Who?", "answer": "Me."}]}
    )
    assert one != other
    assert SoniConfig.model_validate(other.model_dump()) == other


def test_of_very_many_mistakes_the_first_are_told(write):
    entries = "- {question: Who?, answr: x}\n" * 500
    assert (
        len(examine_assistant(write({"soni.yaml": GREET, "knowledge/a.yaml": entries})).problems)
        == 100
    )
    names = "".join(f"- {{question: Who {n}?, answer: '{{x{n}}}'}}\n" for n in range(500))
    found = examine_assistant(
        write({"soni.yaml": GREET, "knowledge/a.yaml": names}, "other")
    ).problems
    assert len(found) == MAX_PROBLEMS


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("#" + "x" * MAX_BYTES, "E143"),
        ("[" * 1_000, "E151"),
        ("- " * 100_000, "E152"),
        ("- 'x" + "x" * 50_000, "E153"),
        ("- &a [x, x]\n- &b [*a, *a]\n" + "".join(
            f"- &{chr(99 + n)} [*{chr(98 + n)}, *{chr(98 + n)}]\n" for n in range(20)), "E154"),
        ("- question: \x07\n", "E155"),
    ],
)  # fmt: skip
def test_hostile_files_are_refused(write, text, code):
    found = examine_assistant(write({"soni.yaml": GREET, "knowledge/a.yaml": text})).problems
    assert [(p.file, p.code) for p in found] == [("knowledge/a.yaml", code)]


def test_all_files_together_may_be_too_large(write):
    piece = "#" + "x" * 9_000 + "\n"
    large = piece * (MAX_BYTES // len(piece) - 1)
    files = {f"knowledge/{n}.yaml": large for n in range(MAX_TOTAL // MAX_BYTES + 1)}
    with pytest.raises(ConfigError) as caught:
        SoniConfig.load(write({"soni.yaml": GREET, **files}))
    (problem,) = caught.value.problems
    assert problem.code == "E143"


def test_a_link_within_the_assistant_is_followed(write):
    folder = write({"soni.yaml": GREET, "data/hours.yaml": HOURS, "knowledge/b.yaml": HOURS})
    (folder / "knowledge" / "b.yaml").unlink()
    (folder / "knowledge" / "a.yaml").symlink_to(Path("..") / "data" / "hours.yaml")
    assert len(SoniConfig.load(folder).knowledge) == 1
