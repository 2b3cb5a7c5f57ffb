"""The desk, as two people work at it while others write."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe

from soni.core.access_key import Role, make_access_key
from tests.browser.conftest import Visitor, hurry
from tests.server.serving import SHOP, Running

Visit = Callable[..., Visitor]
HOSTILE = '<img src=x onerror=alert(1)> it\'s "loud"'


@pytest.fixture
def server(serve: Callable[..., Running]) -> Running:
    return serve(SHOP)


def make_key(server: Running, label: str, role: Role = Role.AGENT) -> str:
    key, kept = make_access_key(role, label=label, now=0)
    # In this thread Playwright has a loop of its own.
    with ThreadPoolExecutor() as thread:
        thread.submit(asyncio.run, server.runtime.store.access_keys.add(kept)).result()
    return key


class Customer:
    """Somebody who complains, and waits for a person."""

    def __init__(self, server: Running, topic: str = "noise") -> None:
        self._path, self._headers = f"{server.url}/api/conversations", dict[str, str]()
        opened = self._post("", {})
        self.id = opened["id"]
        self._headers = {"authorization": f"Bearer {opened['token']}"}
        self.say("complain")
        self.say(topic)

    def say(self, text: str) -> None:
        self._post(f"/{self.id}/messages", {"text": text})

    def read(self) -> list[tuple[str, str | None, str]]:
        path = f"{self._path}/{self.id}/messages"
        said = httpx.get(path, headers=self._headers, trust_env=False).json()["messages"]
        return [(each["author"], each["by"], each["text"]) for each in said]

    def _post(self, path: str, body: dict[str, str]) -> Any:
        answer = httpx.post(
            self._path + path, json=body, headers=self._headers, trust_env=False
        ).raise_for_status()
        return answer.json()


def enter(visitor: Visitor, server: Running, label: str, key: str | None = None) -> Any:
    """Open the desk and sign in. Whoever is on this machine could enter without a key."""
    key = key or make_key(server, label)
    visitor.context.add_init_script(
        f"sessionStorage.setItem('soni:/:desk:key', JSON.stringify('{key}'))"
    )
    page = visitor.open(f"{server.url}/desk")
    page.get_by_text(label, exact=True).wait_for()
    return page


def find_item(page: Any, customer: Customer) -> Any:
    return page.locator(f'#list button[data-id="{customer.id}"]')


def check_access(page: Any) -> None:
    """Fail if people who cannot see or use a mouse would be left out."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def check_fit(page: Any, *buttons: str) -> None:
    """Fail if one of these buttons is not wholly on the screen, the last one at its foot."""
    for name in buttons:
        box, screen = page.get_by_role("button", name=name).bounding_box(), page.viewport_size
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= screen["width"]
    assert screen["height"] - 40 < box["y"] + box["height"] <= screen["height"]


def test_two_people_share_the_desk_and_nothing_is_answered_twice(
    visit: Visit, server: Running
) -> None:
    first, second = visit(), visit()
    second.expected = ("409",)
    key = make_key(server, "Ann")
    ann, ben = enter(first, server, "Ann", key), enter(second, server, "Ben")
    customer = Customer(server, HOSTILE)
    for page in (ann, ben):
        item = find_item(page, customer)
        item.wait_for()
        assert HOSTILE in item.inner_text()
        item.click()
        page.get_by_role("log").get_by_text(HOSTILE, exact=True).wait_for()
        assert "Topic" in page.locator("#details").inner_text()
    assert re.fullmatch(r"\(\d+\) Desk", ann.title())

    def let_ann_be_quicker(route: Any) -> None:
        headers = {"authorization": f"Bearer {key}"}
        httpx.post(route.request.url, headers=headers, trust_env=False).raise_for_status()
        route.continue_()

    ben.route("**/handoff/claim", let_ann_be_quicker)
    ben.get_by_role("button", name="Take it").click()
    ann.get_by_role("button", name="Hand back").wait_for()
    ben.get_by_text("Ann has it already.").wait_for()
    ben.get_by_text("Ann has this conversation. You can read it.").wait_for()
    assert ben.locator("#composer").is_hidden()
    # An answer that is sent again after a dropped line is said once.
    drops = iter([True])
    first.expected = ("ERR_FAILED", "Failed to load resource")

    def drop_answer(route: Any) -> None:
        if next(drops, False):
            route.fetch()
            route.abort()
        else:
            route.continue_()

    ann.route("**/handoff/messages", drop_answer)
    ann.get_by_label("Your answer").fill("I am Ann. I look after it.")
    ann.keyboard.press("Enter")
    for page in (ann, ben):
        page.get_by_role("log").get_by_text("I am Ann. I look after it.").wait_for()
    ann.wait_for_function("() => !document.querySelector('.message.sending, .message.waiting')")
    customer.say("thank you")
    ann.get_by_role("log").get_by_text("thank you").wait_for()
    ann.get_by_role("button", name="Hand back").click()
    ann.get_by_text("Handed back: the assistant goes on.").wait_for()
    find_item(ann, customer).wait_for(state="detached")
    said = customer.read()
    assert said.count(("agent", "Ann", "I am Ann. I look after it.")) == 1
    # The conversation goes on at the very step.
    assert said[-1] == ("bot", None, "Was that all?")


