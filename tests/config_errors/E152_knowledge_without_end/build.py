"""A knowledge file that no author writes."""

from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    text = "- {question: a, answer: b}\n" * 10_000
    (folder / "knowledge" / "faq.yaml").write_text(text, encoding="utf-8")
