"""AssistantVersions: the flows that the open tasks of a conversation run on."""

from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError

from soni.config.assistant import Assistant
from soni.config.checks import check_config
from soni.config.soni_config import SoniConfig
from soni.config.version import (
    Definition,
    dump_flows,
    find_changes,
    fingerprint_flows,
    load_flows,
    overlay_flows,
)
from soni.core.storage import VersionArchive
from soni.core.types import DialogueState

_CACHED: Final = 32
"""Mixtures of versions that are kept ready."""

_ALWAYS_KEPT: Final = 5
"""The newest versions are kept even if no task needs them: another process may still run one."""


class AssistantVersions:
    """Today's assistant, and today's with flows as they were where open tasks need them."""

    def __init__(self, config: SoniConfig) -> None:
        self._content = dump_flows(config)
        self.today = Assistant(config, fingerprint_flows(self._content))
        self._finishes = config.settings.versions == "finish"
        self._cache: dict[tuple[object, ...], Assistant] = {}

    def attach(self, archive: VersionArchive) -> None:
        """Find earlier versions there."""
        self._archive = archive

    async def open(self, archive: VersionArchive) -> None:
        """Keep today's flows for the tasks that will begin on them."""
        self.attach(archive)
        await archive.save(str(self.today.version), self._content)
        await self.prune()

    async def prune(self) -> list[str]:
        """Delete the versions that nobody needs; which."""
        newest = (await self._archive.list_fingerprints())[-_ALWAYS_KEPT:]
        return await self._archive.prune(keep=[str(self.today.version), *newest])

    async def find_assistant(self, state: DialogueState) -> Assistant:
        """The assistant for a turn of this conversation."""
        wanted = self._list_wanted(state) if self._finishes else {}
        if not wanted:
            return self.today
        key = tuple((version, tuple(sorted(names))) for version, names in wanted.items())
        if key not in self._cache:
            while len(self._cache) >= _CACHED:
                del self._cache[next(iter(self._cache))]
            self._cache[key] = await self._mix_versions(wanted)
        return self._cache[key]

    def _list_wanted(self, state: DialogueState) -> dict[str, set[str]]:
        """Versions of the open tasks that are not today's, with the flows, oldest task first."""
        wanted: dict[str, set[str]] = {}
        for flow in state["flow_stack"]:
            version = flow.get("version")
            if version not in (None, self.today.version):
                wanted.setdefault(str(version), set()).add(flow["flow_name"])
        return wanted

    async def _mix_versions(self, wanted: Mapping[str, set[str]]) -> Assistant:
        mixed, refused = self.today, dict[str, str]()
        needed: set[Definition] = set()
        for version, names in wanted.items():
            try:
                old = await self.load_version(version)
                config, used = overlay_flows(mixed, old, names)
                _require_sound(config, conflicts=find_changes(used & needed, mixed, old))
            except VersionError as reason:
                refused[version] = str(reason)
                continue
            needed |= used
            changed = find_changes(used, self.today, old)
            kept = {*names, *(name for kind, name in changed if kind == "flows")} if changed else ()
            pinned = {**mixed.pinned, **dict.fromkeys(kept, version)}
            mixed = Assistant(config, self.today.version, pinned=pinned)
        return Assistant(mixed.config, self.today.version, pinned=mixed.pinned, unpinned=refused)

    async def load_version(self, version: str) -> Assistant:
        """The flows of that version with the functions of today. Raises `VersionError`."""
        content = await self._archive.load(version)
        if content is None:
            raise VersionError("its flows are no longer kept")
        if fingerprint_flows(content) != version:
            raise VersionError("its flows were changed in the store")
        try:
            return Assistant(load_flows(content, self.today.config))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise VersionError(f"this Soni cannot read {place}: {first['msg']}") from None


class VersionError(Exception):
    """Tasks cannot end on this version; the text says why."""


def _require_sound(config: SoniConfig, conflicts: set[Definition]) -> None:
    """Raise if flows of another version cannot run beside today's, with today's functions."""
    if conflicts:
        section, name = min(conflicts)
        raise VersionError(f"another open task needs {section}.{name} of a third version")
    errors = (each for each in check_config(config) if each.severity == "error")
    found = next(errors, None)
    if found is not None:
        raise VersionError(f"{'.'.join(map(str, found.path))}: {found.message}")
    config._sound = True


def list_versions(state: DialogueState) -> tuple[str, ...]:
    """The versions that the open tasks of a conversation run on."""
    return tuple(sorted({flow["version"] for flow in state["flow_stack"] if "version" in flow}))
