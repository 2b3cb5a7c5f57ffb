"""How a folder of Python reads to the next engineer: sizes, chains of imports, names.

    python -m tools.house src/soni                 # the table
    python -m tools.house src/soni ../other/pkg    # several folders side by side
    python -m tools.house --check                  # fail where src/soni breaks a limit

The limits are shares and medians, so that they stay right as Soni grows.
"""

import argparse
import ast
import io
import re
import statistics
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from soni.language import find_language, list_language_codes

ROOT: Final = Path(__file__).parents[1] / "src/soni"

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_IRREGULAR: Final = re.compile(
    r"begun|bound|bought|broken|brought|built|caught|chosen|come|cut|dealt|"
    r"done|drawn|driven|fallen|felt|found|forgotten|given|gone|got|"
    r"gotten|grown|had|heard|held|hidden|kept|known|laid|led|left|lent|"
    r"lost|made|meant|met|paid|put|read|said|seen|sent|set|shown|shut|"
    r"sold|spelt|spent|spoken|spread|stood|struck|swept|taken|taught|"
    r"thought|thrown|told|torn|understood|woken|won|worn|written"
)
# Verbs in their plain form, nouns and adjectives that only end like a participle.
_PLAIN: Final = re.compile(
    r"bed|embed|exceed|feed|indeed|need|proceed|red|seed|shed|speed|"
    r"bring|king|ring|sing|string|thing|wing|spring|during|evening|morning|"
    r"nothing|something|anything|everything|put|read|set|cut|spread|shut|"
    r"come"
)


