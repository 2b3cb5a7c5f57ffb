"""docs/serving.md and docs/security.md say what is so."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from soni.config.server_settings import ServerLimits
from soni.core.access_key import Role
from soni.server import ServerOptions
from soni.server.channels.base import REFUSALS
from soni.server.problems import PROBLEMS
from tests.server.serving import open_talk, serving
from tests.server.test_rights import RULES

ROOT = Path(__file__).parents[2]
SERVING = (ROOT / "docs/serving.md").read_text(encoding="utf-8")
SECURITY = (ROOT / "docs/security.md").read_text(encoding="utf-8")


def read_blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", SERVING, re.DOTALL)


def test_every_problem_is_in_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (.+) \| (.+) \|$", SERVING, re.MULTILINE)
    known = {(code, str(kind.status), kind.title, kind.remedy) for code, kind in PROBLEMS.items()}
    assert set(rows) == known


def test_every_refusal_of_a_channel_is_in_the_table_of_channels() -> None:
    text = (ROOT / "docs/channels.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| .+ \|$", text, re.MULTILINE)
    assert dict(rows) == {code: str(status) for code, status in REFUSALS.items()}


def test_every_limit_is_in_the_table_with_its_default() -> None:
    table = SERVING.partition("## Limits")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", table, re.MULTILINE))
    limits = {name: field.default for name, field in ServerLimits.model_fields.items()}
    assert {name: float(rows[name]) for name in limits} == limits


def test_every_route_is_in_the_table() -> None:
    table = SERVING.partition("## Routes")[2].partition("## Events")[0]
    for _, path in RULES:
        shown = path.replace("{conversation_id}", "{id}").partition("/handoff/")[0]
        assert shown in table or path == "/openapi.json", path


async def test_the_client_in_python_and_those_with_curl_work() -> None:
    options = ServerOptions(anonymous_roles=frozenset({Role.CLIENT}), is_local=True)
    async with serving(options=options) as server:
        client = server.make_client()
        talk = await open_talk(client)
        token = client.headers["authorization"].removeprefix("Bearer ")
        [code] = read_blocks("py")
        written = code.replace("http://127.0.0.1:8000", server.url)
        commands = [[sys.executable, "-c", written]]
        if shutil.which("curl"):
            commands += [["sh", "-c", line] for line in read_blocks("sh")]
        given = {**os.environ, "URL": server.url, "ID": talk, "TOKEN": token, "no_proxy": "*"}
        for command in commands:
            from asyncio import to_thread

            done = await to_thread(
                subprocess.run, command, env=given, capture_output=True, text=True, timeout=30
            )
            assert done.returncode == 0, done.stderr
            assert "problem" not in done.stdout
            if command[0] == sys.executable:
                assert done.stdout.startswith("['How much?']")
                assert "event: turn" in done.stdout


@pytest.mark.parametrize("named", re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", SECURITY))
def test_every_test_that_security_names_exists(named: tuple[str, str]) -> None:
    path, test = named
    assert (ROOT / path).exists()
    assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8")


def test_every_item_of_both_lists_is_answered() -> None:
    for number in range(1, 11):
        assert f"API{number}:2023" in SECURITY
        assert f"LLM{number:02}:2025" in SECURITY
