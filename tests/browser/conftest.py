"""A real browser, an assistant that it talks to, and pages that must not complain.

Where no browser is found these tests are not collected, and the run says so.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest

from soni.core.access_key import Role
from soni.server import ServerOptions
from tests.browser.gallery import GALLERY, make_runtime
from tests.server.serving import Running, serving_beside

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Sites that tests make up would not be let near this machine.
    "--disable-features=LocalNetworkAccessChecks",
]
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
PATIENCE_MS = 30_000
EVERYBODY = frozenset({Role.CLIENT, Role.AUTHOR, Role.AGENT})

collect_ignore_glob = [] if BROWSER else ["test_*.py"]


def pytest_report_header() -> str:
    return f"browser tests: {BROWSER or 'left out, no Chromium is installed'}"


# Playwright's loop runs as long as it is open: async tests of other modules could not.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The browser of a module."""
    from playwright.sync_api import expect, sync_playwright

    # A busy machine is no reason to fail.
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., Running]]:
    """Serves assistants, each once in a run, as `soni serve --inspect` does on this machine."""
    running: dict[str, Running] = {}
    with ExitStack() as stack:

        def start(yaml: str = GALLERY) -> Running:
            if yaml not in running:
                options = ServerOptions(anonymous_roles=EVERYBODY, is_local=True)
                runtime = make_runtime(yaml)
                made = serving_beside(runtime.assistant.config, runtime=runtime, options=options)
                running[yaml] = stack.enter_context(made)[0]
            return running[yaml]

        yield start


@dataclass
class Visitor:
    """Somebody's browser: its pages share what they keep, and nothing with other visitors."""

    context: Any
    complaints: list[str] = field(default_factory=list)
    expected: tuple[str, ...] = ()
    """Parts of complaints that a test brings about on purpose, such as a dropped line."""

    def open(self, url: str) -> Any:
        """A new page at an address."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.goto(url)
        return page

    def _note(self, message: Any) -> None:
        # Violations of the policy are errors of the console as well.
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def check(self) -> None:
        """Fail if a page has complained of anything that was not expected."""
        unexpected = [c for c in self.complaints if not any(e in c for e in self.expected)]
        assert not unexpected, unexpected


def hurry(visitor: Visitor) -> None:
    """Let nobody wait before trying again; how long they would have is noted."""
    visitor.context.add_init_script(
        """window.waits = [];
        const later = window.setTimeout;
        window.setTimeout = (work, ms, ...more) => {
          if (ms >= 250 && ms <= 30000) waits.push(ms);
          return later(work, ms >= 250 && ms <= 30000 ? 1 : ms, ...more);
        };"""
    )


def find_barriers(page: Any) -> list[str]:
    """What keeps people from using a page, as axe-core sees it."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    # What is still fading in has not got its colours yet.
    page.evaluate("() => Promise.all(document.getAnimations().map((each) => each.finished))")
    found = page.evaluate("() => axe.run(document)")
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors; fails the test if one of their pages complained."""
    visitors: list[Visitor] = []

    def come(**options: Any) -> Visitor:
        # What is moving cannot be pressed yet.
        options.setdefault("reduced_motion", "reduce")
        visitors.append(Visitor(browser.new_context(**options)))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.context.close()
    for visitor in visitors:
        visitor.check()
