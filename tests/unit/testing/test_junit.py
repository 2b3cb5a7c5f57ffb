"""JUnit XML: what build servers read."""

from datetime import datetime
from xml.etree import ElementTree as Tree

from soni.testing import Line, Mismatch, Result
from soni.testing.report import render_junit

AT = datetime(2026, 3, 2, 10, 0, 0, 5)
RESULTS = [
    Result("greets", "tests/a.test.yaml:2", seconds=0.25),
    Result(
        'says "no" <twice>',
        "tests/a.test.yaml:9",
        transcript=[Line("user", "hi"), Line("bot", "\x00Hello\ud800")],
        mismatches=[Mismatch("bot", ["Bye."], ["Hello"]), Mismatch("flow", None, "greet")],
        turn=2,
    ),
    Result("cannot", "b.test.yaml:3", error="it is not handed off", turn=1),
]

# The attributes and elements that the common schema knows, those it demands first.
SUITE = ("name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname")
CASE = ("classname", "name", "time")


def test_each_test_is_a_case_of_one_suite() -> None:
    root = Tree.fromstring(render_junit("bank", RESULTS, AT, 1.5))
    [suite] = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    assert tuple(suite.attrib) == SUITE
    assert dict(suite.attrib) == {
        "name": "bank",
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
        "time": "1.500",
        "timestamp": "2026-03-02T10:00:00",
        "hostname": "localhost",
    }
    assert [tuple(case.attrib) for case in suite] == [CASE] * 3
    assert suite[0].attrib == {"classname": "tests/a.test.yaml", "name": "greets", "time": "0.250"}
    assert [len(case) for case in suite] == [0, 1, 1]


def test_a_failure_tells_its_place_the_difference_and_what_was_said() -> None:
    [suite] = Tree.fromstring(render_junit("bank", RESULTS, AT, 0))
    [failure] = suite[1]
    assert suite[1].get("name") == 'says "no" <twice>'
    assert (failure.tag, failure.attrib) == (
        "failure",
        {"message": 'turn 2, bot: expected ["Bye."], got ["Hello"]', "type": "failure"},
    )
    assert (failure.text or "").splitlines() == [
        "tests/a.test.yaml:9",
        "turn 2, bot:",
        "  - expected  + got",
        '  - "Bye."',
        '  + "Hello"',
        "turn 2, flow:",
        "  - expected  null",
        '  + got       "greet"',
        "transcript:",
        "  user: hi",
        "   bot: \ufffdHello\ufffd",
    ]


def test_what_could_not_be_run_is_an_error() -> None:
    [suite] = Tree.fromstring(render_junit("bank", RESULTS, AT, 0))
    [error] = suite[2]
    assert (error.tag, error.get("message")) == (
        "error",
        "turn 1 could not be run: it is not handed off",
    )
