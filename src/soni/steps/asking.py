"""What a step that calls actions does about inputs it has not got."""

from soni.steps.base import ActionUse, Failure, Outcome, StepView, Wait


def find_missing_input(use: ActionUse, view: StepView) -> str | None:
    """The first required input that neither the step nor a slot gives."""
    for needed in view.inputs_of(use.action):
        if needed.required and needed.name not in use.inputs and not view.is_set(needed.name):
            return needed.name
    return None


def ask_for(slot: str, view: StepView, on_error: str | None) -> Outcome:
    """Ask for the slot; one that nobody can ask for has its default, or the step fails."""
    question = view.prompt_of(slot)
    default = view.default_of(slot)
    if question is None and default is not None and not view.is_set(slot):
        return Outcome(writes={slot: default}, again=True)
    if question is None:
        reason = f"slot '{slot}' is not set"
        return Outcome(failure=Failure("missing_input", reason, to=on_error))
    return Outcome(wait=Wait(question, slot=slot), unset=(slot,))