@dataclass(frozen=True)
class Module:
    """One Python file."""

    path: Path
    name: str
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @property
    def lines(self) -> int:
        return self.source.count("\n")

    @cached_property
    def functions(self) -> list[_Function]:
        return [node for node in ast.walk(self.tree) if isinstance(node, _Function)]

    def imports(self, known: frozenset[str]) -> set[str]:
        """The known modules that are imported with it: not in functions, not for types alone."""
        found = set[str]()
        for node in _walk_eager(self.tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                start = self._resolve(node)
                modules = {f"{start}.{alias.name}" for alias in node.names}
                found |= modules if modules <= known else {start, *modules}
        return found & known - {self.name}

    def _resolve(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        keep = len(parts) - node.level + (self.path.name == "__init__.py")
        return ".".join([*parts[:keep], *([node.module] if node.module else [])])

    def comments(self) -> int:
        tokens = tokenize.generate_tokens(io.StringIO(self.source).readline)
        return sum(token.type == tokenize.COMMENT for token in tokens)


class House:
    """A folder of Python with what can be counted in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.modules = [_load_module(path, root) for path in sorted(root.rglob("*.py"))]
        if not self.modules:
            raise SystemExit(f"{root}: there is no Python file here")

    @cached_property
    def lines(self) -> int:
        return sum(module.lines for module in self.modules)

    @cached_property
    def sizes(self) -> list[int]:
        """The lengths of files that hold more than a docstring and imports."""
        return sorted(module.lines for module in self.modules if module.lines)

    @cached_property
    def functions(self) -> list[_Function]:
        return [function for module in self.modules for function in module.functions]

    @cached_property
    def names(self) -> list[str]:
        """The names of functions, dunder methods left out."""
        return [f.name for f in self.functions if not f.name.startswith("__")]

    def files_per_thousand(self) -> float:
        return 1000 * len(self.modules) / self.lines

    def median_file(self) -> float:
        return statistics.median(self.sizes)

    def function_lengths(self) -> tuple[float, float]:
        """Median and 90th percentile."""
        lengths = sorted((f.end_lineno or f.lineno) - f.lineno + 1 for f in self.functions)
        return statistics.median(lengths), lengths[int(0.9 * (len(lengths) - 1))]

    def share_of_participles(self) -> float:
        return sum(map(is_participle, self.names)) / max(1, len(self.names))

    def share_of_single_words(self) -> float:
        return sum("_" not in name.strip("_") for name in self.names) / max(1, len(self.names))

    def comments_per_hundred(self) -> float:
        return 100 * sum(module.comments() for module in self.modules) / self.lines

    def share_of_rules(self) -> float:
        """How much of the lines is lists of words, and regular expressions."""
        nodes = (node for module in self.modules for node in module.tree.body if _is_rule(node))
        return (
            sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes) / self.lines
        )

    @cached_property
    def graph(self) -> dict[str, set[str]]:
        """Which modules of the folder each module imports."""
        known = frozenset(module.name for module in self.modules)
        return {module.name: module.imports(known) for module in self.modules}

    def longest_chain(self) -> list[str]:
        """The longest way from import to import; modules in a ring count once."""
        best: dict[str, list[str]] = {}

        def follow(name: str, above: frozenset[str]) -> list[str]:
            if name not in best:
                nexts = self.graph[name] - above - {name}
                tails = (follow(other, above | {name}) for other in sorted(nexts))
                best[name] = [name, *max(tails, key=len, default=[])]
            return best[name]

        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 10 * len(self.modules)))
        try:
            return max((follow(name, frozenset()) for name in self.graph), key=len)
        finally:
            sys.setrecursionlimit(limit)

    def modules_in_cycles(self) -> int:
        return sum(name in _reachable(name, self.graph) for name in self.graph)

    def shared_names(self, most: int) -> dict[str, list[str]]:
        """Functions, methods and classes of one name in more than `most` modules.

        What a base class or a protocol of the folder names is the same thing wherever it stands.
        """
        classes = {
            node.name: node
            for module in self.modules
            for node in ast.walk(module.tree)
            if isinstance(node, ast.ClassDef)
        }
        declared = {
            name for node in classes.values() if _is_interface(node) for name in _methods(node)
        }
        places: defaultdict[str, set[str]] = defaultdict(set)
        for module in self.modules:
            for node in module.tree.body:
                if isinstance(node, _Function | ast.ClassDef):
                    places[node.name.strip("_")].add(module.name)
                if isinstance(node, ast.ClassDef):
                    inherited = set(_inherited_methods(node, classes))
                    for name in set(_methods(node)) - inherited - declared:
                        places[name.strip("_")].add(module.name)
        return {name: sorted(where) for name, where in places.items() if len(where) > most}


def is_participle(name: str) -> bool:
    """Whether a function's name begins with a participle: `told`, `shown_again`, `making_page`."""
    word = name.strip("_").split("_")[0]
    if _PLAIN.fullmatch(word):
        return False
    return bool(_IRREGULAR.fullmatch(word) or re.fullmatch(r"\w{2,}(?:ed|ing)", word))


def find_words_of_languages(house: House) -> Iterator[str]:
    """Weekdays and words for yes in strings of the code: they belong to a language's file."""
    words = frozenset[str]().union(*map(_telling_words, list_language_codes()))
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, sorted(words))) + r")(?!\w)")
    for module in house.modules:
        docs = {id(text) for text in _docstrings(module.tree)}
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            found = None if id(node) in docs else pattern.search(node.value.casefold())
            if found:
                yield f"{module.path}:{node.lineno}: {found[0]!r} belongs to soni/language/*.yaml"


def _telling_words(code: str) -> frozenset[str]:
    """Weekdays, and words for yes that are nothing else in code."""
    lang = find_language(code)
    days = frozenset(day for day in lang.table("calendar.weekdays") if len(day) > 4)
    return days | {"yeah", "yep", "yup", "vale", "claro", "okay"}


def _methods(node: ast.ClassDef) -> Iterator[str]:
    functions = (each for each in node.body if isinstance(each, _Function))
    return (each.name for each in functions if not each.name.startswith("__"))


def _base_names(node: ast.ClassDef) -> list[str]:
    return [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases]


def _is_interface(node: ast.ClassDef) -> bool:
    return not {"Protocol", "ABC"}.isdisjoint(_base_names(node))


