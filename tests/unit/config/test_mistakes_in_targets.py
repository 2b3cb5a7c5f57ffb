"""Names of steps and flows: what their author reads, word for word."""

from textwrap import dedent

import pytest

from soni.core.errors import Problem

MISTAKES = {
    "a duplicate step id": (
        """
        flows:
          greet:
            steps:
              - {step: hi, say: Hi}
              - {step: hi, say: Ho}
        """,
        """
        soni.yaml:5:16: the step id 'hi' is used twice; first in line 4
                  - {step: hi, say: Ho}
                           ^^
          remedy: give each step of a flow its own id
        """,
    ),
    "a step id that is a target": (
        """
        flows:
          greet:
            steps:
              - {step: end, say: Hi}
        """,
        """
        soni.yaml:4:16: 'end' is a target of its own and cannot be a step id
                  - {step: end, say: Hi}
                           ^^^
          remedy: rename the step, e.g. end_step
        """,
    ),
    "a step id with a space": (
        """
        flows:
          greet:
            steps:
              - {step: say hi, say: Hi}
        """,
        """
        soni.yaml:4:16: 'say hi' cannot be a step id
                  - {step: say hi, say: Hi}
                           ^^^^^^
          remedy: use letters a to z, digits, `_` and `-`, and begin with a letter
        """,
    ),
    "a flow with a dash": (
        """
        flows:
          say-hi:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:3: 'say-hi' cannot be the name of a flow
              say-hi:
              ^^^^^^
          remedy: use letters a to z, digits and `_`, and begin with a letter
        """,
    ),
    "a slot that begins with an underscore": (
        """
        slots:
          _name: {}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:3: '_name' cannot be the name of a slot
              _name: {}
              ^^^^^
          remedy: use letters a to z, digits and `_`, and begin with a letter
        """,
    ),
    "a slot with a word of expressions": (
        """
        flows:
          greet:
            steps:
              - set: {session: 1}
        """,
        """
        soni.yaml:4:15: 'session' cannot be the name of a slot
                  - set: {session: 1}
                          ^^^^^^^
          remedy: choose another: this word means something else in expressions
        """,
    ),
    "an unknown target": (
        """
        flows:
          greet:
            steps:
              - {step: ask, say: Hi}
              - say: Ho
                jump_to: aks
        """,
        """
        soni.yaml:6:18: unknown step 'aks'
                    jump_to: aks
                             ^^^
          available: ask, cancel_flow, continue, end, error, say_ho
          remedy: did you mean 'ask'?
        """,
    ),
    "an unknown target of an arm": (
        """
        flows:
          greet:
            steps:
              - branch:
                  - {condition: true, then: end}
                  - {else: nowhere}
        """,
        """
        soni.yaml:5:25: expected a text, found true
                      - {condition: true, then: end}
                                    ^^^^
          remedy: put it in quotes
        """,
    ),
    "an unknown target of a flow": (
        """
        flows:
          greet:
            on_error: sorry
            steps:
              - say: Hi
        """,
        """
        soni.yaml:3:15: unknown step 'sorry'
                on_error: sorry
                          ^^^^^
          available: cancel_flow, continue, end, error, say_hi
          remedy: name a step of this flow, or give that step this id: `step: ...`
        """,
    ),
    "an unknown flow in the settings": (
        """
        settings:
          conversation:
            default_flow: gret
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:3:19: unknown flow 'gret'
                default_flow: gret
                              ^^^^
          available: greet
          remedy: did you mean 'greet'?
        """,
    ),
    "a fallback without a flow": (
        """
        settings:
          conversation: {on_no_progress: fallback}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:34: there is no fallback flow
              conversation: {on_no_progress: fallback}
                                             ^^^^^^^^
          remedy: name one: `fallback_flow: ...`
        """,
    ),
    "an input from an unknown flow": (
        """
        flows:
          greet:
            inputs:
              name: {from: login.name}
            steps:
              - say: Hi
        """,
        """
        soni.yaml:4:20: unknown flow 'login'
                  name: {from: login.name}
                               ^^^^^^^^^^
          available: greet
          remedy: write it under `flows`
        """,
    ),
    "an input from an unknown output": (
        """
        flows:
          login: {outputs: [user], steps: [{collect: user, message: Who?}]}
          greet:
            inputs:
              name: {from: login.usr}
            steps:
              - say: Hi
        """,
        """
        soni.yaml:5:20: flow 'login' has no output 'usr'
                  name: {from: login.usr}
                               ^^^^^^^^^
          available: user
          remedy: did you mean 'user'?
        """,
    ),
    "an input that names no output": (
        """
        flows:
          greet:
            inputs:
              name: {from: login}
            steps:
              - say: Hi
        """,
        """
        soni.yaml:4:20: 'login' does not name an output of a flow
                  name: {from: login}
                               ^^^^^
          remedy: write `from: flow.output`
        """,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_author_reads(mistake, problems):
    text, shown = MISTAKES[mistake]
    found: list[Problem] = problems(dedent(text).lstrip("\n"))
    assert "\n".join(str(problem) for problem in found) == dedent(shown).strip("\n")
