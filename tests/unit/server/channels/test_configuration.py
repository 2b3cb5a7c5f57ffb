"""Settings of channels, and what is said of wrong ones."""

from __future__ import annotations

from typing import Any

import pytest

from soni.core.errors import ConfigError
from soni.server.channels import make_channels
from soni.server.channels.slack import SlackChannel

SLACK = {"signing_secret": "sign", "bot_token": "xoxb-hush"}


def refuse(settings: dict[str, Any]) -> str:
    with pytest.raises(ConfigError) as caught:
        make_channels(settings)
    return str(caught.value)


def test_two_apps_of_one_kind_have_two_names() -> None:
    channels = make_channels({"slack": SLACK, "sales": {"kind": "slack", **SLACK}})
    assert list(channels) == ["slack", "sales"]
    assert all(isinstance(each, SlackChannel) for each in channels.values())


def test_secrets_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"slack": {**SLACK, "bot_token": {"env": "SHOP_SLACK_TOKEN"}}}
    told = refuse(given)
    assert "settings.server.channels.slack.bot_token" in told
    assert "the environment variable SHOP_SLACK_TOKEN is not set" in told
    monkeypatch.setenv("SHOP_SLACK_TOKEN", "xoxb-hush")
    assert "xoxb-hush" not in repr(make_channels(given))


def test_an_error_names_what_is_missing_and_shows_no_secret() -> None:
    told = refuse({"slack": {"bot_token": ["xoxb-hush"], "tokn": "xoxb-hush"}, "fax": {}})
    assert "xoxb-hush" not in told
    assert "settings.server.channels.slack.signing_secret: Field required" in told
    assert "settings.server.channels.slack.tokn" in told
    assert "settings.server.channels.fax: there is no kind of channel 'fax'" in told
    assert "available: slack, telegram, twilio, webhook" in told


def test_names_are_parts_of_an_address() -> None:
    assert "'Slack:1' cannot be the name" in refuse({"Slack:1": {"kind": "slack", **SLACK}})


def test_a_webhook_needs_a_real_key_and_a_way_to_answer() -> None:
    told = refuse({"webhook": {"secrets": ["whsec_c2hvcnQ="]}})
    assert "at least 24 bytes" in told and "c2hvcnQ" not in told
    assert "secrets" in refuse({"webhook": {"secrets": []}})
    long = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    assert "answers go nowhere" in refuse({"webhook": {"secrets": [long], "answer_within": 0}})
