"""`tools/house.py` counts what a reader of a folder meets, and names what breaks a limit."""

from pathlib import Path

import pytest

from tools.house import ROOT, House, find_problems, is_participle, print_table


def house(folder: Path, **files: str) -> House:
    home = folder / "pkg"
    home.mkdir()
    for name, text in files.items():
        (home / f"{name}.py").write_text(text, encoding="utf-8")
    return House(home)


@pytest.mark.parametrize("name", ["told", "_shown_again", "making_page", "asked", "held_out"])
def test_a_name_that_begins_with_a_participle_is_one(name: str) -> None:
    assert is_participle(name)


@pytest.mark.parametrize("name", ["read", "set_slot", "bring", "need_input", "is_told", "embed"])
def test_verbs_and_nouns_that_only_end_like_one_are_none(name: str) -> None:
    assert not is_participle(name)


def test_the_table_shows_every_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_table([house(tmp_path, a="def run() -> None:\n    pass\n"), House(ROOT / "language")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["pkg", "language"]
    assert lines[1].split()[:2] == ["files", "1"]
    assert len({len(line) for line in lines}) == 1


def test_a_chain_of_imports_counts_neither_lazy_ones_nor_those_for_types(tmp_path: Path) -> None:
    lazy = "def go():\n    import pkg.c\n"
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pkg.c\n"
    found = house(tmp_path, a="import pkg.b\n", b="from pkg import d\n", c=lazy, d=typed)
    assert found.longest_chain() == ["pkg.a", "pkg.b", "pkg.d"]


def test_a_ring_of_imports_is_found(tmp_path: Path) -> None:
    assert house(tmp_path, a="import pkg.b\n", b="import pkg.a\n").modules_in_cycles() == 2


def test_what_breaks_a_limit_is_named_with_the_remedy(tmp_path: Path) -> None:
    same = "def told() -> str:\n    return 'next tuesday'\n"
    found = "\n".join(find_problems(house(tmp_path, a=same, b=same, c=same, d=same)))
    assert "files per 1,000 lines, at most 9: give small modules to their users" in found
    assert "named by a participle, at most 6 %: say what they do, not told" in found
    assert "'told' is defined in 4 modules: pkg.a, pkg.b, pkg.c, pkg.d" in found
    assert "'tuesday' belongs to soni/language/*.yaml" in found


def test_a_docstring_may_say_what_it_likes(tmp_path: Path) -> None:
    found = find_problems(house(tmp_path, a='"""From Tuesday on."""\n'))
    assert not any("tuesday" in problem for problem in found)
