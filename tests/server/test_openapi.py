"""The documentation of the API says what the server does, whatever it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi.routing import iter_route_contexts
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from soni.server import create_app
from tests.server.serving import ACTIONS, SHOP, Running, serving_beside
from tests.talking import assistant

EXAMPLES = 12
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
NEVER_ENDS = "/api/conversations/{conversation_id}/events"


def make_document() -> dict[str, Any]:
    return create_app(assistant(SHOP, ACTIONS)).openapi()


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Running, str]]:
    limits = dict.fromkeys(("requests_per_minute", "requests_per_minute_by_address"), 10**6)
    with serving_beside(limits=limits) as (running, key):
        yield running, key


OPERATIONS = [
    (method.upper(), path)
    for path, methods in make_document()["paths"].items()
    for method in methods
    if path.startswith(("/api", "/v1", "/ag-ui")) and path != NEVER_ENDS
]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_nothing_that_is_sent_breaks_a_route_or_is_answered_as_nobody_said(
    method: str, path: str, server: tuple[Running, str]
) -> None:
    running, key = server
    schema = schemathesis.openapi.from_dict(make_document())
    operation = schema[path][method]
    # What the documentation allows, and what it does not.
    cases = st.one_of(operation.as_strategy(generation_mode=mode) for mode in GenerationMode)
    headers = {"authorization": f"Bearer {key}"}
    talk = httpx.post(f"{running.url}/api/conversations", headers=headers, trust_env=False).json()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, is_real=st.booleans(), streams=st.booleans())
    def attempt(case: schemathesis.Case, is_real: bool, streams: bool) -> None:
        if is_real and "conversation_id" in path:
            case.path_parameters["conversation_id"] = talk["id"]
        accept = {"accept": "text/event-stream"} if streams else {}
        case.call_and_validate(
            base_url=running.url, headers=headers | accept, checks=CHECKS, timeout=20
        )

    attempt()


def test_every_route_is_documented_with_what_it_answers() -> None:
    app = create_app(assistant(SHOP, ACTIONS))
    document = app.openapi()
    for route in iter_route_contexts(app.routes):
        if route.methods is None or str(route.path) == "/openapi.json":
            continue
        for method in route.methods - {"HEAD"}:
            if str(route.path) == "/mcp":
                continue  # its own protocol describes it
            operation = document["paths"][str(route.path)][method.lower()]
            assert operation["summary"]
            assert {"413", "421", "500", "503"} <= set(operation["responses"])
            for status, answer in operation["responses"].items():
                if int(status) >= 400 and not str(route.path).startswith("/v1"):
                    assert list(answer["content"]) == ["application/problem+json"], status


def test_every_field_that_is_sent_has_a_bound() -> None:
    document = make_document()
    for name in ("MessageRequest", "FlowRequest", "AgentMessage"):
        for field, form in document["components"]["schemas"][name]["properties"].items():
            texts = [each for each in form.get("anyOf", [form]) if each.get("type") == "string"]
            assert all("maxLength" in each for each in texts), (name, field)
