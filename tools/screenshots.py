"""Pictures of the pages for the documents, made anew from the examples.

    python -m tools.screenshots            # all of them, into docs/images
    python -m tools.screenshots chat       # those whose name begins so

Each view is a function that leads a page to what is to be seen. It is taken in light and dark, on a
desktop and on a phone.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from socket import create_server
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
IMAGES: Final = ROOT / "docs/images"
SCREENS: Final[dict[str, dict[str, Any]]] = {
    "desktop": {"viewport": {"width": 1100, "height": 760}},
    "phone": {"viewport": {"width": 375, "height": 720}, "has_touch": True, "is_mobile": True},
}
FLAGS: Final = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ON_A_PAGE: Final = """
<!doctype html><html lang=en><meta name=viewport content="width=device-width, initial-scale=1">
<title>Harbour Bank</title><style>
  body { font: 17px/1.6 system-ui; margin: 0; color: #1d2533; background: #fbfaf7 }
  @media (prefers-color-scheme: dark) { body { color: #e8eaee; background: #14171c } }
  header { padding: 20px 6vw; font-weight: 700 } main { padding: 4vw 6vw; max-width: 34em }
  h1 { font-size: clamp(30px, 5vw, 48px); line-height: 1.1 }
</style><header>Harbour Bank</header><main><h1>Money that keeps up with you.</h1>
<p>Send it, save it and see where it went, in one place. Ask the assistant in the corner.</p></main>
"""

View = Callable[[Any, str], None]


def say(page: Any, *texts: str) -> None:
    """Say one thing after the other, each once the one before is answered."""
    for text in texts:
        before = page.locator(".message:not(.user) .bubble").count()
        page.fill("#text", text)
        page.press("#text", "Enter")
        page.wait_for_function(
            "n => document.querySelectorAll('#messages .message:not(.user):not(.draft)').length > n"
            " && document.querySelector('#typing').hidden",
            arg=before - page.locator("#typing .bubble").count(),
        )


def show_welcome(page: Any, url: str) -> None:
    """The bank before anything was said."""
    page.goto(url)
    page.get_by_role("button", name="Send money").wait_for()


def show_consent(page: Any, url: str) -> None:
    """A transfer that waits for a yes."""
    show_welcome(page, url)
    say(page, "I want to make a transfer", "Bob", "50", "checking")
    page.locator(".options.consent button").first.wait_for()


def show_menu(page: Any, url: str) -> None:
    """What there is to choose from, as a list."""
    show_welcome(page, url)
    say(page, "menu")


def show_spanish(page: Any, url: str) -> None:
    """The same bank in Spanish."""
    page.goto(url)
    page.select_option("#language", "es")
    say(page, "quiero ver el menú")


def show_widget(page: Any, url: str) -> None:
    """The widget on a page of the bank's."""
    html = ON_A_PAGE + f"<script src='{url}/widget.js' data-title='Ask us' data-open></script>"
    page.route(f"{url}/elsewhere", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto(f"{url}/elsewhere")
    page.frame_locator("soni-chat iframe").get_by_role("button", name="Send money").wait_for()


def show_inspector(page: Any, url: str) -> None:
    """An interrupted and corrected transfer, and the words that its amount comes from."""
    is_phone = page.viewport_size["width"] < 800
    if not is_phone:
        page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{url}/inspect")
    if is_phone:
        page.get_by_role("button", name="Chat").click()
    said = ("send 50 euros to Bob", "what is my balance?", "savings", "make it 60", "from checking")
    for turn, text in enumerate(said, 1):
        page.fill("#text", text)
        page.press("#text", "Enter")
        page.locator("#place", has_text=f"Turn {turn} of {turn}").wait_for()
    if is_phone:
        page.get_by_role("button", name="Turn", exact=True).click()
    else:
        page.locator(".slots").get_by_role("button", name="amount").click()
        page.locator(".graph .current").wait_for()


def show_past(page: Any, url: str) -> None:
    """A task that is paused while another one asks, some turns ago."""
    show_inspector(page, url)
    for _ in range(3):
        page.get_by_role("button", name="Turn before").click()
    if page.viewport_size["width"] < 800:
        page.get_by_role("button", name="Flow", exact=True).click()
    page.locator(".graph .current").wait_for()


def show_edit(page: Any, url: str) -> None:
    """A mistake in a flow, at its line."""
    show_inspector(page, url)
    if page.viewport_size["width"] < 800:
        page.get_by_role("button", name="Flow", exact=True).click()
    page.get_by_role("tab", name="Source").click()
    text = page.get_by_role("textbox", name="Text of transfers.yaml")
    text.fill(text.input_value().replace("- collect: recipient", "- colect: recipient", 1))
    page.get_by_role("button", name="transfers.yaml:").first.click()


class Customer:
    """Somebody who writes to the bank from elsewhere."""

    def __init__(self, url: str, *said: str) -> None:
        self._url, self._token = f"{url}/api/conversations", ""
        opened = self._post("", {})
        self.id, self._token = opened["id"], opened["token"]
        self.say(*said)

    def say(self, *said: str) -> None:
        """One message after the other."""
        for text in said:
            self._post(f"/{self.id}/messages", {"text": text})

    def _post(self, path: str, body: dict[str, str]) -> Any:
        headers = {"content-type": "application/json", "authorization": f"Bearer {self._token}"}
        if not self._token:
            del headers["authorization"]
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{self._url}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


FOLDERS: Final[dict[str, Path]] = {}
"""Where what is served at an address lies."""


@cache
def make_day(url: str) -> tuple[str, str]:
    """A day at the bank: people who are done, some who wait. Ann's key, and whom she talks to."""
    transfer = ("send 20 euros to Bob", "checking", "yes")
    for said in (transfer, transfer, ("what is my balance?", "savings"), ("block my card", "no")):
        Customer(url, *said)
    Customer(url, "pay a bill", "Enersol", "can I talk to somebody?")
    Customer(url, "block my card", "I would rather talk to a person")
    Customer(url, "I want to talk to a person", "It is about my mortgage")
    talk = Customer(url, "send 300 euros to Bob", "checking", "I want to talk to a person")
    talk.say("Bob says that last week's money never came")
    command = [sys.executable, "-m", "soni", "keys", "add", str(FOLDERS[url])]
    made = subprocess.run(
        [*command, "--role", "agent", "--label", "Ann"], check=True, capture_output=True, text=True
    )
    key = re.search(r"soni_\S+", made.stdout)
    assert key is not None, made.stdout
    return key[0], talk.id


def show_desk(page: Any, url: str) -> None:
    """Ann talks with one of those who wait."""
    key, talk = make_day(url)
    kept = json.dumps(json.dumps(key))
    page.add_init_script(f"sessionStorage.setItem('soni:/:desk:key', {kept})")
    page.goto(f"{url}/desk")
    page.get_by_text("Ann", exact=True).wait_for()
    item = page.locator(f'#list button[data-id="{talk}"]')
    page.locator("#list li").first.wait_for()
    if not item.count():
        page.get_by_role("button", name="Mine").click()
    item.click()
    page.get_by_role("log").get_by_text("never came").wait_for()
    answer = "Hello, I am Ann. I am looking at last week's transfer, one moment."
    if not page.get_by_role("log").get_by_text(answer).count():
        page.get_by_label("Your answer").fill(answer)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Hand back").wait_for()
    if page.viewport_size["width"] > 800:
        page.get_by_role("button", name="Waiting").click()
    page.get_by_role("log").get_by_text(answer).wait_for()


def show_report(page: Any, url: str) -> None:
    """What became of the day."""
    make_day(url)
    folder = FOLDERS[url]
    file = folder.with_name("report.html")
    command = [sys.executable, "-m", "soni", "report", str(folder), "--html", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    page.goto(file.as_uri())
    if page.viewport_size["width"] < 800:
        page.locator("section").first.evaluate("each => each.scrollIntoView()")


VIEWS: Final[dict[str, tuple[str, View]]] = {
    "chat-welcome": ("examples/bank", show_welcome),
    "chat-consent": ("examples/bank", show_consent),
    "chat-menu": ("examples/bank", show_menu),
    "chat-spanish": ("examples/bank", show_spanish),
    "inspector": ("examples/bank", show_inspector),
    "inspector-past": ("examples/bank", show_past),
    "inspector-edit": ("examples/bank", show_edit),
    "widget": ("examples/bank", show_widget),
    "desk": ("examples/bank", show_desk),
    "report": ("examples/bank", show_report),
}


@contextmanager
def serve(folder: str) -> Iterator[str]:
    """An example that is served on this machine; its address."""
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, Path(folder).name)
        shutil.copytree(ROOT / folder, copy, ignore=shutil.ignore_patterns(".soni"))
        command = [
            sys.executable,
            "-m",
            "soni",
            "serve",
            str(copy),
            "--port",
            str(port),
            "--inspect",
        ]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_ready(server, url)
            FOLDERS[url] = copy
            yield url
        finally:
            server.terminate()
            server.wait(20)


def wait_until_ready(server: "subprocess.Popen[bytes]", url: str) -> None:
    """Wait until the models are loaded."""
    while server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/readyz", timeout=5):
                return
        except OSError:
            continue
    raise SystemExit("the server has ended")


def take_pictures(names: list[str]) -> None:
    """Take each view on each screen, in light and dark."""
    from playwright.sync_api import sync_playwright

    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        found = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        for folder in sorted({VIEWS[name][0] for name in names}):
            with serve(folder) as url:
                for name in (each for each in names if VIEWS[each][0] == folder):
                    for screen, colours in [(s, c) for s in SCREENS for c in ("light", "dark")]:
                        path = IMAGES / f"{name}-{screen}-{colours}.png"
                        take_picture(browser, VIEWS[name][1], url, path, screen, colours)
        browser.close()


def take_picture(browser: Any, view: View, url: str, path: Path, screen: str, colours: str) -> None:
    """One view on one screen."""
    look = {**SCREENS[screen], "color_scheme": colours, "reduced_motion": "reduce"}
    context = browser.new_context(**look, locale="en-GB")
    page = context.new_page()
    view(page, url)
    page.mouse.move(0, 0)
    page.screenshot(path=path)
    context.close()
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KB")


def main() -> None:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("begins", nargs="*", help="take only those whose name begins so")
    wanted = parser.parse_args().begins
    names = [name for name in VIEWS if not wanted or name.startswith(tuple(wanted))]
    take_pictures(names)


if __name__ == "__main__":
    main()