def test_the_keyboard_is_enough(visit: Visit, server: Running) -> None:
    page = enter(visit(), server, "Kay")
    customers = [Customer(server, topic) for topic in ("dust", "rain")]
    for customer in customers:
        find_item(page, customer).wait_for()
    page.locator("#queue").focus()
    page.keyboard.press("Tab")
    while "data-id" not in page.evaluate("document.activeElement.outerHTML"):
        page.keyboard.press("Tab")
    while customers[1].id not in page.evaluate("document.activeElement.outerHTML"):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("log").get_by_text("rain", exact=True).wait_for()
    page.keyboard.type("Hello there")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("and good day")
    page.keyboard.press("Enter")
    page.get_by_role("log").get_by_text("Hello there and good day").wait_for()
    # Whoever speaks first has it.
    page.get_by_role("button", name="Hand back").wait_for()
    page.keyboard.press("Escape")
    page.locator("#nothing").wait_for()
    customers[1].say("still wet")
    unread = page.locator("#list .unread", has_text="still wet")
    unread.wait_for()
    assert page.title().startswith("(")
    assert "unread" in unread.inner_text()


def test_queues_are_counted_and_chosen(visit: Visit, server: Running) -> None:
    page = enter(visit(), server, "Quinn")
    customer = Customer(server, "smell")
    find_item(page, customer).wait_for()
    options = page.locator("#queue option").all_inner_texts()
    assert re.fullmatch(r"All queues \(\d+\)", options[0])
    assert re.fullmatch(r"Complaints \(\d+\)", options[1])
    page.select_option("#queue", "complaints")
    find_item(page, customer).wait_for()
    page.get_by_role("button", name=re.compile("^Mine")).click()
    page.get_by_text("You have no conversation.").wait_for()


def test_a_key_is_asked_for_where_one_is_needed(
    visit: Visit, serve: Callable[..., Running]
) -> None:
    from soni.server import ServerOptions
    from tests.server.serving import serving_beside

    with serving_beside(SHOP, options=ServerOptions()) as (closed, _):
        visitor = visit()
        visitor.expected = ("401",)
        page = visitor.open(f"{closed.url}/desk")
        field = page.get_by_label("Your key")
        check_access(page)
        field.fill("soni_wrong_key")
        page.keyboard.press("Enter")
        page.get_by_text("This key is not known.").wait_for()
        field.fill(make_key(closed, "Cleo", Role.CLIENT))
        page.keyboard.press("Enter")
        page.get_by_text("This key has not the role").wait_for()
        field.fill(make_key(closed, "Ann"))
        page.keyboard.press("Enter")
        page.get_by_text("Nobody waits.").wait_for()
        page.reload()
        page.get_by_text("Ann", exact=True).wait_for()
        # Another tab has to sign in by itself: the key is kept in this one alone.
        assert page.evaluate("localStorage.length") == 0
        page.get_by_role("button", name="Sign out").click()
        field.wait_for()
        page.reload()
        field.wait_for()


