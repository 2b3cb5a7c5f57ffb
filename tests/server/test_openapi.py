"""The documentation of the API says what the server does, whatever it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi.routing import iter_route_contexts
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from soni.server import create_app
from tests.depth import choose_count
from tests.server.serving import ACTIONS, SHOP, Running, serving_beside
from tests.talking import assistant

EXAMPLES = choose_count(6, 12)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
NEVER_ENDS = ("/api/conversations/{conversation_id}/events", "/api/handoffs/events")


@cache
def make_document() -> dict[str, Any]:
    return create_app(assistant(SHOP, ACTIONS)).openapi()


@cache
def make_schema() -> Any:
    return schemathesis.openapi.from_dict(make_document())


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Running, str]]:
    limits = dict.fromkeys(("requests_per_minute", "requests_per_minute_by_address"), 10**6)
    with serving_beside(limits=limits) as (running, key):
        yield running, key


OPERATIONS = [
    (method.upper(), path)
    for path, methods in make_document()["paths"].items()
    for method in methods
    if path.startswith(("/api", "/v1", "/ag-ui")) and path not in NEVER_ENDS
]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_nothing_that_is_sent_breaks_a_route_or_is_answered_as_nobody_said(
    method: str, path: str, server: tuple[Running, str]
) -> None:
    running, key = server
    operation = make_schema()[path][method]
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
            if not getattr(route.original_route, "include_in_schema", True):
                continue  # a page, or a file of one
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


def compose_example(form: dict[str, Any], schemas: dict[str, Any], place: str) -> Any:
    """The example that the documentation shows for a schema, put together of its fields."""
    for key in ("examples", "enum"):
        if key in form:
            return form[key][0]
    for key in ("example", "const", "default"):
        if key in form:
            return form[key]
    if "$ref" in form:
        name = form["$ref"].rpartition("/")[2]
        return compose_example(schemas[name], schemas, name)
    options = form.get("anyOf", [form])
    if {"type": "null"} in options or form.get("type") == "boolean":
        return None if len(options) > 1 else True
    if form.get("type") == "array":
        return [compose_example(form["items"], schemas, f"{place}[]")]
    assert "properties" in form, f"{place} has no example"
    return {
        field: compose_example(form["properties"][field], schemas, f"{place}.{field}")
        for field in form["properties"]
        if field in form.get("required", ()) or "examples" in form["properties"][field]
    }


def list_contents(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The bodies of requests and of answers that say yes: where, of which kind, and their form."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            told = [operation.get("requestBody", {})]
            told += [each for status, each in operation["responses"].items() if status[0] == "2"]
            for each in told:
                for kind, content in each.get("content", {}).items():
                    yield f"{method} {path}", kind, content


def test_every_body_that_is_sent_or_answered_has_an_example_of_its_form() -> None:
    document = make_document()
    seen = 0
    for place, kind, content in list_contents(document):
        if not kind.endswith(("/json", "-urlencoded")):
            continue
        form = content["schema"]
        shown = content.get("example")
        if shown is None:
            shown = compose_example(form, document["components"]["schemas"], place)
        whole = {**form, "components": document["components"]}
        assert not [*Draft202012Validator(whole).iter_errors(shown)], (place, shown)
        seen += 1
    assert seen > 30