def _inherited_methods(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> Iterator[str]:
    for name in _base_names(node):
        base = classes.get(name)
        if base is not None and base is not node:
            yield from _methods(base)
            yield from _inherited_methods(base, classes)


def _is_rule(node: ast.stmt) -> bool:
    """Whether a constant of a module holds an expression, or five words and more."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    inside = list(ast.walk(node.value))
    words = [
        each for each in inside if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    return len(words) >= 5 or any(ast.unparse(each) == "re.compile" for each in inside)


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Strings that stand as statements: docstrings of modules, classes, functions and fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def _walk_eager(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        yield child
        yield from _walk_eager(child)


def _load_module(path: Path, root: Path) -> Module:
    parts = [root.name, *path.relative_to(root).with_suffix("").parts]
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(path, name, path.read_text(encoding="utf-8"))


def _reachable(start: str, graph: dict[str, set[str]]) -> set[str]:
    seen, todo = set[str](), list(graph[start])
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(graph[name])
    return seen


_ROWS: Final[dict[str, Callable[[House], str]]] = {
    "files": lambda house: f"{len(house.modules):,}",
    "lines": lambda house: f"{house.lines:,}",
    "files per 1,000 lines": lambda house: f"{house.files_per_thousand():.1f}",
    "lines per file, median": lambda house: f"{house.median_file():.0f}",
    "lines per file, most": lambda house: f"{house.sizes[-1]:,}",
    "lines per function, median / p90": lambda house: "{:.0f} / {:.0f}".format(
        *house.function_lengths()
    ),
    "longest chain of imports": lambda house: str(len(house.longest_chain())),
    "modules in cycles": lambda house: str(house.modules_in_cycles()),
    "functions named by a participle": lambda house: f"{house.share_of_participles():.0%}",
    "functions named by one word": lambda house: f"{house.share_of_single_words():.0%}",
    "share of lines that are word lists and rules": lambda house: f"{house.share_of_rules():.0%}",
    "comments per 100 lines": lambda house: f"{house.comments_per_hundred():.1f}",
}


def print_table(houses: list[House]) -> None:
    """The figures of some folders side by side."""
    rows = [["", *(house.root.name for house in houses)]]
    rows += [[title, *(figure(house) for house in houses)] for title, figure in _ROWS.items()]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        first, *rest = row
        cells = [first.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        print("  ".join(cells).rstrip())


def find_problems(house: House) -> Iterator[str]:
    """Where a folder breaks a limit, each with what to do about it."""
    if house.files_per_thousand() > 9:
        small = Counter({str(m.path): -m.lines for m in house.modules}).most_common(5)
        yield (
            f"{house.files_per_thousand():.2f} files per 1,000 lines, at most 9: give small "
            f"modules to their users, such as {', '.join(path for path, _ in small)}"
        )
    if not 100 <= house.median_file() <= 160:
        yield f"the median file has {house.median_file():.0f} lines, it should have 100 to 160"
    for module in house.modules:
        if module.lines > 400:
            yield f"{module.path} has {module.lines} lines, at most 400: divide it by what it holds"
    chain = house.longest_chain()
    if len(chain) > 30:
        yield f"a chain of {len(chain)} imports, at most 30: {' > '.join(chain)}"
    if house.modules_in_cycles():
        yield f"{house.modules_in_cycles()} modules import each other in rings"
    if house.share_of_participles() > 0.06:
        found = Counter(name for name in house.names if is_participle(name)).most_common(12)
        yield (
            f"{house.share_of_participles():.1%} of functions are named by a participle, at most "
            f"6 %: say what they do, not {', '.join(name for name, _ in found)}"
        )
    for name, where in sorted(house.shared_names(3).items()):
        if name not in _SHARED:
            yield f"{name!r} is defined in {len(where)} modules: {', '.join(where)}"
    yield from find_words_of_languages(house)


# The same thing each time: what verbs offer, and the usual words for making, closing and writing.
_SHARED: Final = frozenset({"aclose", "add", "lang", "load", "register", "to_dict"})


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[ROOT])
    parser.add_argument("--check", action="store_true", help="fail where a limit is broken")
    options = parser.parse_args()
    houses = [House(folder) for folder in options.folders]
    if not options.check:
        print_table(houses)
        return 0
    problems = [problem for house in houses for problem in find_problems(house)]
    print("\n".join(problems) or "names and sizes keep their limits")
    return bool(problems)


if __name__ == "__main__":
    raise SystemExit(main())
