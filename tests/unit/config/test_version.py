"""Versions of flows: dumped flows are read back as they were, in any spelling."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from soni.config.models import SoniConfig
from soni.config.version import dump_flows, fingerprint_flows, load_flows
from tests.written import assistants


def _list_configs() -> list[SoniConfig]:
    """Every assistant of the conversation tests, which write every key of the language."""
    configs = []
    for data in assistants():
        try:
            configs.append(SoniConfig.model_validate(data))
        except ValidationError:
            continue  # some conversations are about what is refused
    return configs


def test_dumped_flows_are_read_back_as_they_were() -> None:
    configs = _list_configs()
    assert len(configs) > 300
    for config in configs:
        content = dump_flows(config)
        stored: dict[str, Any] = json.loads(json.dumps(content))
        assert load_flows(stored, config) == config
        assert fingerprint_flows(stored) == fingerprint_flows(content)


@pytest.mark.parametrize("key", ["flows", "slots", "actions", "responses"])
def test_another_definition_is_another_version(key: str) -> None:
    config = SoniConfig.model_validate(
        {
            "slots": {"size": {"type": "choice", "values": ["small", "large"]}},
            "actions": {"bake": {"inputs": ["size"]}},
            "flows": {"pizza": {"steps": [{"collect": "size"}]}},
            "responses": {"error": "Sorry."},
        }
    )
    other = config.model_copy(update={key: {}})
    assert fingerprint_flows(dump_flows(other)) != fingerprint_flows(dump_flows(config))


def test_settings_and_knowledge_are_no_part_of_a_version() -> None:
    plain = SoniConfig.model_validate({"flows": {"hi": {"steps": [{"say": "Hi."}]}}})
    other = SoniConfig.model_validate(
        {
            "flows": {"hi": {"steps": [{"say": "Hi."}]}},
            "settings": {"language": "es"},
            "knowledge": [{"question": "Open?", "answer": "Yes."}],
        }
    )
    assert fingerprint_flows(dump_flows(plain)) == fingerprint_flows(dump_flows(other))
