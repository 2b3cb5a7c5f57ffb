"""Write docs/errors.md from the codes that problems have."""

from collections.abc import Iterator
from pathlib import Path

from soni.config.codes import Code, load_codes

PAGE = Path(__file__).parents[1] / "docs" / "errors.md"

HEAD = """\
# Problems and their codes

`soni check DIR` says every problem of an assistant with its place, the reason, a remedy and a code. Errors (`E...`) keep an assistant from being loaded; warnings (`W...`) are only told, unless `--strict` makes them fail. `soni check --explain E104` shows a part of this page. A code never changes its meaning.

This page is written by `python tools/errors_page.py` from `src/soni/config/codes.yaml`.
"""  # noqa: E501 - one line is one paragraph

GROUPS = {
    "E1": "Files, YAML and form",
    "E2": "Names",
    "E3": "Texts, expressions and values",
    "E4": "Flows and steps",
    "E5": "Actions and Python",
    "W6": "Warnings",
    "E6": "Words of a language",
    "E7": "Conversation tests",
    "E8": "Knowledge",
    "E9": "Programs",
}


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    group = ""
    for code in load_codes().values():
        if code.code[:2] != group:
            group = code.code[:2]
            parts.append(f"## {GROUPS[group]}\n")
        parts.append("\n".join(_entry(code)))
    return "\n".join(parts)


def _entry(code: Code) -> Iterator[str]:
    yield f"### {code.code} {code.title}\n"
    yield f"{code.cause}\n"
    yield f"{code.remedy}\n"
    # Indented, not fenced: a fenced assistant in the docs is one that works.
    for title, example in (("Wrong:", code.wrong), ("Right:", code.right)):
        yield f"{title}\n"
        yield from (f"    {line}".rstrip() for line in example.splitlines())
        yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
