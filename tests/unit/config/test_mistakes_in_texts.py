"""Texts, expressions and slot values: what their author reads, word for word."""

from textwrap import dedent

import pytest

from soni.core.errors import Problem

MISTAKES = {
    "an unknown name in a text": (
        """
        flows:
          greet:
            steps:
              - collect: name
                message: Your name?
              - say: Hello {nmae}!
        """,
        """
        soni.yaml:6:20: unknown name 'nmae'
                  - say: Hello {nmae}!
                               ^^^^^^
          available: name, session
          remedy: did you mean 'name'?
        """,
    ),
    "an unknown name in a block of text": (
        """
        flows:
          greet:
            steps:
              - say: |
                  Hello
                  dear {customer}
        """,
        """
        soni.yaml:6:16: unknown name 'customer'
                      dear {customer}
                           ^^^^^^^^^^
          available: session
          remedy: declare it under `slots`, or fill it in a step of this flow
        """,
    ),
    "an unknown name in a variation of a language": (
        """
        flows:
          greet:
            steps:
              - say:
                  en: Hello
                  es: [Hola, 'Buenas, {nombre}']
        """,
        """
        soni.yaml:6:31: unknown name 'nombre'
                      es: [Hola, 'Buenas, {nombre}']
                                          ^^^^^^^^
          available: session
          remedy: declare it under `slots`, or fill it in a step of this flow
        """,
    ),
    "an unknown name in a condition": (
        """
        flows:
          greet:
            steps:
              - say: Hi
                when: age > 18
        """,
        """
        soni.yaml:5:15: unknown name 'age'
                    when: age > 18
                          ^^^
          available: session
          remedy: declare it under `slots`, or fill it in a step of this flow
        """,
    ),
    "an unknown name in a value": (
        """
        flows:
          greet:
            steps:
              - set:
                  total: '{{ price * 2 }}'
        """,
        """
        soni.yaml:5:22: unknown name 'price'
                      total: '{{ price * 2 }}'
                                 ^^^^^
          available: session, total
          remedy: declare it under `slots`, or fill it in a step of this flow
        """,
    ),
    "an unknown name in a prompt": (
        """
        slots:
          age: {prompt: 'How old is {who}?'}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:29: unknown name 'who'
              age: {prompt: 'How old is {who}?'}
                                        ^^^^^
          available: age, session
          remedy: declare it under `slots`
        """,
    ),
    "an unknown name in a constraint": (
        """
        slots:
          age:
            constraints:
              - {if: age > limit, message: Too young}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:4:20: unknown name 'limit'
                  - {if: age > limit, message: Too young}
                               ^^^^^
          available: age, session
          remedy: declare it under `slots`
        """,
    ),
    "an unknown name in a sentence of Soni": (
        """
        responses:
          flow_resumed: Back to {flwo}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:25: unknown name 'flwo'
              flow_resumed: Back to {flwo}
                                    ^^^^^^
          available: flow, session
          remedy: did you mean 'flow'?
        """,
    ),
    "a trigger that reads a slot of a flow": (
        """
        slots:
          age: {}
          plan: {scope: conversation}
        flows:
          greet:
            trigger: {condition: 'plan == "a" and age == 1'}
            steps:
              - say: Hi
        """,
        """
        soni.yaml:6:43: unknown name 'age'
                trigger: {condition: 'plan == "a" and age == 1'}
                                                      ^^^
          available: plan, session
          remedy: no flow runs yet: only `session` and slots with `scope: conversation` are known
        """,
    ),
    "an unknown filter": (
        """
        flows:
          greet:
            steps:
              - collect: name
                message: Your name?
              - say: Hello {name | uper}
        """,
        """
        soni.yaml:6:20: unknown filter 'uper'
                  - say: Hello {name | uper}
                               ^^^^^^^^^^^^^
          available: iso, lower, raw, title, upper
          remedy: did you mean 'upper'?
        """,
    ),
    "a text with a lone brace": (
        """
        flows:
          greet:
            steps:
              - say: Hello } there
        """,
        """
        soni.yaml:4:20: a lone `}`
                  - say: Hello } there
                               ^
          remedy: write }} for a literal brace
        """,
    ),
    "a condition with one equals sign": (
        """
        slots:
          age: {}
        flows:
          greet:
            steps:
              - say: Hi
                when: age = 18
        """,
        """
        soni.yaml:7:19: `=` is not part of an expression
                    when: age = 18
                              ^
          remedy: write `==` to compare
        """,
    ),
    "a value that is half an expression": (
        """
        flows:
          greet:
            steps:
              - set: {total: '{{ 1 + }}'}
        """,
        """
        soni.yaml:4:26: the expression cannot be read here
                  - set: {total: '{{ 1 + }}'}
                                     ^
          remedy: write a condition such as `amount > 10 and city == "Madrid"`
        """,
    ),
    "a choice without values": (
        """
        slots:
          size: {type: choice}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:16: a choice needs values
              size: {type: choice}
                           ^^^^^^
          remedy: list them: `values: [small, large]`
        """,
    ),
    "values of a slot that is no choice": (
        """
        slots:
          size: {values: [small]}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:10: a slot of type string has no values
              size: {values: [small]}
                     ^^^^^^
          remedy: write `type: choice`
        """,
    ),
    "a default that does not fit": (
        """
        slots:
          size: {type: choice, values: [small, large], default: huge}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:57: the default does not fit type choice: the text 'huge'
              size: {type: choice, values: [small, large], default: huge}
                                                                    ^^^^
          available: small, large
          remedy: give a default that the slot would take from a user
        """,
    ),
    "a sensitive output": (
        """
        slots:
          pin: {sensitive: true}
        flows:
          greet:
            outputs: [pin]
            steps:
              - say: Hi
        """,
        """
        soni.yaml:5:15: slot 'pin' is sensitive and cannot be an output
                outputs: [pin]
                          ^^^
          remedy: remove it: outputs are kept and shown
        """,
    ),
    "an unknown output": (
        """
        flows:
          greet:
            outputs: [pin]
            steps:
              - say: Hi
        """,
        """
        soni.yaml:3:15: unknown output 'pin'
                outputs: [pin]
                          ^^^
          remedy: declare it under `slots`, or fill it in a step of this flow
        """,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_author_reads(mistake, problems):
    text, shown = MISTAKES[mistake]
    found: list[Problem] = problems(dedent(text).lstrip("\n"))
    assert "\n".join(str(problem) for problem in found) == dedent(shown).strip("\n")
