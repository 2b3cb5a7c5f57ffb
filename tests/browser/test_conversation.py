"""A conversation on the chat page between tabs, devices, lost lines and credentials that end."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import jwt
import pytest
from playwright.sync_api import Page, expect

from soni.core.access_key import Role, make_access_key
from soni.server import ServerOptions
from tests.browser.chatting import LOST, Serve, Visit, read_bubbles, say, see, wait_for_bubbles
from tests.browser.conftest import hurry
from tests.browser.gallery import GALLERY, make_runtime
from tests.browser.test_looks import open_shop
from tests.server.serving import Running, serving_beside

SECRET = "a secret of at least thirty-two characters"
SIGNED = GALLERY.replace("  server:\n", f"  server:\n    auth: {{jwt: {{secret: {SECRET}}}}}\n", 1)
MENU = "#menu-button"
DEVICE = "Continue on another device"


@pytest.fixture
def page(visit: Visit, serve: Serve) -> Page:
    """The chat of somebody who was never here."""
    opened: Page = visit(locale="en-GB").open(serve().url)
    return opened


def read_kept(page: Page, name: str) -> Any:
    """What the page keeps of its conversation."""
    return json.loads(page.evaluate(f"localStorage.getItem('soni:/:chat:{name}')"))


def talk_elsewhere(server: Running, page: Page, *texts: str) -> None:
    """Say something in the page's conversation, from another device."""
    path = f"{server.url}/api/conversations/{read_kept(page, 'id')}/messages"
    headers = {"authorization": f"Bearer {read_kept(page, 'token')}"}
    for text in texts:
        httpx.post(path, json={"text": text}, headers=headers, trust_env=False).raise_for_status()


def run_beside(work: Coroutine[Any, Any, Any]) -> Any:
    """Run something async: in this thread Playwright has a loop of its own."""
    with ThreadPoolExecutor() as thread:
        return thread.submit(asyncio.run, work).result()


def make_link(page: Page) -> str:
    page.click(MENU)
    page.get_by_role("button", name=DEVICE).click()
    link = page.input_value("#device-link")
    page.get_by_role("button", name="Close").click()
    return link


def stream(*events: tuple[str, dict[str, Any]]) -> str:
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)


def hold_requests(page: Page, pattern: str) -> Callable[[], Any]:
    """Keep requests from going out; the function waits for the first of them."""
    held: list[Any] = []
    page.route(pattern, lambda route: held.append(route))

    def find() -> Any:
        for _ in range(1000):
            if held:
                break
            page.wait_for_timeout(10)
        return held[0]

    return find


def test_a_yes_does_not_answer_a_question_that_the_page_has_not_shown(
    visit: Visit, serve: Serve
) -> None:
    server = serve()
    sent = server.get_global("SENT")
    visitor = visit(locale="en-GB")
    visitor.expected = (LOST,)
    page = visitor.open(server.url)
    page.route("**/events", lambda route: route.abort("connectionreset"))
    say(page, "send money")
    see(page, "How much?")
    say(page, "51")
    expect(page.get_by_role("button", name="Yes")).to_be_visible()
    talk_elsewhere(server, page, "yes", "send money", "6001")
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#notice")).to_have_text("That button belongs to an earlier question.")
    page.unroute("**/events")
    see(page, "Send 6001?")
    assert 6001 not in [each[0] for each in sent]
    # What is asked now can be answered, and what came to nothing is not shown as said.
    expect(page.get_by_role("button", name="Yes")).to_have_count(1)
    assert "Yes" not in read_bubbles(page)
    page.get_by_role("button", name="Yes").click()
    see(page, "Sent 6001.")


def test_what_two_tabs_say_at_once_goes_to_one_conversation(visit: Visit, serve: Serve) -> None:
    visitor = visit(locale="en-GB")
    pages = [visitor.open(serve().url) for _ in range(3)]
    first, second, _ = pages
    posts: list[tuple[str, str]] = []

    def note(request: Any) -> None:
        if request.method == "POST" and request.url.endswith("/messages"):
            posts.append((request.url.split("/")[-2], request.post_data_json["text"]))

    visitor.context.on("request", note)
    find = hold_requests(first, "**/api/conversations")
    say(first, "picture")
    expect(first.locator("#messages .bubble")).to_have_text(["picture"])
    say(second, "card")
    expect(second.locator("#messages .bubble")).to_have_text(["card"])
    find().continue_()
    for page in pages:  # The third has said nothing, and shows it as well.
        expect(page.locator("#messages").get_by_text("Look.")).to_be_visible()
        expect(page.locator("#messages").get_by_text("This is it.")).to_be_visible()
        assert sorted(read_bubbles(page)) == ["Look.", "This is it.", "card", "picture"]
    assert len({conversation for conversation, _ in posts}) == 1
    assert {text for _, text in posts} == {"picture", "card"}


