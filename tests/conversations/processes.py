"""Talking in processes of their own, which share nothing but the assistant and the file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

_TALK = """
import asyncio, json, os, sys

from soni import RuntimeLoop, SoniConfig, TurnError
from soni.du import LocalNLU
from soni.persistence import open_store


class Understanding(LocalNLU):
    async def understand(self, user_message, history, context):
        if user_message == os.environ.get("AWAY"):
            raise ConnectionError
        return await super().understand(user_message, history, context)


async def said(runtime, user, message):
    try:
        return (await runtime.turn(message, user_id=user)).messages
    except TurnError as failed:
        return f"failed: {type(failed.__cause__).__name__}"


async def main(folder, file, messages):
    config, store = SoniConfig.load(folder), open_store("sqlite", file)
    async with RuntimeLoop(config, nlu=Understanding(), store=store) as runtime:
        print("ready", flush=True)
        sys.stdin.readline()
        for user, message in messages:
            print("answer", json.dumps(await said(runtime, user, message)), flush=True)


asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))
"""


def process(folder: Path, *messages: tuple[str, str], **environment: str) -> subprocess.Popen[str]:
    """A process that will send these messages, each as a user, when its input is closed.

    The message named by `AWAY` is not understood: the provider fails.
    """
    return subprocess.Popen(
        [sys.executable, "-c", _TALK, str(folder), str(folder / "talk.db"), json.dumps(messages)],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def answers(running: subprocess.Popen[str], *, killed: bool = False) -> list[Any]:
    """What the process was answered until it ended by itself, or was killed."""
    said, complaints = running.communicate()
    assert running.returncode == (-9 if killed else 0), complaints
    lines = (line.partition(" ") for line in said.splitlines())
    return [json.loads(answer) for kind, _, answer in lines if kind == "answer"]
