"""The files of pages: what is sent, what is not, and under which policy."""

from __future__ import annotations

import gzip
import re

import httpx
import pytest
from fastapi import FastAPI
from pydantic import ValidationError

from soni.config.server_settings import ChatPage
from soni.core.access_key import Role
from soni.server import ServerOptions, create_app
from soni.server.problems import PROBLEMS
from soni.server.routes.pages import choose_ink, load_web_files, make_brand
from tests.server.serving import ACTIONS, SHOP, check_problem, open_talk, say, serving
from tests.talking import assistant

MOST_BYTES = 60_000
MOST_LINES = 400
BRANDED = """
settings:
  server:
    allowed_origins: [https://shop.example]
    page: {title: {en: Shop, es: Tienda}, accent: "#ffd400", radius: 4, languages: [en, es]}
"""


async def test_pages_and_their_files_are_sent_with_a_strict_policy() -> None:
    async with serving() as server:
        client = server.make_client()
        for path in ("/", "/inspect", "/desk"):
            answer = await client.get(path)
            assert answer.headers["content-type"].startswith("text/html")
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'self';" in policy
            assert "unsafe" not in policy
            for name in re.findall(r'(?:src|href)="(web/[^"]+)"', answer.text):
                assert (await client.get(f"/{name}")).status_code == 200, name
            assert not re.search(r"<script(?![^>]*\bsrc=)|\bon\w+=|\bstyle=", answer.text)


