"""Text that is not YAML, or more of it than Soni takes: what their author reads, word for word."""
# ruff: noqa: E501 - lines as they are shown

from textwrap import dedent

import pytest

from soni.core.errors import Problem

MISTAKES = {
    "a duplicate key": (
        """
        flows:
          greet:
            description: a
            description: b
            steps:
              - say: Hi
        """,
        """
        soni.yaml:4:5: the key 'description' is written twice; first in line 3
                description: b
                ^^^^^^^^^^^
          remedy: keep one of the two
        """,
    ),
    "a text with a colon": (
        """
        flows:
          greet:
            steps:
              - say: Note: well
        """,
        """
        soni.yaml:4:18: a second ':' has no meaning here
                  - say: Note: well
                             ^
          remedy: put a text in quotes that holds `: ` or ` #`, or begins with { [ * & @ or the like
        """,
    ),
    "a tab as indentation": (
        """
        flows:
        \tgreet: {}
        """,
        """
        soni.yaml:2:1: a tab stands where only spaces may
             greet: {}
            ^
          remedy: indent with spaces
        """,
    ),
    "a quote that is never closed": (
        """
        flows:
          greet:
            steps:
              - say: "Hi
              - say: Ho
        """,
        """
        soni.yaml:4:14: the quote is never closed
                  - say: "Hi
                         ^
          remedy: close the quote
        """,
    ),
    "a list that is never closed": (
        """
        flows:
          greet:
            steps:
              - say: [Hi, Ho
        """,
        """
        soni.yaml:4:14: this '[' is never closed
                  - say: [Hi, Ho
                         ^
          remedy: close it with ]; put a text in quotes that holds `: ` or ` #`, or begins with { [ * & @ or the like
        """,
    ),
    "a line at the wrong depth": (
        """
        flows:
          greet:
            steps:
              - say: Hi
             - say: Ho
        """,
        """
        soni.yaml:5:6: this line does not fit what is above it
                 - say: Ho
                 ^
          remedy: give the lines of one mapping or list the same indentation
        """,
    ),
    "an expression without quotes": (
        """
        flows:
          greet:
            steps:
              - set: {total: {{ 1 + 1 }} }
        """,
        """
        soni.yaml:4:23: a mapping cannot be a key
                  - set: {total: {{ 1 + 1 }} }
                                  ^
          remedy: put an expression in quotes: "{{ ... }}"
        """,
    ),
    "a tag": (
        """
        flows:
          greet:
            steps:
              - say: !greeting Hi
        """,
        """
        soni.yaml:4:14: the tag '!greeting' means nothing here
                  - say: !greeting Hi
                         ^^^^^^^^^^^^
          remedy: remove it; put a text that begins with `!` in quotes
        """,
    ),
    "an unknown alias": (
        """
        flows:
          greet:
            steps:
              - say: *hi
        """,
        """
        soni.yaml:4:14: nothing is named '&hi' before this
                  - say: *hi
                         ^^^
          remedy: name what it stands for with `&`, or put the text in quotes
        """,
    ),
    "a merge key": (
        """
        flows:
          greet:
            <<: {description: a}
            steps:
              - say: Hi
        """,
        """
        soni.yaml:3:5: '<<' is not a key
                <<: {description: a}
                ^^
          remedy: write the keys out; YAML 1.2 has no merging of mappings
        """,
    ),
    "a second document": (
        """
        flows:
          greet:
            steps:
              - say: Hi
        ---
        flows: {}
        """,
        """
        soni.yaml:5:1: a second document begins here
            ---
            ^^^
          remedy: keep one document in each file: remove the `---` or use two files
        """,
    ),
    "a file that is a list": (
        """
        - say: Hi
        """,
        """
        soni.yaml:1:1: expected a mapping, found a list
            - say: Hi
            ^^^^^^^^^
          remedy: begin with `flows:`
        """,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_author_reads(mistake, problems):
    text, shown = MISTAKES[mistake]
    found: list[Problem] = problems(dedent(text).lstrip("\n"))
    assert "\n".join(str(problem) for problem in found) == dedent(shown).strip("\n")