def test_an_answer_under_way_is_not_shown_in_a_new_conversation(page: Page, serve: Serve) -> None:
    gate = serve().get_global("GATE")
    gate.clear()
    say(page, "wait for me")
    see(page, "One moment.")
    page.click(MENU)
    page.get_by_role("button", name="New conversation").click()
    expect(page.get_by_role("heading", name="What can I do for you?")).to_be_visible()
    gate.set()
    say(page, "picture")
    wait_for_bubbles(page, "picture", "Look.")
    talk_elsewhere(serve(), page, "card")
    wait_for_bubbles(page, "picture", "Look.", "card", "This is it.")


def test_a_key_that_ends_loses_neither_the_conversation_nor_what_was_written(visit: Visit) -> None:
    runtime = make_runtime()
    made = serving_beside(runtime.assistant.config, runtime=runtime, options=ServerOptions())
    with made as (server, _):
        keys = server.runtime.store.access_keys
        key, kept = make_access_key(Role.CLIENT, now=0)
        run_beside(keys.add(kept))
        visitor = visit(locale="en-GB")
        visitor.expected = ("401",)
        page = visitor.open(server.url)

        def give(key: str) -> None:
            page.fill("#key", key)
            page.get_by_role("button", name="Continue", exact=True).click()

        # Whoever closes the dialog and writes is asked again, and what they wrote is not lost.
        page.locator("#key-dialog").get_by_text("This assistant needs a key.").wait_for()
        page.keyboard.press("Escape")
        say(page, "send money")
        give("soni_wrong_key")
        page.locator("#key-dialog").get_by_text("This key is not known.").wait_for()
        give(key)
        wait_for_bubbles(page, "send money", "How much?")
        # A key opens more than this conversation.
        page.click(MENU)
        assert page.get_by_role("button", name=DEVICE).count() == 0
        page.keyboard.press("Escape")
        assert key not in page.evaluate("JSON.stringify(localStorage)")
        run_beside(keys.remove(kept.key_id))
        say(page, "31")
        page.locator("#key-dialog").get_by_text("This key is not known.").wait_for()
        run_beside(keys.add(kept))
        give(key)
        wait_for_bubbles(page, "send money", "How much?", "31", "Send 31?")
        page.close()


def test_the_page_around_the_widget_gives_it_another_token(visit: Visit, serve: Serve) -> None:
    server = serve(SIGNED)

    def sign(seconds: float) -> str:
        claims = {"sub": "ann", "exp": int(time.time() + seconds)}
        return jwt.encode(claims, SECRET, "HS256")

    visitor = visit(locale="en-GB")
    visitor.expected = ("401",)
    page = open_shop(visitor, server, f"data-token='{sign(-60)}'")
    page.get_by_role("button", name="Open chat").click()
    chat: Any = page.frame_locator("soni-chat iframe")
    expect(chat.get_by_role("heading", name="Corner shop")).to_be_visible()
    chat.locator("#text").fill("send money")
    chat.locator("#text").press("Enter")
    expect(chat.locator("#notice")).to_contain_text("You are signed out.")
    expect(chat.locator("#messages .bubble")).to_have_text(["send money"])
    page.evaluate(
        "token => addEventListener('soni-token', () => SoniChat.setToken(token))", sign(60)
    )
    chat.locator("#text").fill("32")
    chat.locator("#text").press("Enter")
    expect(chat.locator("#messages").get_by_text("Send 32?")).to_be_visible()
    expect(chat.locator("#notice")).to_be_hidden()


def test_a_link_takes_nobody_out_of_their_conversation_unasked(
    visit: Visit, serve: Serve, page: Page
) -> None:
    say(page, "send money")
    wait_for_bubbles(page, "send money", "How much?")
    link = make_link(page)
    visitor = visit(locale="en-GB")
    other = visitor.open(serve().url)
    say(other, "sizes")
    wait_for_bubbles(other, "sizes", "Which size?")
    own = [read_kept(other, name) for name in ("id", "token")]
    answers = {"Keep mine": ["sizes", "Which size?"], "Open it": ["send money", "How much?"]}
    for answer, bubbles in answers.items():
        other = visitor.open(link)
        dialog = other.get_by_role("dialog", name="Open the conversation of this link?")
        dialog.get_by_role("button", name=answer).click()
        wait_for_bubbles(other, *bubbles)
        assert "token" not in other.url
        assert ([read_kept(other, name) for name in ("id", "token")] == own) is (
            answer == "Keep mine"
        )
    expect(other.locator("#notice")).to_contain_text("Whoever has the link can read it.")


@pytest.mark.parametrize("given", ["token=anon_else", "conversation=c_1&token=soni_1_key"])
def test_no_address_takes_a_visitors_token_away(given: str, visit: Visit, serve: Serve) -> None:
    visitor = visit(locale="en-GB")
    page = visitor.open(serve().url)
    say(page, "sizes")
    wait_for_bubbles(page, "sizes", "Which size?")
    token = read_kept(page, "token")
    page = visitor.open(f"{serve().url}#{given}")
    wait_for_bubbles(page, "sizes", "Which size?")
    assert read_kept(page, "token") == token
    assert "token" not in page.url


def test_each_conversation_of_somebody_unknown_has_a_token_of_its_own(page: Page) -> None:
    say(page, "sizes")
    wait_for_bubbles(page, "sizes", "Which size?")
    token = read_kept(page, "token")
    page.click(MENU)
    page.get_by_role("button", name="New conversation").click()
    say(page, "send money")
    wait_for_bubbles(page, "send money", "How much?")
    assert read_kept(page, "token") not in (None, token)