async def test_a_browser_that_has_a_file_is_not_sent_it_again() -> None:
    async with serving() as server:
        client = server.make_client()
        first = await client.get("/web/theme.css")
        assert first.headers["content-encoding"] == "gzip"
        again = await client.get("/web/theme.css", headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        plain = await client.get("/web/theme.css", headers={"accept-encoding": "identity"})
        assert plain.text == first.text


@pytest.mark.parametrize(("reads", "told"), [("en-GB", "Go to the chat"), ("es-MX", "Ir al chat")])
async def test_an_unknown_address_is_a_page_for_people_and_a_problem_for_programs(
    reads: str, told: str
) -> None:
    asks = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8", "accept-language": reads}
    async with serving() as server:
        client = server.make_client()
        page = await client.get("/no-such-page", headers=asks)
        assert page.status_code == 404
        assert page.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert 'href="/"' in page.text
        assert told in page.text
        assert f'<html lang="{reads[:2]}">' in page.text
        check_problem(await client.get("/no-such-page"), 404, "not_found")
        check_problem(await client.post("/no-such-page", headers=asks), 404, "not_found")
    outer = FastAPI()
    outer.mount("/assistant", create_app(assistant(SHOP, ACTIONS)))
    transport = httpx.ASGITransport(outer)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as below:
        page = await below.get("/assistant/no-such-page", headers=asks)
        assert 'href="/assistant/"' in page.text


async def test_the_page_knows_how_long_a_message_may_be() -> None:
    short = "settings: {limits: {max_message_chars: 120}}\n"
    app = create_app(assistant(SHOP + short, ACTIONS))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        assert (await client.get("/web/page.json")).json()["longest"] == 120


@pytest.mark.parametrize("name", ["missing.js", "..%2Fapp.py", "%2e%2e", "chat.html%00"])
async def test_nothing_but_the_files_of_pages_can_be_asked_for(name: str) -> None:
    async with serving() as server:
        check_problem(await server.make_client().get(f"/web/{name}"), 404, "not_found")


async def test_the_authors_page_is_branded_and_framed_by_those_who_may() -> None:
    app = create_app(
        assistant(SHOP + BRANDED, ACTIONS),
        options=ServerOptions(anonymous_roles=frozenset({Role.CLIENT})),
    )
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        page = await client.get("/")
        policy = page.headers["content-security-policy"]
        assert policy.endswith("frame-ancestors 'self' https://shop.example")
        told = (await client.get("/web/page.json")).json()
        assert told["title"] == {"en": "Shop", "es": "Tienda"}
        assert told["languages"] == ["en", "es"]
        assert told["open_to"] == ["client"]
        brand = (await client.get("/web/brand.css")).text
        assert "--accent: #ffd400;" in brand
        assert "--on-accent: #000000;" in brand
        assert "--radius: 4px;" in brand
        assert "#ffd400" in (await client.get("/widget.js")).text


async def test_pages_work_below_another_address() -> None:
    outer = FastAPI()
    outer.mount("/assistant", create_app(assistant(SHOP, ACTIONS)))
    transport = httpx.ASGITransport(outer)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for path in ("", "inspect", "desk", "widget.js", "web/chat.js", "web/page.json"):
            assert (await client.get(f"/assistant/{path}")).status_code == 200, path
        page = (await client.get("/assistant/")).text
        assert not re.search(r'(?:src|href)="/', page)


def test_the_chat_page_and_the_widget_are_small() -> None:
    found = load_web_files()
    names = ["chat.html", *re.findall(r'"web/([^"]+)"', found["chat.html"].body.decode())]
    for name in [each for each in names if each.endswith(".js")]:
        # What is not named in the page would be found late, and left out of the sum.
        assert set(re.findall(r'from "\./([^"]+)"', found[name].body.decode())) <= {*names}
    sizes = [len(gzip.compress(found[name].body)) for name in names if name in found]
    assert sum(sizes) + len(found["widget.js"].compressed) <= MOST_BYTES


@pytest.mark.parametrize("name", [each for each in load_web_files() if each.endswith(".js")])
def test_a_script_is_short_enough_to_be_read(name: str) -> None:
    assert load_web_files()[name].body.count(b"\n") < MOST_LINES


def test_every_word_of_the_chat_page_is_used_in_every_language() -> None:
    found = {name: each.body.decode() for name, each in load_web_files().items()}
    languages = re.findall(r"^  \w\w: \{(.*?)^  \},", found["words.js"], re.M | re.S)
    known = [set(re.findall(r'(\w+): "', each)) for each in languages]
    assert len(known) == 2
    assert known[0] == known[1]
    scripts = found["chat.js"] + found["messages.js"]
    labels = re.findall(r"const labels = \{(.*?)\}", scripts)[0]
    used = {*re.findall(r"\bwords\??\.(?!js\b)(\w+)", scripts), *re.findall(r': "(\w+)"', labels)}
    used |= set(re.findall(r'data-word="(\w+)"', found["chat.html"]))
    sayings = re.findall(r"const BY_CODE = \{(.*?)^\}", found["words.js"], re.M | re.S)[0]
    used |= {*re.findall(r': "(\w+)"', sayings), *re.findall(r'\?\? "(\w+)"', found["words.js"])}
    assert set(re.findall(r'(\w+): "', sayings)) <= {*PROBLEMS}
    assert used == known[0]


@pytest.mark.parametrize(
    ("colour", "ink"),
    [
        ("#000000", "#ffffff"),
        ("#0b6e4f", "#ffffff"),
        ("#ffd400", "#000000"),
        ("#ffffff", "#000000"),
    ],
)
def test_what_stands_on_the_authors_colour_can_be_read(colour: str, ink: str) -> None:
    assert choose_ink(colour) == ink


@pytest.mark.parametrize(
    "given",
    [
        {"accent": "red; } body { display: none"},
        {"font": "Arial; } * { color: red"},
        {"logo": "javascript:alert(1)"},
        {"radius": 1000},
    ],
)
def test_no_setting_can_be_more_than_it_says(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ChatPage.model_validate(given)
    assert make_brand(ChatPage()) == ""


async def test_a_yes_can_be_pressed_where_a_question_shows_no_buttons() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        for text in ("send money", "50"):
            await say(client, talk, text)
        asked = await say(client, talk, "Bob")
        assert asked["waiting"]["kind"] == "confirm"
        assert asked["waiting"]["options"] == ["Yes", "No"]
        assert asked["replies"][0]["ui"] is None
        messages = f"/api/conversations/{talk}/messages"
        turn = (await client.post(messages, json={"press": "Yes"})).json()
        assert [reply["text"] for reply in turn["replies"]] == ["Sent 50 to Bob."]
        check_problem(await client.post(messages, json={"press": "Yes"}), 409, "not_allowed")
