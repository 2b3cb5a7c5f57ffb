"""Settings that name a flow or an action, or depend on another setting."""

from typing import Final

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.program import (
    Program,
    ProgramError,
    describe_differences,
    digest_flows,
    digest_slots,
    read_program,
)
from soni.core.discovery import PROVIDERS, STORES
from soni.language.registry import has_language, list_language_codes

_MODEL_PROVIDERS: Final = ("llm", "cascade")
"""Providers that ask a language model."""

_PROGRAM_PARTS: Final = {
    "local": ("local",),
    "llm": ("llm",),
    "cascade": ("local", "llm", "threshold"),
}
"""What of a program each provider can use."""

PROGRAM_PATH: Final = ("settings", "nlu", "program")


_SCRIPTED: Final = (
    "it is for tests, which bring the script: `soni test DIR --nlu scripted`, or "
    "`RuntimeLoop(config, nlu=ScriptedNLU([...]))` with soni.testing"
)


def check_settings(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """The provider, the store, the default flow, the fallback flow and the handoff action."""
    _check_language(assistant.config.settings.language, report)
    _check_kinds(assistant, report)
    _check_model(assistant, report)
    config, settings = assistant.config, assistant.config.settings
    conversation = settings.conversation
    for key in ("default_flow", "fallback_flow"):
        name = getattr(conversation, key)
        if name is not None and name not in config.flows:
            path = ("settings", "conversation", key)
            remedy = "write it under `flows`"
            report.add_unknown(path, "flow", name, config.flows, code="E202", remedy=remedy)
    if conversation.on_no_progress == "fallback" and conversation.fallback_flow is None:
        at, remedy = (
            ("settings", "conversation", "on_no_progress"),
            "name one: `fallback_flow: ...`",
        )
        report.add(at, "there is no fallback flow", code="E213", remedy=remedy)
    action = settings.handoff.action
    known = assistant.functions.actions
    if action is not None and action not in known and report.functions_known:
        remedy = "mark a function of that name with @action in actions.py"
        path = ("settings", "handoff", "action")
        report.add_unknown(path, "action", action, known, code="E501", remedy=remedy)


def _check_language(code: str, report: Report) -> None:
    if has_language(code):
        return
    from babel import Locale, UnknownLocaleError

    path, known = ("settings", "language"), sorted(list_language_codes())
    try:
        Locale.parse(code, sep="_" if "_" in code else "-")
    except (UnknownLocaleError, ValueError):
        remedy = "give the code of a language, such as `en` or `es-MX`"
        report.add_unknown(path, "language", code, known, code="E216", remedy=remedy)
    else:
        reason = f"there are no words of '{code}': its users are read and answered in English"
        remedy = (
            "take an available language, write a file of words (docs/languages.md), or leave it "
            "if a language model understands and `responses` are in that language"
        )
        report.add(path, reason, code="W609", remedy=remedy, available=tuple(known))


def _check_kinds(assistant: Assistant, report: Report) -> None:
    settings = assistant.config.settings
    named = (
        (("settings", "nlu", "provider"), "provider", settings.nlu.provider, PROVIDERS),
        (("settings", "persistence", "backend"), "store", settings.persistence.backend, STORES),
    )
    for path, what, name, kind in named:
        if kind.is_offered(name):
            continue
        remedy = f"install a package that has it (entry points `{kind.group}`), or take another"
        remedy = _SCRIPTED if name == "scripted" else remedy
        report.add_unknown(path, what, name, kind.list_names(), code="E215", remedy=remedy)


def _check_model(assistant: Assistant, report: Report) -> None:
    nlu = assistant.config.settings.nlu
    if nlu.provider in _MODEL_PROVIDERS and nlu.model is None:
        report.add(
            ("settings", "nlu", "provider"),
            f"'model' is missing: '{nlu.provider}' asks a language model",
            code="E102",
            remedy="name it beside the provider, such as `model: openai/gpt-5-mini`, or set "
            "SONI_SETTINGS__NLU__MODEL; `provider: local` needs none",
        )


def check_program(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Check the learnt program, apart from its commands, which this layer does not know."""
    nlu = assistant.config.settings.nlu
    if nlu.program is None:
        return
    try:
        program = read_program(assistant.config.folder, nlu.program)
    except ProgramError as error:
        problem = error.problem
        report.add(PROGRAM_PATH, problem.message, code=problem.code, remedy=problem.remedy)
        return
    _check_made_for(assistant, program, report)
    parts = _PROGRAM_PARTS.get(nlu.provider, ())
    if parts and all(getattr(program, part) is None for part in parts):
        remedy = f"run `soni optimize --provider {nlu.provider}`, or remove the key"
        message = f"made for the provider '{program.provider}'; it holds nothing for '{{}}'"
        report.add(PROGRAM_PATH, message.format(nlu.provider), code="E903", remedy=remedy)


def _check_made_for(assistant: Assistant, program: Program, report: Report) -> None:
    made_for = program.made_for
    found = [
        *describe_differences("flows", made_for.flows, digest_flows(assistant)),
        *describe_differences("slots", made_for.slots, digest_slots(assistant)),
    ]
    if found:
        remedy = "run `soni optimize` again, or remove the key"
        message = f"made for other flows ({'; '.join(found)})"
        report.add(PROGRAM_PATH, message, code="E902", remedy=remedy)
