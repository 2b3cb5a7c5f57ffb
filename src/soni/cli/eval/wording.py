"""Figures as people read them."""

from soni.testing.evaluate.sample import Sample
from soni.testing.evaluate.share import Share


def percent(share: float | None) -> str:
    """`83.3 %`, rounded down: what is not all must not read as all. A dash for nothing."""
    return "-" if share is None else f"{int(1000 * share + 1e-9) / 10:.1f} %"


def score(share: float | None) -> str:
    """`0.83`, rounded down as well."""
    return "-" if share is None else f"{int(100 * share + 1e-9) / 100:.2f}"


def interval(share: Share) -> str:
    """`(95 %: 78.1 to 87.5 %)`."""
    found = share.interval
    return "" if found is None else f"(95 %: {100 * found[0]:.1f} to {100 * found[1]:.1f} %)"


def milliseconds(seconds: float | None) -> str:
    """`12.3 ms`."""
    return "-" if seconds is None else f"{1000 * seconds:.1f} ms"


def place(sample: Sample) -> str:
    """`nlu/bank.yaml:12`."""
    return f"{sample.file}:{sample.line}"
