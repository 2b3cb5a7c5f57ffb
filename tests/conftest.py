"""Says at the end of a run what its walks were made of."""

from __future__ import annotations

from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "distribution" and report.when == "call":
                    terminalreporter.section("random walks")
                    terminalreporter.line(value)
