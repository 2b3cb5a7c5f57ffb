"""Slots and functions that are missing or do not fit: what their author reads, word for word."""

from textwrap import dedent

import pytest

from soni.core.errors import Problem

MISTAKES = {
    "an undeclared slot without a question": (
        """
        slots:
          name: {prompt: Your name?}
        flows:
          greet:
            steps:
              - collect: nmae
        """,
        """
        soni.yaml:6:18: unknown slot 'nmae'
                  - collect: nmae
                             ^^^^
          available: name
          remedy: did you mean 'name'?
        """,
    ),
    "a declared slot without a question": (
        """
        slots:
          name: {}
        flows:
          greet:
            steps:
              - collect: name
        """,
        """
        soni.yaml:6:18: nothing says how to ask for 'name'
                  - collect: name
                             ^^^^
          remedy: give the slot a `prompt`, or this step a `message`
        """,
    ),
    "an unknown action": (
        """
        flows:
          greet:
            steps:
              - action: pey
                inputs: {amount: 3}
        """,
        """
        soni.yaml:4:17: unknown action 'pey'
                  - action: pey
                            ^^^
          available: pay, search
          remedy: did you mean 'pay'?
        """,
    ),
    "a contract without a function": (
        """
        actions:
          refund: {}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:3: unknown action 'refund'
              refund: {}
              ^^^^^^
          available: pay, search
          remedy: mark a function of that name with @action in actions.py
        """,
    ),
    "an action that nothing feeds": (
        """
        flows:
          greet:
            steps:
              - action: search
        """,
        """
        soni.yaml:4:17: action 'search' needs 'city', which nothing in this flow fills
                  - action: search
                            ^^^^^^
          remedy: collect 'city', declare it under `slots` or give it in `inputs`
        """,
    ),
    "an input that the function does not take": (
        """
        flows:
          greet:
            steps:
              - action: pay
                inputs: {amuont: 3, amount: 4}
        """,
        """
        soni.yaml:5:18: unknown input 'amuont'
                    inputs: {amuont: 3, amount: 4}
                             ^^^^^^
          available: account, amount
          remedy: did you mean 'amount'?
        """,
    ),
    "a contract with an input too many": (
        """
        actions:
          search: {inputs: [city, country]}
        slots: {city: {}, country: {}}
        flows:
          greet:
            steps:
              - action: search
        """,
        """
        soni.yaml:2:27: function search(city) takes no 'country'
              search: {inputs: [city, country]}
                                      ^^^^^^^
          available: city
          remedy: remove it, or add the parameter to the function
        """,
    ),
    "a contract with an input too few": (
        """
        actions:
          search: {inputs: []}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:12: function search(city) needs 'city', which is not an input
              search: {inputs: []}
                       ^^^^^^
          remedy: add 'city' here, or give the parameter a default
        """,
    ),
    "an output that the contract does not have": (
        """
        actions:
          search: {outputs: [flights]}
        slots: {city: {}}
        flows:
          greet:
            steps:
              - action: search
                map_outputs: {flihgts: found}
        """,
        """
        soni.yaml:8:23: unknown output 'flihgts'
                    map_outputs: {flihgts: found}
                                  ^^^^^^^
          available: flights
          remedy: did you mean 'flights'?
        """,
    ),
    "an action that needs a yes": (
        """
        actions:
          search: {confirm: true}
        slots: {city: {}}
        flows:
          greet:
            steps:
              - action: search
        """,
        """
        soni.yaml:7:17: action 'search' can be reached without the yes of a confirm step
                  - action: search
                            ^^^^^^
          remedy: lead every way to it through a confirm step's yes
        """,
    ),
    "an unknown validator": (
        """
        slots:
          age: {validator: is_adlt}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:20: unknown validator 'is_adlt'
              age: {validator: is_adlt}
                               ^^^^^^^
          available: is_adult
          remedy: did you mean 'is_adult'?
        """,
    ),
    "an unknown normalizer": (
        """
        slots:
          age: {normalizer: clean}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:2:21: unknown normalizer 'clean'
              age: {normalizer: clean}
                                ^^^^^
          available: tidy
          remedy: mark a function of that name with @normalizer in actions.py
        """,
    ),
    "an unknown handoff action": (
        """
        settings: {handoff: {action: ring}}
        flows:
          greet:
            steps:
              - say: Hi
        """,
        """
        soni.yaml:1:30: unknown action 'ring'
            settings: {handoff: {action: ring}}
                                         ^^^^
          available: pay, search
          remedy: mark a function of that name with @action in actions.py
        """,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_author_reads(mistake, problems):
    text, shown = MISTAKES[mistake]
    found: list[Problem] = problems(dedent(text).lstrip("\n"))
    assert "\n".join(str(problem) for problem in found) == dedent(shown).strip("\n")
