"""The inspector, as an author uses it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from soni import RuntimeLoop, SoniConfig
from soni.audit.source import add_default_store
from soni.du.context import NLUOutput
from soni.server import ServerOptions
from tests.browser.conftest import EVERYBODY, Visitor, find_barriers
from tests.program import soni
from tests.server.serving import ACTIONS, SHOP, Running, serving_beside
from tests.server.test_inspector import InspectedNLU

TALK = ("send money", "50", "what is my balance", "savings", "make it 60", "Bob")


WAVES = "\N{WAVING HAND SIGN}" * 2


class WavingNLU(InspectedNLU):
    """Understands what follows a greeting."""

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        return await super().understand(user_message.removeprefix(f"{WAVES} "), history, context)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "actions.py").write_text(ACTIONS)
    (folder / "soni.yaml").write_text(SHOP)
    return folder


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Running]:
    """An assistant in a folder, as `soni serve --inspect` serves it."""
    options = ServerOptions(anonymous_roles=EVERYBODY, is_local=True, is_development=True)
    runtime = RuntimeLoop(add_default_store(SoniConfig.load(home)), nlu=WavingNLU())
    with serving_beside(home, options=options, runtime=runtime) as (running, _):
        yield running


def talk(page: Any, *texts: str, after: int = 0) -> None:
    """Say something, and wait for what came of it to be shown."""
    for number, text in enumerate(texts, after + 1):
        page.fill("#text", text)
        page.keyboard.press("Enter")
        page.locator("#place", has_text=f"Turn {number} of {number}").wait_for()


@pytest.fixture
def visitor(visit: Callable[..., Visitor], server: Running) -> Visitor:
    """An author whose browser has an interrupted and corrected transfer."""
    with httpx.Client(base_url=f"{server.url}/api", trust_env=False) as client:
        opened = client.post("/conversations").json()
        client.headers["authorization"] = f"Bearer {opened['token']}"
        for text in TALK:
            client.post(
                f"/conversations/{opened['id']}/messages", json={"text": text}
            ).raise_for_status()
    come = visit(viewport={"width": 1440, "height": 900})
    kept = {f"soni:/:chat:{name}": json.dumps(opened[name]) for name in ("id", "token")}
    come.context.add_init_script(
        f"for (const [key, value] of Object.entries({json.dumps(kept)}))"
        " if (!localStorage.getItem(key)) localStorage.setItem(key, value);"
    )
    return come


@pytest.fixture
def page(visitor: Visitor, server: Running) -> Any:
    """The inspector at the end of that conversation."""
    opened = visitor.open(f"{server.url}/inspect")
    opened.locator("#place", has_text="Turn 6 of 6").wait_for()
    opened.locator(".graph .current").wait_for()
    return opened


def list_stack(page: Any) -> list[str]:
    return [re.sub(r"\s+", " ", each) for each in page.locator(".stacked li").all_inner_texts()]


def find_current(page: Any) -> str:
    return str(page.locator(".graph .current").get_attribute("data-step"))


def test_the_graph_stands_on_the_right_step_after_an_interruption_and_a_correction(
    page: Any,
) -> None:
    assert list_stack(page) == ["transfer sure active"]
    assert find_current(page) == "sure"
    assert page.locator("#coverage").inner_text() == "3 of 5 steps covered"
    covered = page.locator(".graph .covered[data-step]").evaluate_all(
        "each => each.map(box => box.dataset.step)"
    )
    assert covered == ["collect_amount", "collect_recipient", "sure"]
    assert page.locator(".graph .line.now").count() == 1
    row = page.locator(".slots tr", has_text="amount")
    assert re.sub(r"\s+", " ", row.inner_text()) == "amount 60 “60” corrected turn 5"
    assert find_barriers(page) == []


def test_a_slot_marks_the_words_that_it_comes_from(page: Any) -> None:
    row = page.locator(".slots").get_by_role("button", name="amount")
    row.click()
    mark = page.locator("#messages mark")
    assert mark.inner_text() == "60"
    assert mark.locator("xpath=ancestor::li").inner_text().endswith("make it 60")
    assert row.get_attribute("aria-pressed") == "true"
    assert "“60” in turn 5" in page.locator("#status").inner_text()
    assert find_barriers(page) == []
    row.click()
    assert mark.count() == 0


def test_words_after_an_emoji_are_marked_where_they_are(page: Any) -> None:
    page.get_by_role("button", name="New", exact=True).click()
    page.locator("#place", has_text="No turns yet").wait_for()
    talk(page, "send money", "50", "Bob", f"{WAVES} make it 60")
    quote = page.locator(".quote mark")
    assert re.sub(r"\s+", " ", quote.inner_text()) == "60 amount"
    page.locator(".slots").get_by_role("button", name="amount").click()
    assert page.locator("#messages mark").inner_text() == "60"


def test_an_answer_that_is_being_written_is_not_asked_for_piece_by_piece(page: Any) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    pieces = "".join(f'event: piece\ndata: {{"text": "{number} "}}\n\n' for number in range(200))
    page.route(
        "**/messages",
        lambda route: route.fulfill(
            body=f'{pieces}event: error\ndata: {{"code": "not_allowed", "status": 409}}\n\n',
            content_type="text/event-stream",
        ),
    )
    page.fill("#text", "tell me a story")
    page.keyboard.press("Enter")
    page.locator("#messages", has_text="Not sent").wait_for()
    page.locator("#status", has_text="not_allowed").wait_for()
    page.get_by_role("button", name="Save as test").click()
    page.get_by_role("dialog").wait_for()
    assert sum("/inspection" in url for url in asked) <= 5  # of 200 pieces


def test_an_odd_address_and_blocked_storage_leave_the_page_alive(
    visit: Callable[..., Visitor], server: Running
) -> None:
    visitor = visit()
    visitor.context.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, {get() { throw new Error('blocked'); }});"
    )
    page = visitor.open(f"{server.url}/inspect#%")
    talk(page, "send money")
    assert find_current(page) == "collect_amount"


def test_a_turn_that_is_not_known_leads_nowhere(page: Any, server: Running) -> None:
    page.get_by_role("button", name="Turn before").click()
    page.locator("#place", has_text="Turn 5 of 6").wait_for()
    # It is said, and its turn has not been loaded yet.
    page.route("**/inspection?*", lambda route: None)
    page.fill("#text", "make it 70")
    page.keyboard.press("Enter")
    page.locator("#messages").get_by_text("Send 70 to Bob?").wait_for()
    page.get_by_role("button", name="Turn before").click()
    page.locator("#place", has_text="Turn 5 of 6").wait_for()
    page.locator("#messages li[data-key]", has_text="Send 70").locator(".bubble").click()
    assert page.locator("#place").inner_text() == "Turn 5 of 6"


def test_a_conversation_that_was_removed_is_followed_by_a_new_one(
    page: Any, visitor: Visitor, server: Running
) -> None:
    visitor.expected = ("404",)
    page.evaluate("localStorage.setItem('soni:/:chat:id', JSON.stringify('c_nobody'))")
    page.reload()
    page.locator("#status", has_text="not there any more").wait_for()
    talk(page, "send money")
    assert find_current(page) == "collect_amount"


def test_the_slider_goes_to_past_turns_by_mouse_and_by_keys(page: Any) -> None:
    page.locator("#slider").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.locator("#place", has_text="Turn 3 of 6").wait_for()
    assert page.locator("#slider").get_attribute("aria-valuetext") == (
        "Turn 3 of 6: what is my balance"
    )
    assert list_stack(page) == [
        "balance collect_account active",
        "transfer collect_recipient paused",
    ]
    page.locator(".graph .current[data-step=collect_account]").wait_for()
    assert page.locator(".slots tr", has_text="amount").locator(".value").inner_text() == "50"
    assert page.locator("#messages .later", has_text="make it 60").count() == 1
    # A paused task is a click away.
    page.locator(".stacked").get_by_role("button", name="transfer").click()
    page.locator(".graph .current[data-step=collect_recipient]").wait_for()
    page.get_by_role("button", name="Newest turn").click()
    assert find_current(page) == "sure"
    page.locator("h1").click()
    page.keyboard.press("Home")
    page.locator("#place", has_text="Turn 1 of 6").wait_for()
    page.get_by_role("button", name="Play forward").click()
    page.locator("#place", has_text="Turn 2 of 6").wait_for()
    assert find_barriers(page) == []


def test_a_command_tells_its_decision_and_reason(page: Any, visitor: Visitor) -> None:
    visitor.expected = ("422",)
    page.get_by_role("button", name="Command", exact=True).click()
    page.fill("#text", "Begin")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("No such command; there are").wait_for()
    assert page.locator("#status").inner_text() == ""
    talk(page, "SetSlot pin 1234", after=6)
    item = page.locator("section[aria-label=Commands] details")
    assert "rejected" in item.locator("summary").inner_text()
    item.locator("summary").click()
    assert "Because: no open flow has slot 'pin'" in item.inner_text()
    assert "typed by hand" in page.locator(".part.head").inner_text()
    assert "1234" not in page.locator("body").inner_text()
    assert find_barriers(page) == []


def test_a_fork_goes_on_from_a_past_turn_and_nothing_is_done_twice(
    page: Any, server: Running
) -> None:
    talk(page, "yes", after=6)
    page.get_by_role("button", name="Turn before").click()
    page.get_by_role("button", name="Fork here").click()
    page.locator("#status", has_text="Forked from turn 6. Nothing was done again.").wait_for()
    assert server.get_global("SENT") == [(60, "Bob")]
    assert find_current(page) == "sure"
    talk(page, "make it 70", "yes", after=6)
    assert server.get_global("SENT") == [(60, "Bob"), (70, "Bob")]
    call = page.locator("section[aria-label=Actions] details")
    call.locator("summary").click()
    assert re.search(r"amount\s+70\s+recipient\s+Bob", call.inner_text())
    assert "Ran once under this key." in call.inner_text()


def test_a_conversation_is_saved_as_a_test_that_passes(page: Any, home: Path) -> None:
    page.get_by_role("button", name="Save as test").click()
    dialog = page.get_by_role("dialog")
    assert dialog.locator(".badge").inner_text() == "passes"
    assert find_barriers(page) == []
    with page.expect_download() as download:
        dialog.get_by_role("link", name="Download").click()
    dialog.get_by_role("button", name="Save to tests/").click()
    saved = dialog.get_by_role("status").filter(has_text="Saved as")
    file = home / saved.inner_text().removeprefix("Saved as ")
    assert file.read_text() == Path(download.value.path()).read_text()
    ended = soni("test", home)
    assert ended.returncode == 0, ended.stdout


def test_a_flow_is_edited_checked_loaded_and_the_conversation_replayed(
    page: Any, home: Path
) -> None:
    page.get_by_role("tab", name="Source").click()
    text = page.get_by_role("textbox", name="Text of soni.yaml")
    problems = page.get_by_role("list", name="Problems")
    before = text.input_value()
    text.fill(before.replace("- collect: recipient", "- colect: recipient"))
    line = 1 + before[: before.index("- collect: recipient")].count("\n")
    problems.get_by_role("button", name=f"soni.yaml:{line}").wait_for()
    assert page.locator(".gutter .bad").inner_text() == f"{line}"
    assert "did you mean 'collect'" in problems.inner_text()
    save = page.get_by_role("button", name="Save and replay")
    assert save.is_disabled()
    assert find_barriers(page) == []
    text.fill(before.replace("Send {amount}", "Really send {amount}"))
    page.locator("#view-source [role=status]", has_text="Changed, no problems").wait_for()
    save.click()
    verdict = page.locator(".verdict", has_text="1 of 6 turns is different")
    verdict.wait_for()
    assert page.locator(".difference ins").inner_text() == "Really send 60 to Bob?"
    assert "Really send {amount}" in (home / "soni.yaml").read_text()
    assert find_barriers(page) == []
    (home / "soni.yaml").write_text(before)


def test_what_was_changed_in_a_file_stays_while_another_is_looked_at(page: Any) -> None:
    server_files = json.dumps(["soni.yaml", "more.yaml"])
    text = "flows:\n  extra:\n    steps:\n      - say: More.\n"
    more = json.dumps({"file": "more.yaml", "text": text, "digest": "0" * 64})
    page.route("**/api/sources", lambda route: route.fulfill(body=server_files))
    found = json.dumps({"ok": True, "problems": []})
    page.route("**/api/sources/check", lambda route: route.fulfill(body=found))
    page.route("**/api/sources/file?file=more.yaml", lambda route: route.fulfill(body=more))
    page.reload()
    page.locator("#place", has_text="Turn 6 of 6").wait_for()
    page.get_by_role("tab", name="Source").click()
    editor = page.get_by_role("textbox", name="Text of soni.yaml")
    changed = editor.input_value().replace("Send {amount}", "Really send {amount}")
    editor.fill(changed)
    page.get_by_label("File", exact=True).select_option("more.yaml")
    page.get_by_role("textbox", name="Text of more.yaml").wait_for()
    assert page.get_by_label("File", exact=True).locator("option").all_inner_texts() == [
        "soni.yaml (changed)", "more.yaml",
    ]  # fmt: skip
    page.get_by_role("tab", name="Graph").click()
    page.get_by_role("tab", name="Source").click()  # It opens the file of the flow.
    assert editor.input_value() == changed
    page.get_by_role("button", name="Revert").click()
    expect(editor).not_to_have_value(changed)
    assert page.locator("option", has_text="(changed)").count() == 0


def test_a_secret_stays_masked(page: Any) -> None:
    page.get_by_role("button", name="New", exact=True).click()
    page.locator("#place", has_text="No turns yet").wait_for()
    talk(page, "unlock", "4711")
    row = page.locator(".slots tr", has_text="pin")
    assert "••••" in row.inner_text()
    page.locator("#messages", has_text="••••").wait_for()
    assert "4711" not in page.locator("body").inner_text()


def test_a_confirmation_has_buttons_and_they_stay_above_the_edge(page: Any) -> None:
    yes = page.get_by_role("button", name="Yes")
    yes.wait_for()
    page.get_by_role("button", name="Fork here").click()
    page.locator("#status", has_text="Forked from turn 6.").wait_for()
    expect(yes).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Close this line").click()
    assert page.locator("#status").inner_text() == ""
    yes.dblclick()
    page.locator("#place", has_text="Turn 7 of 7").wait_for()
    assert page.locator("#messages .failed").count() == 0


def test_a_phone_begins_with_the_chat_and_what_can_be_said(
    visit: Callable[..., Visitor], server: Running
) -> None:
    page = visit(viewport={"width": 390, "height": 844}).open(f"{server.url}/inspect")
    expect(page.locator("#text")).to_be_visible()
    talk(page, "send money")
    expect(page.locator("#messages")).to_contain_text("How much?")
    page.get_by_role("button", name="Turn", exact=True).click()
    assert "Stack 1" in " ".join(page.locator("#turn").inner_text().split())
    assert "1 steps" not in page.locator("#turn").inner_text()


def test_a_test_is_saved_under_the_name_it_is_given(page: Any, home: Path) -> None:
    page.get_by_role("button", name="Save as test").click()
    page.get_by_label("Name").fill("A transfer is corrected: 60")
    page.get_by_role("button", name="Save to tests/").click()
    page.get_by_text("Saved as tests/a-transfer-is-corrected-60.test.yaml").wait_for()
    text = (home / "tests/a-transfer-is-corrected-60.test.yaml").read_text()
    assert "A transfer is corrected: 60" in text


def test_it_fits_a_phone_in_light_and_dark(visitor: Visitor, server: Running) -> None:
    page = visitor.open(f"{server.url}/inspect")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#place", has_text="Turn 6 of 6").wait_for()
    for name, scheme in (("Chat", "light"), ("Turn", "dark"), ("Flow", "dark")):
        page.emulate_media(color_scheme=scheme)
        page.get_by_role("button", name=name, exact=True).click()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert find_barriers(page) == []
    assert find_current(page) == "sure"


def test_where_a_key_is_needed_it_is_asked_for(visit: Callable[..., Visitor]) -> None:
    with serving_beside(SHOP, options=ServerOptions()) as (running, key):
        visitor = visit()
        visitor.expected = ("401",)
        page = visitor.open(f"{running.url}/inspect")
        page.get_by_label("Key of the role author").fill(key)
        page.get_by_role("button", name="Open").click()
        talk(page, "send money")
        assert find_current(page) == "collect_amount"
        # Where it is no development nothing can be changed.
        assert page.get_by_role("tab", name="Source").count() == 0
        assert page.get_by_role("button", name="Command", exact=True).count() == 0
        assert key not in str(page.evaluate("JSON.stringify(localStorage)"))
        page.close()
