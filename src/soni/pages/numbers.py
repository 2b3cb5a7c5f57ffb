"""Numbers as people read them, on a page or in a terminal. A dash stands for nothing to count."""

from datetime import datetime


def format_count(count: int | None) -> str:
    """`3`."""
    return "-" if count is None else str(count)


def format_percent(share: float | None) -> str:
    """`83 %`."""
    return "-" if share is None else f"{100 * share:.0f} %"


def format_share(share: float | None) -> str:
    """`83.3 %`, rounded down: what is not all must not read as all."""
    return "-" if share is None else f"{int(1000 * share + 1e-9) / 10:.1f} %"


def format_score(share: float | None) -> str:
    """`0.83`, rounded down as well."""
    return "-" if share is None else f"{int(100 * share + 1e-9) / 100:.2f}"


def format_interval(interval: tuple[float, float] | None) -> str:
    """`(95 %: 78.1 to 87.5 %)`: the share is within with that probability. Empty for none."""
    if interval is None:
        return ""
    low, high = interval
    return f"(95 %: {100 * low:.1f} to {100 * high:.1f} %)"


def format_milliseconds(seconds: float | None) -> str:
    """`12.3 ms`."""
    return "-" if seconds is None else f"{1000 * seconds:.1f} ms"


def format_duration(seconds: float | None) -> str:
    """`12 ms`, `3.4 s`."""
    if seconds is None:
        return "-"
    if seconds < 0.0995:
        return f"{1000 * seconds:.2g} ms"
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def format_time(moment: datetime) -> str:
    """`2026-03-02 10:00 UTC`."""
    return f"{moment:%Y-%m-%d %H:%M} {moment.strftime('%Z')}".rstrip()
