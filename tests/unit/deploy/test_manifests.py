"""deploy/kubernetes: what the manifests say of each other and of the image is true."""

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tools.image import parse_dockerfile

DEPLOY = Path(__file__).parents[3] / "deploy"
FILES = sorted((DEPLOY / "kubernetes").glob("*.yaml*"))
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def load_manifests() -> dict[str, Any]:
    loaded = [YAML(typ="safe").load(path.read_text(encoding="utf-8")) for path in FILES]
    return {manifest["kind"]: manifest for manifest in loaded}


MANIFESTS = load_manifests()
POD = MANIFESTS["Deployment"]["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]


def test_each_manifest_has_what_a_cluster_asks_for() -> None:
    assert {kind: manifest["apiVersion"] for kind, manifest in MANIFESTS.items()} == {
        "Deployment": "apps/v1",
        "Service": "v1",
        "Secret": "v1",
        "HorizontalPodAutoscaler": "autoscaling/v2",
        "PodDisruptionBudget": "policy/v1",
    }
    assert {manifest["metadata"]["name"] for manifest in MANIFESTS.values()} == {"soni"}


@pytest.mark.parametrize(
    "selector",
    [
        MANIFESTS["Deployment"]["spec"]["selector"]["matchLabels"],
        MANIFESTS["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        MANIFESTS["Service"]["spec"]["selector"],
    ],
)
def test_every_selector_finds_the_pods(selector: dict[str, str]) -> None:
    assert selector.items() <= POD["metadata"]["labels"].items()


def test_what_is_named_elsewhere_exists_there() -> None:
    target = MANIFESTS["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", "soni")
    (source,) = CONTAINER["envFrom"]
    assert source["secretRef"]["name"] == MANIFESTS["Secret"]["metadata"]["name"]
    (port,) = MANIFESTS["Service"]["spec"]["ports"]
    assert port["targetPort"] == CONTAINER["ports"][0]["name"]
    # The autoscaler counts in shares of what a pod requests.
    assert CONTAINER["resources"]["requests"]["cpu"]


@pytest.mark.parametrize(
    ("probe", "path"), [("livenessProbe", "/healthz"), ("readinessProbe", "/readyz")]
)
def test_a_pod_is_asked_whether_it_lives_and_whether_it_is_ready(probe: str, path: str) -> None:
    assert CONTAINER[probe]["httpGet"] == {"path": path, "port": "http"}


def test_a_pod_runs_without_rights_on_a_file_system_that_it_cannot_write() -> None:
    assert POD["spec"]["securityContext"]["runAsNonRoot"] is True
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_manifests_and_image_name_the_same_user_port_and_command() -> None:
    user = POD["spec"]["securityContext"]["runAsUser"]
    assert f"\nUSER {user}:{user}\n" in DOCKERFILE
    assert f"\nEXPOSE {CONTAINER['ports'][0]['containerPort']}\n" in DOCKERFILE
    command = re.search(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert command is not None
    assert YAML(typ="safe").load(command[1]) == CONTAINER["args"]


def test_all_that_the_image_copies_is_there() -> None:
    steps = [step.text for step in parse_dockerfile(DOCKERFILE) if step.name == "COPY"]
    copied = [path for text in steps if "--from" not in text for path in text.split()[:-1]]
    missing = [path for path in copied if not (DEPLOY.parent / path).exists()]
    assert missing == ["${ASSISTANT}"]


def test_the_example_of_the_secret_holds_none() -> None:
    values = MANIFESTS["Secret"]["stringData"].values()
    assert all("change-me" in value for value in values)
