"""What people do on the chat page, and see there."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.server.serving import Running

Visit = Callable[..., Visitor]
Serve = Callable[..., Running]
LOST = "net::ERR"


def say(page: Page, text: str) -> None:
    """Write something and send it by the keyboard."""
    page.fill("#text", text)
    page.press("#text", "Enter")


def see(page: Page, text: str) -> None:
    """Wait until a text is seen, in the conversation or above it."""
    expect(page.locator("header, #log").get_by_text(text).first).to_be_visible()


def read_bubbles(page: Page) -> list[str]:
    """What is shown as said, in its order."""
    return page.locator("#messages .bubble").all_inner_texts()


def wait_for_bubbles(page: Page, *texts: str) -> None:
    """Wait until exactly this is shown as said."""
    expect(page.locator("#messages .bubble")).to_have_text(list(texts))