def test_visitors_are_told_apart_and_nobody_is_called_by_a_queue(
    visit: Visit, server: Running
) -> None:
    page = enter(visit(), server, "Vic")
    customer = Customer(server, "mist")
    item = find_item(page, customer)
    item.wait_for()
    mark = re.sub(r"[^a-z0-9]", "", customer.id.lower())[-4:]
    assert item.locator(".name").inner_text() == f"Visitor {mark} · Complain"
    assert item.locator(".preview").inner_text() == "mist"
    assert "collect_topic" not in page.locator("body").inner_text()


def test_after_a_conversation_is_handed_back_those_who_wait_are_shown(
    visit: Visit, server: Running
) -> None:
    page = enter(visit(), server, "Hal")
    first, second = Customer(server, "frost"), Customer(server, "thaw")
    find_item(page, first).click()
    page.get_by_role("button", name="Take it").click()
    page.get_by_role("button", name="Hand back").click()
    find_item(page, second).wait_for()
    assert "data-id" in page.evaluate("document.activeElement.outerHTML")


def test_whoever_needs_no_key_is_not_signed_out(visit: Visit, server: Running) -> None:
    page = visit().open(f"{server.url}/desk")
    page.get_by_text(re.compile("^agent ")).wait_for()
    assert page.get_by_role("button", name="Sign out").count() == 0


def test_whoever_signs_in_next_says_nothing_of_what_another_wrote(
    visit: Visit, server: Running
) -> None:
    visitor = visit()
    visitor.expected = ("ERR_FAILED",)
    hurry(visitor)
    customer, other = Customer(server, "fog"), Customer(server, "hail")
    page = enter(visitor, server, "Ann")
    find_item(page, other).click()
    page.get_by_label("Your answer").fill("I was going to say")
    find_item(page, customer).click()
    held: list[Any] = []

    def hold_first(route: Any) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/handoff/messages", hold_first)
    page.get_by_label("Your answer").fill("I am Ann.")
    page.keyboard.press("Enter")
    page.get_by_role("log").get_by_text("I am Ann.").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Your key").fill(make_key(server, "Ben"))
    page.keyboard.press("Enter")
    page.get_by_text("Ben", exact=True).wait_for()
    held[0].abort()
    find_item(page, other).click()
    assert page.get_by_label("Your answer").input_value() == ""
    find_item(page, customer).click()
    page.get_by_label("Your answer").fill("I am Ben.")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Hand back").wait_for()
    assert page.get_by_role("log").get_by_text("I am Ann.").count() == 0
    said = [each for each in customer.read() if each[0] == "agent"]
    assert said == [("agent", "Ben", "I am Ben.")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_can_be_used_by_everybody_on_every_screen(
    visit: Visit, server: Running, scheme: str, width: int
) -> None:
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 800}}
    page = enter(visit(**options), server, "Sam")
    customer = Customer(server, "light")
    find_item(page, customer).wait_for()
    check_access(page)
    find_item(page, customer).click()
    page.get_by_role("log").get_by_text("light", exact=True).wait_for()
    check_fit(page, "Take it", "Send")
    page.get_by_label("Your answer").fill("I look after it.")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Hand back").wait_for()
    page.get_by_role("log").get_by_text("I look after it.").wait_for()
    check_fit(page, "Hand back", "Send")
    check_access(page)
    if width < 700:
        page.get_by_role("button", name="Details").click()
        page.get_by_text("What is known").wait_for()
    page.get_by_role("button", name="Hand back").click()
    page.get_by_text("Handed back: the assistant goes on.").wait_for()


def test_nothing_comes_from_elsewhere(server: Running) -> None:
    answer = httpx.get(f"{server.url}/desk", trust_env=False)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    web = Path("src/soni/server/web")
    for file in web.glob("desk*"):
        text = file.read_text(encoding="utf-8")
        assert "http://" not in text
        assert "https://" not in text
        assert "innerHTML" not in text
