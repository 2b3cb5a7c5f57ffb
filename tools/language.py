"""Write the compiled form of each language: CODE.json beside CODE.yaml, which loads quickly.

`python -m tools.language` writes them; `--check` only says which do not hold what their YAML says,
and what is wrong in a YAML file: slow patterns too, which takes some seconds.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import soni.language
from soni.config.language_file import examine_language
from soni.language.source import read_sections

FOLDER = Path(soni.language.__file__).parent


def compile_language(source: Path) -> str:
    """The compiled form of a language's YAML file."""
    sections = read_sections(source)
    compiled = json.dumps(sections, ensure_ascii=False, separators=(",", ":"))
    if json.loads(compiled) != sections:
        raise ValueError(
            f"{source}: JSON cannot hold it: quote keys that are no text, such as 1 or true"
        )
    return compiled + "\n"


def find_stale(folder: Path = FOLDER) -> Iterator[Path]:
    """The compiled forms that do not hold what their YAML says."""
    for source in sorted(folder.glob("*.yaml")):
        form = source.with_suffix(".json")
        if form.exists() and form.read_text(encoding="utf-8") != compile_language(source):
            yield form


def find_absent(folder: Path = FOLDER) -> Iterator[Path]:
    """The compiled forms that were never written: their YAML is read instead, which is slow."""
    forms = (source.with_suffix(".json") for source in sorted(folder.glob("*.yaml")))
    return (form for form in forms if not form.exists())


def find_mistakes(folder: Path = FOLDER) -> Iterator[str]:
    """What `soni check` finds wrong in the languages' files."""
    for source in sorted(folder.glob("*.yaml")):
        problems = examine_language(source)
        yield from (str(problem) for problem in problems if problem.severity == "error")


def write_forms(folder: Path = FOLDER) -> Iterator[Path]:
    """Write every compiled form; their paths."""
    for source in sorted(folder.glob("*.yaml")):
        form = source.with_suffix(".json")
        form.write_text(compile_language(source), encoding="utf-8")
        yield form


def main(arguments: list[str] | None = None, folder: Path = FOLDER) -> int:
    """0 if all is well."""
    parser = argparse.ArgumentParser(prog="python -m tools.language", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    if not parser.parse_args(arguments).check:
        for form in write_forms(folder):
            print(f"wrote {form.name}")
        return 0
    wrong = sorted({*find_stale(folder), *find_absent(folder)})
    for form in wrong:
        what = "does not hold what its YAML says" if form.exists() else "is not there"
        print(f"{form}: {what}; run `python -m tools.language`")
    mistakes = list(find_mistakes(folder))
    print("\n".join(mistakes), end="\n" if mistakes else "")
    return 1 if wrong or mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
