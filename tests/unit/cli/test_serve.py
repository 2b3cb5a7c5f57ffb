"""`soni serve --open`: when a browser opens, and when not."""

import socket
import webbrowser

import pytest

from soni.cli import serve


def find_opened(
    browser: webbrowser.GenericBrowser, port: int, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The pages that a browser is asked for."""
    opened: list[str] = []
    monkeypatch.setattr(browser, "open", opened.append)
    monkeypatch.setattr(webbrowser, "get", lambda: browser)
    monkeypatch.setattr(serve, "_PAUSE", 0.01)
    monkeypatch.setattr(serve, "_TRIES", 2)
    serve._open_browser("127.0.0.1", port, f"http://127.0.0.1:{port}")
    return opened


@pytest.mark.parametrize(
    ("browser", "chosen", "opens"),
    [
        (webbrowser.BackgroundBrowser("xdg-open"), None, True),
        (webbrowser.GenericBrowser("www-browser"), None, False),
        (webbrowser.GenericBrowser("www-browser"), "www-browser", True),
    ],
)
def test_a_browser_opens_unless_it_would_take_the_terminal(
    browser: webbrowser.GenericBrowser,
    chosen: str | None,
    opens: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("BROWSER", raising=False)
    if chosen is not None:
        monkeypatch.setenv("BROWSER", chosen)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        opened = find_opened(browser, port, monkeypatch)
    assert opened == ([f"http://127.0.0.1:{port}/"] if opens else [])


def test_no_browser_opens_if_nobody_ever_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    monkeypatch.setenv("BROWSER", "www-browser")
    assert find_opened(webbrowser.GenericBrowser("www-browser"), port, monkeypatch) == []
