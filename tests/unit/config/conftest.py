"""An assistant in a folder of its own, for every test of the loader."""

from collections.abc import Callable
from pathlib import Path

import pytest

from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, Problem

ACTIONS = """
from soni.decorators import action, normalizer, validator

@action
def pay(amount, account="main"): ...

@action
def search(city): ...

@validator
def is_adult(value): ...

@normalizer
def tidy(value): ...
"""

Write = Callable[..., Path]
Problems = Callable[..., list[Problem]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files, given as name -> text, into an assistant's folder."""

    def written(files: dict[str, str], folder: str = "assistant") -> Path:
        home = tmp_path / folder
        for name, text in files.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text, encoding="utf-8")
        return home

    return written


@pytest.fixture
def problems(write: Write) -> Problems:
    """The problems of an assistant, given as its soni.yaml or as its files."""

    def found(files: str | dict[str, str]) -> list[Problem]:
        if isinstance(files, str):
            files = {"soni.yaml": files, "actions.py": ACTIONS}
        with pytest.raises(ConfigError) as caught:
            SoniConfig.load(write(files))
        return list(caught.value.problems)

    return found
