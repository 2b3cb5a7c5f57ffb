"""A key, a kind or a word that the models do not take: what their author reads, word for word."""
# ruff: noqa: E501 - lines as they are shown

from textwrap import dedent

import pytest

from soni.core.errors import Problem

MISTAKES = {
    "an unknown key at the top": (
        """
        flow: {}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:1:1: unknown key 'flow'
            flow: {}
            ^^^^
          available: version, settings, slots, actions, flows, responses, conversation_patterns
          remedy: did you mean 'flows'?
        """,
    ),
    "an unknown key of a flow": (
        """
        flows:
          greet:
            descripton: Greets
            steps:
              - say: Hi
        """,
        """
        soni.yaml:3:5: unknown key 'descripton'
                descripton: Greets
                ^^^^^^^^^^
          available: description, trigger, inputs, outputs, steps, on_error, interruptible, resumable, hidden
          remedy: did you mean 'description'?
        """,
    ),
    "an unknown key of a short step": (
        """
        flows:
          greet:
            steps:
              - collect: name
                mesage: Your name?
        """,
        """
        soni.yaml:5:9: unknown key 'mesage'
                    mesage: Your name?
                    ^^^^^^
          available: collect, step, when, jump_to, message, max_attempts
          remedy: did you mean 'message'?
        """,
    ),
    "an unknown key of a long step": (
        """
        flows:
          greet:
            steps:
              - {type: say, mesage: Hi}
        """,
        """
        soni.yaml:4:21: unknown key 'mesage'
                  - {type: say, mesage: Hi}
                                ^^^^^^
          available: step, type, when, jump_to, message, response
          remedy: did you mean 'message'?
        """,
    ),
    "an unknown key of a setting": (
        """
        settings: {persistence: {backend: memory, uri: x}}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:1:43: unknown key 'uri'
            settings: {persistence: {backend: memory, uri: x}}
                                                      ^^^
          available: backend, url
          remedy: did you mean 'url'?
        """,
    ),
    "an unknown step type": (
        """
        flows:
          greet:
            steps:
              - colect: name
        """,
        """
        soni.yaml:4:9: unknown step type 'colect'
                  - colect: name
                    ^^^^^^^^^^^^
          available: action, branch, collect, confirm, say, set
          remedy: did you mean 'collect'?
        """,
    ),
    "a step without a type": (
        """
        flows:
          greet:
            steps:
              - {slot: name}
        """,
        """
        soni.yaml:4:9: a step needs a type
                  - {slot: name}
                    ^^^^^^^^^^^^
          available: action, branch, collect, confirm, say, set
          remedy: write one type and what it is about, such as `say: Hello`
        """,
    ),
    "a step with two types": (
        """
        flows:
          greet:
            steps:
              - say: Hi
                collect: name
        """,
        """
        soni.yaml:4:9: a step has one type, this one has say and collect
                  - say: Hi
                    ^^^^^^^
          remedy: write one type and what it is about, such as `say: Hello`
        """,
    ),
    "a step that is a text": (
        """
        flows:
          greet:
            steps:
              - Hi
        """,
        """
        soni.yaml:4:9: a step is a mapping such as `say: Hello`
                  - Hi
                    ^^
          remedy: write one type and what it is about, such as `say: Hello`
        """,
    ),
    "a missing key": (
        """
        flows:
          greet:
            steps:
              - {type: collect, message: Your name?}
        """,
        """
        soni.yaml:4:9: 'slot' is missing
                  - {type: collect, message: Your name?}
                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          remedy: add `slot: ...`
        """,
    ),
    "steps that are missing": (
        """
        flows:
          greet:
            description: Greets
        """,
        """
        soni.yaml:2:3: 'steps' is missing
              greet:
              ^^^^^
          remedy: add `steps: ...`
        """,
    ),
    "steps that are empty": (
        """
        flows:
          greet:
            steps: []
        """,
        """
        soni.yaml:3:12: this is empty
                steps: []
                       ^^
          remedy: write at least one entry
        """,
    ),
    "a text that is a number": (
        """
        flows:
          greet:
            steps:
              - say: 42
        """,
        """
        soni.yaml:4:14: expected a text, a list of texts or texts by language, found the number 42
                  - say: 42
                         ^^
          remedy: put it in quotes
        """,
    ),
    "a text that YAML reads as a mapping": (
        """
        flows:
          greet:
            steps:
              - say: {name}
        """,
        """
        soni.yaml:4:15: expected a text or a list, found nothing
                  - say: {name}
                          ^^^^
          remedy: put a text that begins with a brace in quotes: "{name}"
        """,
    ),
    "a text whose variation is a number": (
        """
        flows:
          greet:
            steps:
              - say: [Hi, 42]
        """,
        """
        soni.yaml:4:19: expected a text, found the number 42
                  - say: [Hi, 42]
                              ^^
          remedy: put it in quotes
        """,
    ),
    "a number that is a text": (
        """
        settings:
          collection: {max_attempts: often}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:30: expected a whole number, found the text 'often'
              collection: {max_attempts: often}
                                         ^^^^^
          remedy: write a number such as 3
        """,
    ),
    "a number that is too large": (
        """
        flows:
          greet:
            steps:
              - action: pay
                retry: {max_attempts: 99}
        """,
        """
        soni.yaml:5:31: expected at most 10, found 99
                    retry: {max_attempts: 99}
                                          ^^
          remedy: write at most 10
        """,
    ),
    "a boolean that is a text": (
        """
        slots:
          age: {required: perhaps}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:19: expected true or false, found the text 'perhaps'
              age: {required: perhaps}
                              ^^^^^^^
          remedy: write true or false
        """,
    ),
    "a list that is a text": (
        """
        flows:
          greet:
            trigger: {examples: hello}
            steps:
              - say: Hi
        """,
        """
        soni.yaml:3:25: expected a list, found the text 'hello'
                trigger: {examples: hello}
                                    ^^^^^
          remedy: write it as [a, b], or each entry on its own line after `- `
        """,
    ),
    "a mapping that is a list": (
        """
        slots: [name]
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:1:8: expected a mapping, found a list
            slots: [name]
                   ^^^^^^
          remedy: write `key: value` under it
        """,
    ),
    "a word that is not possible": (
        """
        slots:
          age: {scope: conversatio}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:16: the text 'conversatio' is not one of the words possible here
              age: {scope: conversatio}
                           ^^^^^^^^^^^
          available: flow, conversation
          remedy: did you mean 'conversation'?
        """,
    ),
    "an unknown slot type": (
        """
        slots:
          age: {type: integr}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:15: unknown slot type 'integr'
              age: {type: integr}
                          ^^^^^^
          available: boolean, choice, date, integer, number, string
          remedy: did you mean 'integer'?
        """,
    ),
    "two names of one key": (
        """
        flows:
          greet:
            steps:
              - collect: name
                prompt: Your name?
                message: Your name?
        """,
        """
        soni.yaml:5:9: 'prompt' is another name of 'message'
                    prompt: Your name?
                    ^^^^^^
          remedy: keep one of the two
        """,
    ),
    "an arm of a branch without a target": (
        """
        flows:
          greet:
            steps:
              - branch: [{condition: 1 < 2}]
        """,
        """
        soni.yaml:4:18: a branch arm is either {condition, then} or {else}
                  - branch: [{condition: 1 < 2}]
                             ^^^^^^^^^^^^^^^^^^
          remedy: change the keys written here
        """,
    ),
    "a version of the future": (
        """
        version: "2"
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:1:10: unknown version '2'
            version: "2"
                     ^^^
          available: 1
          remedy: write one of these
        """,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_author_reads(mistake, problems):
    text, shown = MISTAKES[mistake]
    found: list[Problem] = problems(dedent(text).lstrip("\n"))
    assert "\n".join(str(problem) for problem in found) == dedent(shown).strip("\n")
