"""Figures as people read them."""

from datetime import datetime


def percent(share: float | None) -> str:
    """`83 %`; a dash, if there is nothing to divide by."""
    return "-" if share is None else f"{100 * share:.0f} %"


def seconds(spent: float | None) -> str:
    """`12 ms`, `3.4 s`."""
    if spent is None:
        return "-"
    return f"{1000 * spent:.2g} ms" if spent < 0.0995 else _longer(spent)


def _longer(spent: float) -> str:
    return f"{1000 * spent:.0f} ms" if spent < 1 else f"{spent:.1f} s"


def date_and_time(moment: datetime) -> str:
    """To the minute, with its zone."""
    return f"{moment:%Y-%m-%d %H:%M} {moment.strftime('%Z')}".rstrip()
