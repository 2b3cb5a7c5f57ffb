"""The base of every configuration model."""

from pydantic import BaseModel, ConfigDict


class Config(BaseModel):
    """Unknown keys are mistakes, and nothing changes after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)
