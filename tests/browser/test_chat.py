"""The chat page, as somebody uses it."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.chatting import LOST, Serve, Visit, read_bubbles, say, see, wait_for_bubbles


@pytest.fixture
def page(visit: Visit, serve: Serve) -> Page:
    """The chat of somebody who was never here."""
    opened: Page = visit(locale="en-GB").open(serve().url)
    return opened


def test_a_conversation_to_its_end_with_real_buttons_for_consent(page: Page) -> None:
    expect(page).to_have_title("Corner shop")
    expect(page.get_by_role("heading", name="What can I do for you?")).to_be_visible()
    page.get_by_role("button", name="send money").click()
    see(page, "How much?")
    say(page, "50")
    expect(page.get_by_role("button", name="No")).to_be_visible()
    page.get_by_role("button", name="Yes").click()
    wait_for_bubbles(page, "send money", "How much?", "50", "Send 50?", "Yes", "Sent 50.")
    assert page.get_by_role("button", name="Yes").count() == 0


def test_a_no_by_its_button_does_not_send(page: Page, serve: Serve) -> None:
    sent = serve().get_global("SENT")
    before = list(sent)
    say(page, "send money")
    say(page, "70")
    page.get_by_role("button", name="No").click()
    expect(page.locator("#messages .bubble")).to_have_count(6)
    assert sent == before
    assert page.get_by_role("button", name="Yes").count() == 0


def test_quick_replies_lists_cards_carousels_and_pictures_are_shown_and_can_be_picked(
    page: Page,
) -> None:
    say(page, "what is my balance")
    page.get_by_role("button", name="savings").click()
    see(page, "There is 100 in savings.")
    say(page, "sizes")
    page.get_by_role("button", name="xl", exact=True).click()
    see(page, "Size xl it is.")
    assert page.get_by_role("button", name="xs", exact=True).is_disabled()
    say(page, "carousel")
    page.get_by_role("button", name="Choose: Savings").click()
    see(page, "You took savings.")
    say(page, "picture")
    expect(page.get_by_role("img", name="A green square")).to_be_visible()
    say(page, "card")
    expect(page.get_by_role("img", name="A green coat")).to_be_visible()
    link = page.get_by_role("link", name="https://example.org/coat")
    assert link.get_attribute("href") == "https://example.org/coat"
    assert "noopener" in str(link.get_attribute("rel"))
    page.get_by_role("button", name="Take it").click()
    see(page, "How much?")


def test_the_first_words_are_shown_before_the_turn_ends(page: Page, serve: Serve) -> None:
    gate = serve().get_global("GATE")
    gate.clear()
    say(page, "wait for me")
    see(page, "One moment.")
    assert "Done." not in read_bubbles(page)
    gate.set()
    wait_for_bubbles(page, "wait for me", "One moment.", "Done.")


def test_somebody_sees_that_an_answer_is_being_made(page: Page, serve: Serve) -> None:
    page.route("**/messages", lambda route: None)  # No answer comes at all.
    say(page, "hello")
    expect(page.locator("#typing")).to_be_visible()


def test_a_reload_in_the_middle_of_a_turn_loses_and_doubles_nothing(
    page: Page, serve: Serve
) -> None:
    gate = serve().get_global("GATE")
    gate.clear()
    say(page, "wait for me")
    see(page, "One moment.")
    page.reload()
    gate.set()
    wait_for_bubbles(page, "wait for me", "One moment.", "Done.")
    say(page, "send money")
    wait_for_bubbles(page, "wait for me", "One moment.", "Done.", "send money", "How much?")


def test_the_buttons_of_an_open_question_survive_a_reload(page: Page) -> None:
    say(page, "send money")
    see(page, "How much?")
    say(page, "20")
    expect(page.get_by_role("button", name="Yes")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Yes").click()
    wait_for_bubbles(page, "send money", "How much?", "20", "Send 20?", "Yes", "Sent 20.")


def test_what_was_written_without_a_line_is_sent_once_the_line_is_back(
    visit: Visit, serve: Serve
) -> None:
    visitor = visit(locale="en-GB")
    visitor.expected = (LOST,)
    page = visitor.open(serve().url)
    say(page, "send money")
    wait_for_bubbles(page, "send money", "How much?")
    visitor.context.set_offline(True)
    say(page, "30")
    see(page, "Not sent yet.")
    see(page, "No connection.")
    visitor.context.set_offline(False)
    wait_for_bubbles(page, "send money", "How much?", "30", "Send 30?")
    see(page, "Online")


def test_an_answer_that_was_lost_on_its_way_is_fetched_by_the_messages_own_id(
    visit: Visit, serve: Serve
) -> None:
    visitor = visit(locale="en-GB")
    visitor.expected = (LOST,)
    page = visitor.open(serve().url)
    ids: list[Any] = []

    def lose_first(route: Any) -> None:
        ids.append(route.request.post_data_json["message_id"])
        if len(ids) == 1:
            route.fetch()  # The server handles it, and nobody hears of it.
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/messages", lose_first)
    page.route("**/events", lambda route: route.abort("connectionreset"))
    say(page, "send money")
    wait_for_bubbles(page, "send money", "How much?")
    assert len(ids) == 2
    assert len(set(ids)) == 1


def test_what_was_not_sent_survives_a_reload(visit: Visit, serve: Serve) -> None:
    visitor = visit(locale="en-GB")
    visitor.expected = (LOST,)
    page = visitor.open(serve().url)
    page.route("**/api/**", lambda route: route.abort("connectionreset"))
    say(page, "send money")
    see(page, "Not sent yet.")
    page.unroute("**/api/**")
    page.reload()
    wait_for_bubbles(page, "send money", "How much?")


def test_a_second_device_goes_on_with_the_same_conversation(
    visit: Visit, serve: Serve, page: Page
) -> None:
    say(page, "send money")
    wait_for_bubbles(page, "send money", "How much?")
    page.click("#menu-button")
    page.get_by_role("button", name="Continue on another device").click()
    link = page.input_value("#device-link")
    page.get_by_role("button", name="Close").click()
    other: Page = visit(locale="en-GB").open(link)
    wait_for_bubbles(other, "send money", "How much?")
    assert "token" not in other.url
    say(other, "40")
    for each in (page, other):
        wait_for_bubbles(each, "send money", "How much?", "40", "Send 40?")
    page.get_by_role("button", name="Yes").click()
    for each in (page, other):
        wait_for_bubbles(each, "send money", "How much?", "40", "Send 40?", "Yes", "Sent 40.")
        expect(each.get_by_role("button", name="Yes")).to_have_count(0)


def test_a_new_conversation_begins_anew_and_stays_so(page: Page) -> None:
    say(page, "send money")
    wait_for_bubbles(page, "send money", "How much?")
    page.click("#menu-button")
    page.get_by_role("button", name="New conversation").click()
    expect(page.get_by_role("heading", name="What can I do for you?")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="What can I do for you?")).to_be_visible()
    say(page, "sizes")
    wait_for_bubbles(page, "sizes", "Which size?")


def test_the_language_is_switched_for_page_and_assistant(page: Page) -> None:
    page.select_option("#language", "es")
    expect(page.get_by_role("heading", name="¿Qué puedo hacer por ti?")).to_be_visible()
    expect(page.get_by_placeholder("Escribe un mensaje…")).to_be_visible()
    page.get_by_role("button", name="enviar dinero").click()
    wait_for_bubbles(page, "enviar dinero", "¿Cuánto?")
    say(page, "15")
    page.get_by_role("button", name="Sí").click()
    see(page, "Enviado: 15.")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "es")


def test_a_spanish_browser_is_greeted_in_spanish(visit: Visit, serve: Serve) -> None:
    page = visit(locale="es-MX").open(serve().url)
    expect(page).to_have_title("La tienda")


def test_a_person_of_the_desk_is_seen_to_answer(page: Page, serve: Serve) -> None:
    say(page, "complain")
    say(page, "the noise")
    see(page, "Somebody looks after the noise.")
    server = serve()
    with httpx.Client(base_url=server.url, trust_env=False) as desk:
        opened = desk.post("/api/conversations").json()
        desk.headers["authorization"] = f"Bearer {opened['token']}"
        [waiting] = desk.get("/api/handoffs").json()
        talk = f"/api/conversations/{waiting['conversation_id']}/handoff"
        assert desk.post(f"{talk}/claim").is_success
        assert desk.post(f"{talk}/messages", json={"text": "Ben here."}).is_success
    message = page.locator(".message.agent", has_text="Ben here.")
    expect(message).to_be_visible()
    see(page, "A person is answering")
    # Who has no key has no name, only an id that says nothing to anybody.
    expect(message.locator(".from")).to_have_text("Team")


def test_it_is_said_whether_somebody_waits_for_a_person_has_one_or_the_assistant_is_back(
    page: Page, serve: Serve
) -> None:
    say(page, "complain")
    say(page, "the heat")
    status = page.locator("#status")
    expect(status).to_have_text("Waiting for a person")
    server = serve()
    with httpx.Client(base_url=server.url, trust_env=False) as desk:
        opened = desk.post("/api/conversations").json()
        desk.headers["authorization"] = f"Bearer {opened['token']}"
        waiting = [each for each in desk.get("/api/handoffs").json() if each["words"] == "the heat"]
        talk = f"/api/conversations/{waiting[0]['conversation_id']}/handoff"
        assert desk.post(f"{talk}/claim").is_success
        expect(status).to_have_text("A person is answering")
        assert desk.post(f"{talk}/release").is_success
    expect(status).to_have_text("The assistant is back")
    say(page, "sizes")
    expect(status).to_have_text("Online")


def test_two_clicks_are_one_press(visit: Visit, serve: Serve) -> None:
    visitor = visit(locale="en-GB")
    visitor.expected = ("409",)
    page = visitor.open(serve().url)
    page.get_by_role("button", name="send money").dblclick()
    wait_for_bubbles(page, "send money", "How much?")
    say(page, "81")
    sent: list[Any] = []
    page.on("request", lambda each: sent.append(each.url) if each.method == "POST" else None)
    page.get_by_role("button", name="Yes").dblclick()
    wait_for_bubbles(page, "send money", "How much?", "81", "Send 81?", "Yes", "Sent 81.")
    assert len(sent) == 1


def test_a_refused_press_leaves_nothing_that_could_be_sent_again(
    visit: Visit, serve: Serve
) -> None:
    visitor = visit(locale="en-GB")
    visitor.expected = ("409",)
    page = visitor.open(serve().url)
    say(page, "send money")
    say(page, "82")
    wait_for_bubbles(page, "send money", "How much?", "82", "Send 82?")
    refused = {"status": 409, "code": "not_allowed", "title": "Developers", "remedy": "only"}
    page.route("**/messages", lambda route: route.fulfill(status=409, json=refused))
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#notice")).to_have_text("That button belongs to an earlier question.")
    wait_for_bubbles(page, "send money", "How much?", "82", "Send 82?")
    page.unroute("**/messages")
    page.get_by_role("button", name="Yes").click()
    see(page, "Sent 82.")


def test_what_failed_takes_no_buttons_from_the_next_question(visit: Visit, serve: Serve) -> None:
    visitor = visit(locale="en-GB")
    visitor.expected = ("403",)
    page = visitor.open(serve().url)
    say(page, "send money")
    see(page, "How much?")
    refused = {"status": 403, "code": "forbidden", "title": "Developers", "remedy": "only"}
    page.route("**/messages", lambda route: route.fulfill(status=403, json=refused))
    say(page, "hello")
    see(page, "Not delivered.")
    expect(page.locator("#notice")).to_have_text("That is not possible with your access.")
    page.unroute("**/messages")
    say(page, "83")
    page.get_by_role("button", name="Yes").click()
    see(page, "Sent 83.")


def test_one_of_several_things_is_picked_from_a_list_where_the_flow_has_no_ui(page: Page) -> None:
    say(page, "parcel")
    expect(page.locator("#messages .bubble").last).to_have_text("Which parcel?")
    page.get_by_role("button", name="large box").click()
    wait_for_bubbles(page, "parcel", "Which parcel?", "large box", "You took large box.")
    expect(page.locator(".options.list .picked")).to_have_text("2large box")
    page.reload()
    see(page, "You took large box.")


def test_what_is_too_long_is_said_before_it_is_sent_and_stays(page: Page) -> None:
    expect(page.get_by_role("button", name="send money")).to_be_visible()
    page.fill("#text", "y" * 4001)
    page.press("#text", "Enter")
    expect(page.locator("#too-long")).to_have_text(
        "That is too long: 4,001 characters. At most 4,000 can be sent."
    )
    assert page.locator("#messages .bubble").count() == 0
    assert len(page.input_value("#text")) == 4001
    page.fill("#text", "sizes")
    expect(page.locator("#too-long")).to_be_hidden()


def test_time_is_written_as_in_the_readers_country(visit: Visit, serve: Serve) -> None:
    for locale, pattern in (("en-GB", r"\d\d:\d\d"), ("en-US", r"\d{1,2}:\d\d\s[AP]M")):
        page = visit(locale=locale).open(serve().url)
        say(page, "sizes")
        expect(page.locator("#messages .when").first).to_have_text(re.compile(f"^{pattern}$"))
