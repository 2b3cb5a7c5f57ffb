"""Asking the model once, and once more with its mistake."""

from typing import Any

import dspy

from soni.du.llm.adapter import AnswerError


async def ask_model(
    predict: dspy.Predict, signature: type[dspy.Signature], **inputs: Any
) -> dspy.Prediction | None:
    """The model's answer; None if it has the wrong form twice."""
    mistake = ""
    for _ in range(2):
        try:
            return await predict.acall(signature=signature, mistake=mistake, **inputs)
        except AnswerError as wrong:
            mistake = wrong.mistake
        except dspy.utils.exceptions.AdapterParseError:
            mistake = "there was no answer"
    return None
