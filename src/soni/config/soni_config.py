"""SoniConfig: an assistant as data, from YAML or from Python."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import Field, PrivateAttr, field_validator
from pydantic_core import PydanticCustomError

from soni.config.definitions import ActionConfig, AnyResponse, Config, KnowledgeEntry
from soni.config.flow import FlowConfig
from soni.config.patterns import ConversationPatterns
from soni.config.plan import FlowPlan, plan_flow
from soni.config.settings import Settings
from soni.config.signature import ActionSignature, build_signature
from soni.config.slot import SlotConfig
from soni.config.tool_action import add_tools
from soni.config.tool_lock import ToolLock
from soni.decorators import Functions, collect_functions


class Plans(Mapping[str, FlowPlan]):
    """Every flow's plan, by name."""

    def __init__(
        self, flows: Mapping[str, FlowConfig], signatures: Mapping[str, ActionSignature]
    ) -> None:
        self._flows, self._signatures = dict(flows), dict(signatures)
        self._plans = {
            name: plan_flow(name, flow, self._get_signature, flows) for name, flow in flows.items()
        }
        self.graphs: dict[str, Any] = {}
        """Compiled graphs by flow, shared by all runtimes that use these plans."""

    def __getitem__(self, name: str) -> FlowPlan:
        return self._plans[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plans)

    def __len__(self) -> int:
        return len(self._plans)

    def matches_flows(
        self, flows: Mapping[str, FlowConfig], signatures: Mapping[str, ActionSignature]
    ) -> bool:
        """Whether these plans were made from the same flows and action signatures."""
        if list(flows) != list(self._flows) or dict(signatures) != self._signatures:
            return False
        return all(flow is self._flows[name] for name, flow in flows.items())

    def _get_signature(self, action: str) -> ActionSignature:
        return self._signatures.get(action) or build_signature(action, None, None)


class PlanCache:
    """Caches the last plans, for copies of an assistant to share."""

    def __init__(self) -> None:
        self._last: Plans | None = None

    def get_plans(
        self, flows: Mapping[str, FlowConfig], signatures: Mapping[str, ActionSignature]
    ) -> Plans:
        """The plans of these flows, made now or before."""
        last = self._last
        if last is None or not last.matches_flows(flows, signatures):
            self._last = last = Plans(flows, signatures)
        return last


LANGUAGE_VERSION = "1"
"""The version of the language that this Soni reads."""


class SoniConfig(Config):
    """A whole assistant as data, loaded from YAML or written in Python.

        config = SoniConfig.load("examples/bank")
        async with RuntimeLoop(config) as runtime: ...

    Two are equal if their content is, wherever they came from.
    """

    version: str = LANGUAGE_VERSION
    settings: Settings = Field(default_factory=Settings)
    slots: dict[str, SlotConfig] = Field(default_factory=dict)
    actions: dict[str, ActionConfig] = Field(default_factory=dict)
    flows: dict[str, FlowConfig] = Field(default_factory=dict)
    responses: dict[str, AnyResponse] = Field(default_factory=dict)
    conversation_patterns: ConversationPatterns = ConversationPatterns()
    knowledge: tuple[KnowledgeEntry, ...] = ()
    """Answers for digressions; most assistants have them in files of `knowledge/`."""

    _functions: Functions = PrivateAttr(default_factory=Functions)
    _folder: Path | None = PrivateAttr(default=None)
    _tools: ToolLock = PrivateAttr(default_factory=ToolLock)
    _sound: bool = PrivateAttr(default=False)
    """Whether it has passed all checks and need not be checked again."""

    _shelf: PlanCache = PrivateAttr(default_factory=PlanCache)
    """Where its copies find the plans of its flows."""

    @field_validator("version", mode="before")
    @classmethod
    def _check_version(cls, version: Any) -> Any:
        # YAML reads `version: 1` as a number.
        word = str(version) if type(version) is int else version
        if isinstance(word, str) and word != LANGUAGE_VERSION:
            context = {"kind": word, "available": [LANGUAGE_VERSION]}
            raise PydanticCustomError("version", "unknown version '{kind}'", context)
        return word

    @classmethod
    def load(cls, path: str | Path) -> "SoniConfig":
        """Read an assistant's folder (or one file), check it, collect its functions.

        Raises `ConfigError` holding every problem found.
        """
        from soni.config.load import load_config  # the reader needs this model

        return load_config(path)

    def with_functions(self, source: Any) -> Self:
        """The same assistant with the marked functions of a module, or of a list of them."""
        other = self._copy_with(functions=collect_functions(source))
        other._sound = False
        return other

    def without_program(self) -> Self:
        """The same assistant without its learnt program."""
        nlu = self.settings.nlu.model_copy(update={"program": None})
        settings = self.settings.model_copy(update={"nlu": nlu})
        return self.model_copy(update={"settings": settings})

    def with_tools(self, lock: ToolLock) -> Self:
        """The same assistant with what is known of its servers' tools."""
        other = self._copy_with(tools=lock)
        other._sound = False
        return other

    def _copy_with(
        self,
        *,
        functions: Functions | None = None,
        folder: Path | None = None,
        tools: ToolLock | None = None,
    ) -> Self:
        copy = self.model_copy()
        copy._tools = tools if tools is not None else self._tools
        copy._functions = functions if functions is not None else self._functions
        copy._folder = folder if folder is not None else self._folder
        return copy

    @property
    def functions(self) -> Functions:
        """The assistant's marked functions, and those that call tools of MCP servers."""
        return add_tools(self._functions, self.actions, self._tools)

    @property
    def own_functions(self) -> Functions:
        """The marked functions of its Python alone."""
        return self._functions

    @property
    def tools(self) -> ToolLock:
        """What is known of its servers' tools."""
        return self._tools

    @property
    def folder(self) -> Path | None:
        """Where it was loaded from; None: written in Python."""
        return self._folder

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SoniConfig) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]
