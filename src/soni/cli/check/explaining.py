"""What a code means, for `soni check --explain`."""

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from soni.config.codes import Code, codes
from soni.config.wording import clip, nearest


def explain(code: str) -> bool:
    """Print what a code means; an unknown one is answered with those there are, and False."""
    console = Console(highlight=False)
    known = codes()
    found = known.get(code.strip().upper())
    for line in _page(found) if found is not None else _list(code):
        # In a terminal sentences are wrapped; what is piped stays as it is.
        console.print(line, soft_wrap=not console.is_terminal)
    return found is not None


def _page(code: Code) -> Iterator[Text]:
    colour = "yellow" if code.severity == "warning" else "red"
    yield Text.assemble((code.code, f"bold {colour}"), (f" {code.title}", "bold"))
    yield Text()
    yield Text(code.cause)
    yield Text()
    yield Text(code.remedy, "green")
    for title, example in (("Wrong", code.wrong), ("Right", code.right)):
        yield Text()
        yield Text(f"{title}:", "bold")
        yield Text()
        yield from (Text(f"    {line}".rstrip()) for line in example.splitlines())


def _list(code: str) -> Iterator[Text]:
    known = codes()
    guess = nearest(code, known)
    hint = f"; {guess}" if guess else ""
    yield Text(f"there is no code '{clip(code)}'{hint}", "bold red")
    yield Text()
    yield from (Text(f"  {each.code}  {each.title}") for each in known.values())