@pytest.mark.parametrize(("kept", "status"), [("x" * 300, "422"), ("c_nobody", "404")])
def test_a_conversation_that_cannot_be_had_keeps_nobody_from_talking(
    kept: str, status: str, visit: Visit, serve: Serve
) -> None:
    visitor = visit(locale="en-GB")
    visitor.expected = (status,)
    page = visitor.open(serve().url)
    say(page, "sizes")
    wait_for_bubbles(page, "sizes", "Which size?")
    page.evaluate("id => localStorage.setItem('soni:/:chat:id', JSON.stringify(id))", kept)
    find = hold_requests(page, "**/messages?*")
    page.reload()
    # What is said while the page looks for it is shown, and goes to the next one.
    say(page, "send money")
    expect(page.locator("#messages .bubble")).to_have_text(["send money"])
    find().continue_()
    wait_for_bubbles(page, "send money", "How much?")


def test_a_page_without_a_line_tries_less_and_less_often(visit: Visit, serve: Serve) -> None:
    visitor = visit(locale="en-GB")
    visitor.expected = (LOST,)
    hurry(visitor)
    page = visitor.open(serve().url)
    page.route("**/api/**", lambda route: route.abort("connectionreset"))
    say(page, "send money")
    page.wait_for_function("() => waits.length >= 9")
    waits = page.evaluate("waits")[:9]
    for failures, wait in enumerate(waits):
        most = min(500 * 2**failures, 30_000)
        assert most / 2 <= wait <= most
    assert len(set(waits)) == len(waits)  # Not all pages come back at the same time.
    page.unroute("**/api/**")
    wait_for_bubbles(page, "send money", "How much?")


def test_a_wait_that_is_over_leaves_nothing_behind(page: Page) -> None:
    found = page.evaluate(
        """async () => {
          const { Patience } = await import("./web/patience.js");
          const patience = new Patience();
          const stop = new AbortController();
          for (let n = 0; n < 50; n += 1) {
            const over = patience.wait({ retryAfter: 0 }, 20, stop.signal);
            patience.wake();
            await over;
          }
          let ended = 0;
          const clear = window.clearTimeout;
          window.clearTimeout = (timer) => { ended += 1; clear(timer); };
          const two = [1, 2].map(() => patience.wait({ retryAfter: 9 }, 0, stop.signal));
          stop.abort();
          await Promise.all(two);
          patience.wake();
          return ended;
        }"""
    )
    assert found == 2


def test_pieces_of_an_answer_that_is_there_already_do_not_move_it(page: Page, serve: Serve) -> None:
    say(page, "card")
    wait_for_bubbles(page, "card", "This is it.")
    find = hold_requests(page, "**/messages")
    say(page, "sizes")
    request = find()
    turn = json.loads(request.fetch().text().split("event: turn\ndata: ")[1].split("\n")[0])
    talk_elsewhere(serve(), page, "m", "picture")
    bubbles = ["card", "This is it.", "sizes", "Which size?", "m", "Size m it is."]
    wait_for_bubbles(page, *bubbles, "picture", "Look.")
    pieces = [("piece", {"text": text}) for text in ("Which ", "size?")]
    body = stream(*pieces, ("message", {"text": "Which size?"}), ("turn", turn))
    request.fulfill(body=body, content_type="text/event-stream")
    expect(page.locator("#typing")).to_be_hidden()
    wait_for_bubbles(page, *bubbles, "picture", "Look.")


def test_a_message_that_was_read_with_another_one_is_not_answered_twice(page: Page) -> None:
    say(page, "card")
    wait_for_bubbles(page, "card", "This is it.")
    joined = {
        "conversation_id": read_kept(page, "id"), "turn": 1, "message_id": "m-other",
        "replies": [{"text": "This is it."}], "waiting": None, "state": "idle", "repeated": True,
    }  # fmt: skip
    body = stream(("message", {"text": "This is it."}), ("turn", joined))
    page.route(
        "**/messages", lambda route: route.fulfill(body=body, content_type="text/event-stream")
    )
    say(page, "and this")
    expect(page.locator("#messages .bubble")).to_have_text(["card", "This is it."])
    expect(page.locator("#typing")).to_be_hidden()
    expect(page.locator("#messages .bubble")).to_have_text(["card", "This is it."])


def test_copied_is_told_only_if_it_was(visit: Visit, serve: Serve) -> None:
    visitor = visit(locale="en-GB", permissions=["clipboard-write"])
    refuse = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
    for script, word in (("", "Copied"), (refuse, "Copy it by hand")):
        visitor.context.add_init_script(script)
        page = visitor.open(serve().url)
        if not page.evaluate("localStorage.length"):
            say(page, "sizes")
        wait_for_bubbles(page, "sizes", "Which size?")
        page.click(MENU)
        page.get_by_role("button", name=DEVICE).click()
        page.get_by_role("button", name="Copy").click()
        expect(page.locator("#copy")).to_have_text(word)
        page.close()
