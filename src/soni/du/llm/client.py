"""LanguageModel: DSPy's access to the model that the settings name."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

import dspy
from dspy.clients.engines import LM15Engine
from dspy.clients.engines.litellm_engine import LiteLLMEngine as SyncEngine
from dspy.lm15 import (
    RETRYABLE_ERRORS,
    Config,
    Message,
    Request,
    Resolution,
    RouterConfig,
    TextDelta,
    TextPart,
    Timeouts,
    UnknownModelError,
)

from soni.config.settings import Nlu
from soni.du.context import Usage
from soni.du.llm.adapter import ModelOptions, SchemaAdapter
from soni.du.llm.engine import CountedEngine, LiteLLMEngine, LoopEngine
from soni.du.llm.meter import GeneratedText, Meter
from soni.du.providers import ProviderError
from soni.du.usage import attach_usage


class LanguageModel:
    """The configured model: its address, its prices, and what was used."""

    def __init__(
        self,
        settings: Nlu,
        spend: Callable[[], None] = lambda: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`spend` is called before each request for an answer, and may raise to refuse it.

        `sleep`: waits between retries of a text.
        """
        self._settings = settings
        self._spend = spend
        self._sleep = sleep
        model, route = _resolve_model(settings)
        provider = route.provider if route else None
        self._manner = ModelOptions.from_settings(model, provider, settings)
        self._engine, self.lm = self._open_engine(model, route)

    @contextmanager
    def count_usage(self) -> Iterator[Meter]:
        """Within this context DSPy asks this model; its global settings stay untouched.

        An error raised within carries the usage so far.
        """
        adapter = SchemaAdapter(self._manner, self._spend)
        counted = CountedEngine(self._engine)
        lm = self.lm.copy(async_engine=counted)
        # By default DSPy keeps all messages in two global lists.
        private = {"disable_history": True, "trace": None, "warn_on_type_mismatch": False}
        with dspy.context(lm=lm, adapter=adapter, **private), dspy.track_usage() as tracker:
            answered = tracker.usage_data
            meter = self._make_meter(lambda: chain(*answered.values()), lambda: counted.calls)
            try:
                yield meter
            except BaseException as error:
                attach_usage(error, meter.read_usage())
                raise

    async def write_text(
        self, system: str, asked: str, heard: Callable[[str], None]
    ) -> GeneratedText:
        """Generate a text; `heard` gets each chunk."""
        request = Request(
            model=self.lm.model,
            system=system,
            messages=(Message("user", (TextPart(asked),)),),
            config=Config(max_tokens=self._manner.max_tokens, temperature=self._manner.temperature),
        )
        if isinstance(self._engine, LoopEngine):
            return await self._stream(self._engine, request, heard)
        with self.count_usage() as meter:
            response = await dspy.settings.lm.acall(request)
            heard(response.text)
            return GeneratedText(response.text, meter.read_usage(), response.finish_reason)

    async def _stream(
        self, engine: LoopEngine, request: Request, heard: Callable[[str], None]
    ) -> GeneratedText:
        pieces: list[str] = []
        used, ended, tries = None, None, 0
        while True:
            tries += 1
            try:
                async for event in engine.stream(request):
                    if event.type == "delta" and isinstance(event.delta, TextDelta):
                        pieces.append(event.delta.text)
                        heard(event.delta.text)
                    elif event.type == "end":
                        used, ended = event.usage, event.finish_reason
            except BaseException as error:
                away = isinstance(error, RETRYABLE_ERRORS) and tries <= self._settings.retries
                # Chunks that were passed on cannot be taken back.
                if pieces or not away:
                    attach_usage(error, self._make_usage(used, tries))
                    raise
                await self._sleep(_choose_retry_delay(error, tries))
            else:
                return GeneratedText("".join(pieces), self._make_usage(used, tries), ended)

    def _make_usage(self, used: Any, tries: int) -> Usage:
        prompt, cached = getattr(used, "input_tokens", 0), getattr(used, "cache_read_tokens", 0)
        entry = {
            "prompt_tokens": prompt,
            "completion_tokens": getattr(used, "output_tokens", 0),
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        return self._make_meter(lambda: [entry], lambda: tries).read_usage()

    def _make_meter(self, answered: Callable[[], Iterable[Any]], asked: Callable[[], int]) -> Meter:
        return Meter(self._settings, answered, asked, apart=self._manner.marks)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._engine.aclose()

    def _open_engine(
        self, model: str, route: Resolution | None
    ) -> tuple[LoopEngine | LiteLLMEngine, dspy.LM]:
        settings = self._settings
        options: dict[str, Any] = {
            "temperature": self._manner.temperature,
            "max_tokens": self._manner.max_tokens,
            "num_retries": settings.retries,
            "cache": False,
        }
        key = _read_api_key(settings.api_key_env)
        if route is None:
            # Providers that DSPy does not know itself are left to LiteLLM.
            given = {"timeout": settings.timeout, **({"api_key": key} if key is not None else {})}
            other, sync = LiteLLMEngine(**given), SyncEngine(**given)
            return other, dspy.LM(model, engine=sync, async_engine=other, **options)
        config = self._make_router_config(route, key)
        engine = LoopEngine(config)
        return engine, dspy.LM(model, engine=LM15Engine(config), async_engine=engine, **options)

    def _make_router_config(self, route: Resolution, key: str | None) -> RouterConfig:
        settings = self._settings
        own = settings.base_url is not None and key is None
        if key is None and route.env_key and not os.environ.get(route.env_key) and not own:
            raise ProviderError(
                f"settings.nlu.model: '{settings.model}' needs a key, and the environment has no "
                f"{route.env_key}. Set it, or name another variable in settings.nlu.api_key_env; "
                "a server of your own is named in settings.nlu.base_url."
            )
        # An own server must not get a key that was set for another provider.
        keys = {route.provider: key or "none"} if key or own else None
        urls = {route.provider: settings.base_url} if settings.base_url else None
        wait = settings.timeout
        timeouts = Timeouts(read=wait, write=wait, pool=wait)
        return RouterConfig(api_keys=keys, base_urls=urls, timeouts=timeouts)


def _choose_retry_delay(error: Any, tries: int) -> float:
    """Seconds until a retry: what the server asks for, or DSPy's own back-off."""
    asked = error.retry_after
    return float(asked) if asked is not None else float(min(2 ** (tries - 1), 60))


def _resolve_model(settings: Nlu) -> tuple[str, Resolution | None]:
    """The model as DSPy spells it, and its route; None: LiteLLM may know one."""
    model, router = settings.model, LM15Engine(RouterConfig(env={}))
    if not model:
        raise ProviderError(
            "settings.nlu.model is missing: name the model that understands, such as "
            "openai/gpt-5-mini, anthropic/claude-haiku-4-5 or, with settings.nlu.base_url, "
            "the model of an OpenAI-compatible server."
        )
    # A base URL means an OpenAI-compatible server. vLLM's dialect fits more of them: OpenAI has
    # renamed fields that others still call by their old names.
    own = f"hosted_vllm/{model}" if settings.base_url is not None else None
    if own is not None and "/" not in model:
        return own, router.resolve(own)
    try:
        return model, router.resolve(model)
    except UnknownModelError:
        # "Qwen/Qwen2.5-7B-Instruct" is a model's own name: the first part is no provider.
        return (own, router.resolve(own)) if own is not None else (_add_provider_name(model), None)


def _add_provider_name(model: str) -> str:
    """The name, if it begins with a provider."""
    provider, _, name = model.partition("/")
    if provider and name:
        return model
    raise ProviderError(
        f"settings.nlu.model: '{model}' does not say whose model it is. Write provider/name, such "
        "as openai/gpt-5-mini, or name the server that has it in settings.nlu.base_url."
    )


def _read_api_key(variable: str | None) -> str | None:
    if variable is None:
        return None
    key = os.environ.get(variable)
    if not key:
        raise ProviderError(
            f"settings.nlu.api_key_env: the environment has no {variable}. Set it, or leave the "
            "setting out if the model needs no key."
        )
    return key
