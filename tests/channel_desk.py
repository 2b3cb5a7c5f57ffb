"""An assistant behind channels in tests: providers post to it, and it answers to a provider."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx
from fastapi import FastAPI

from soni import RuntimeLoop
from soni.core.jobs import Retry
from soni.core.storage import Store
from soni.core.webhook_signature import sign_webhook
from soni.server.channels.exchange import ChannelExchange
from soni.server.channels.router import make_router
from soni.server.channels.signatures import sign_slack, sign_twilio
from soni.server.conversations import Conversations
from tests.provider_server import Provider, run_provider
from tests.talking import assistant

SHOP = """
settings: {outgoing: {allow: [127.0.0.1]}}
slots:
  size: {type: choice, values: [small, large], prompt: Which size?}
  count: {type: integer, prompt: How many?}
actions:
  place_order: {inputs: [size, count]}
flows:
  order:
    description: Order something
    trigger: {examples: [order]}
    steps:
      - {collect: size, ui: {type: quick_replies}}
      - {collect: count}
      - {confirm: "{count} of {size}?", ui: {type: buttons}}
      - {action: place_order}
      - say: Ordered.
      - say: Goodbye.
"""
ACTIONS = """
from soni import action

orders = []

@action
def place_order(size: str, count: int):
    orders.append((size, count))
"""
AT_ONCE = Retry(attempts=3, first_delay=0)
SIGNING, TOKEN, WHSEC = "8f742231", "tok-en", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def make_settings(url: str) -> dict[str, Any]:
    """All channels, with the provider in the place of the real ones."""
    return {
        "slack": {"signing_secret": SIGNING, "bot_token": "xoxb-1", "api_url": f"{url}/api"},
        "telegram": {"bot_token": "12:ab", "secret_token": "s3cret", "api_url": url},
        "twilio": {
            "account_sid": "AC1",
            "auth_token": TOKEN,
            "public_url": "https://bot.example/channels/twilio",
            "api_url": url,
        },
        "webhook": {"secrets": [WHSEC], "reply_url": f"{url}/replies"},
    }


@dataclass
class Desk:
    """The parts, and how providers post."""

    runtime: RuntimeLoop
    exchange: ChannelExchange
    talks: Conversations
    client: httpx.AsyncClient
    provider: Provider

    async def post(self, name: str, body: bytes, headers: Mapping[str, str]) -> httpx.Response:
        return await self.client.post(f"/channels/{name}", content=body, headers=dict(headers))

    async def slack(self, payload: Any, *, form: bool = False, **headers: str) -> httpx.Response:
        body = json.dumps(payload).encode()
        kind = "application/json"
        if form:
            body = urlencode({"payload": body.decode()}).encode()
            kind = "application/x-www-form-urlencoded"
        at = int(time.time())
        signed = {
            "content-type": kind,
            "x-slack-request-timestamp": str(at),
            "x-slack-signature": sign_slack(SIGNING, at, body),
        }
        return await self.post("slack", body, {**signed, **headers})

    async def telegram(self, update: Any, secret: str = "s3cret") -> httpx.Response:
        headers = {"x-telegram-bot-api-secret-token": secret, "content-type": "application/json"}
        return await self.post("telegram", json.dumps(update).encode(), headers)

    async def twilio(self, sid: str, text: str, **fields: str) -> httpx.Response:
        usual = {"AccountSid": "AC1", "From": "+4917012345", "To": "+15550001"}
        form = {**usual, "MessageSid": sid, "Body": text, **fields}
        url = "https://bot.example/channels/twilio"
        signed = sign_twilio(TOKEN, url, {name: [value] for name, value in form.items()})
        headers = {
            "x-twilio-signature": signed,
            "content-type": "application/x-www-form-urlencoded",
        }
        return await self.post("twilio", urlencode(form).encode(), headers)

    async def webhook(
        self, delivery_id: str, payload: Any, *, secret: str = WHSEC, age: int = 0
    ) -> httpx.Response:
        body = json.dumps(payload).encode()
        at = int(time.time()) - age
        headers = {
            "webhook-id": delivery_id,
            "webhook-timestamp": str(at),
            "webhook-signature": f"v1,bm8= {sign_webhook(secret, delivery_id, at, body)}",
        }
        return await self.post("webhook", body, headers)

    async def work(self) -> int:
        """Carry out the jobs that are due."""
        return await self.runtime.run_due_jobs()

    @property
    def texts(self) -> list[str]:
        """The texts that were sent to the provider."""
        return [str(sent.json["text"]) for sent in self.provider.sent]


@asynccontextmanager
async def serving(
    yaml: str = SHOP, store: Store | None = None, retry: Retry = AT_ONCE, **changed: Any
) -> AsyncIterator[Desk]:
    """An assistant behind channels. `changed` are settings of channels."""
    with run_provider() as provider:
        settings = make_settings(provider.url)
        for name, more in changed.items():
            settings[name] = {**settings.get(name, {}), **more}
        config = assistant(yaml, ACTIONS if "place_order" in yaml else "")
        async with RuntimeLoop(config, store=store) as runtime:
            limits = config.settings.server.limits
            talks = Conversations(runtime, limits, time.time, asyncio.Event())
            exchange = ChannelExchange(runtime, settings, talks=talks, retry=retry)
            app = FastAPI()
            app.include_router(make_router(exchange))
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
                yield Desk(runtime, exchange, talks, client, provider)
