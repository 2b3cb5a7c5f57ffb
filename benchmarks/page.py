"""How fast the chat page is beside a bare one, in a browser of this machine.

    python -m benchmarks.page

Both talk to the same server. Of each visit, by a browser that has nothing stored yet: how long
after a message was sent the first answer of the example bank is seen; of the chat page also its
first paint. The bare page is a field and a list, with a script that sends a message and shows the
answer. It comes from the program that drives the browser, so its paint says nothing.
"""

import json
import shutil
import statistics
from typing import Any, Final

from soni.server.routes.pages import load_web_files
from tools.screenshots import FLAGS, serve

VISITS: Final = 15
BARE: Final = """<!doctype html><title>Bare</title><h1>Bare</h1>
<input id=text><ul id=messages></ul><script>
const headers = {"content-type": "application/json"};
document.querySelector("#text").addEventListener("keydown", async (event) => {
  if (event.key !== "Enter") return;
  const opened = await (await fetch("/api/conversations", {method: "POST"})).json();
  headers.authorization = `Bearer ${opened.token}`;
  const body = JSON.stringify({text: event.target.value});
  const path = `/api/conversations/${opened.id}/messages`;
  const turn = await (await fetch(path, {method: "POST", headers, body})).json();
  for (const {text} of turn.replies) {
    const item = document.createElement("li");
    item.className = "bot";
    item.textContent = text;
    document.querySelector("#messages").append(item);
  }
});
</script>"""
WATCH: Final = """
new MutationObserver(() => {
  if (!window.seenAt && document.querySelector("#messages .bot")) window.seenAt = performance.now();
}).observe(document, {childList: true, subtree: true});
"""


def visit(browser: Any, url: str, path: str) -> tuple[float, float]:
    """Milliseconds to the first paint, and from a message to its answer."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(WATCH)
    page.route("**/bare", lambda route: route.fulfill(body=BARE, content_type="text/html"))
    page.goto(url + path)
    page.wait_for_function(
        "() => performance.getEntriesByName('first-contentful-paint').length || 1"
    )
    page.fill("#text", "What is my balance?")
    began = page.evaluate("() => performance.now()")
    page.press("#text", "Enter")
    page.wait_for_function("() => window.seenAt")
    paint = page.evaluate("() => performance.getEntriesByType('paint').at(-1)?.startTime ?? 0")
    seen = page.evaluate("() => window.seenAt")
    context.close()
    return paint, seen - began


def main() -> None:
    """Visit both in turns, and print the medians."""
    from playwright.sync_api import sync_playwright

    taken: dict[str, list[tuple[float, float]]] = {"/": [], "/bare": []}
    with serve("examples/bank") as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for number in range(VISITS + 1):
            for path, times in taken.items():
                measured = visit(browser, url, path)
                if number:  # the first one warms up
                    times.append(measured)
        browser.close()
    for path, times in taken.items():
        paint, answer = (round(statistics.median(column)) for column in zip(*times, strict=True))
        shown = f", first paint {paint} ms" if path == "/" else ""
        print(f"{path:6} first answer {answer} ms after the message was sent{shown}")
    files = load_web_files()
    own = [name for name in files if name.split(".")[0] not in ("inspect", "desk")]
    sizes = {name: len(files[name].compressed) for name in own}
    print(json.dumps(sizes), sum(sizes.values()), "bytes compressed")


if __name__ == "__main__":
    main()
