"""branch: exactly one way on, chosen by conditions or by a value."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from soni.core.constants import CONTINUE
from soni.steps.base import Outcome, Ref, StepConfig, StepView

ELSE = "else"


class Arm(BaseModel):
    """`{condition, then}`, or `{else: target}` as the last one."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    condition: str | None = None
    then: str | None = None
    otherwise: str | None = Field(default=None, alias="else")

    @model_validator(mode="after")
    def _check_arm(self) -> Self:
        conditional = self.condition is not None and self.then is not None
        if conditional == (self.otherwise is not None) or (
            self.otherwise is not None and (self.condition or self.then)
        ):
            raise ValueError("a branch arm is either {condition, then} or {else}")
        return self


class BranchStepConfig(StepConfig):
    """`when: [{condition, then}, ..., {else}]`, or `input` with `cases`."""

    main: ClassVar[str] = "when"

    type: Literal["branch"] = "branch"
    when: list[Arm] | None = None  # type: ignore[assignment]  # its arms, not a guard
    input: str | None = None
    cases: dict[str, str] | None = None
    """Value -> target; the key `else` is for all other values."""

    @model_validator(mode="before")
    @classmethod
    def _normalise_cases(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("cases"), dict):
            return {**data, "cases": {_format_case(key): to for key, to in data["cases"].items()}}
        return data

    @model_validator(mode="after")
    def _check_form(self) -> Self:
        if (self.when is None) == (self.input is None) or (self.input is None) != (
            self.cases is None
        ):
            raise ValueError("a branch needs either 'when' with its arms, or 'input' and 'cases'")
        if any(arm.otherwise is not None for arm in (self.when or [])[:-1]):
            raise ValueError("'else' must be the last arm of a branch")
        return self

    def refs(self) -> Iterator[Ref]:
        """Conditions and targets of the arms."""
        for index, arm in enumerate(self.when or []):
            if arm.condition is not None:
                yield Ref("expression", arm.condition, ("when", index, "condition"))
                yield Ref("target", arm.then, ("when", index, "then"), edge=arm.condition)
            else:
                yield Ref("target", arm.otherwise, ("when", index, "else"), edge="else")
        if self.input is not None:
            yield Ref("expression", self.input, ("input",))
        for case, target in (self.cases or {}).items():
            yield Ref("target", target, ("cases", case), edge=case)

    def ways(self) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """One for each arm; without an else, one for when no arm holds."""
        arms = [(ref.edge, ref.path) for ref in self.refs() if ref.kind == "target"]
        yield from arms
        if ELSE not in dict(arms):
            yield ELSE, ()

    async def run(self, view: StepView) -> Outcome:
        """Take the first arm that holds; with none and no else, go on."""
        if self.input is not None:
            cases = self.cases or {}
            case = _format_case(view.evaluate(f"{{{{ {self.input} }}}}"))
            taken = case if case in cases else ELSE
            return Outcome(to=cases.get(taken, CONTINUE), edge=taken)
        for arm in self.when or []:
            if arm.condition is None:
                return Outcome(to=arm.otherwise or CONTINUE, edge=ELSE)
            if view.is_true(arm.condition):
                return Outcome(to=arm.then or CONTINUE, edge=arm.condition)
        return Outcome(edge=ELSE)


def _format_case(value: Any) -> str:
    # YAML reads `true:` and `3:` as keys of other types than the text a case is stored as.
    if isinstance(value, bool):
        return "true" if value else "false"
    # A computed 3.0 matches the case `3`.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "null" if value is None else str(value)


STEP = BranchStepConfig
