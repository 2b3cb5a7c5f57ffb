"""A value as its slot type would store it."""

from datetime import datetime

import pytest

from soni.config.slot import SlotConfig
from soni.core.errors import Refusal
from soni.slots import SlotEnv, slot_types

MONDAY = datetime(2026, 3, 2, 10, 0)


@pytest.fixture
def coerce():
    """What a slot of this type stores for a value; the response's name if it refuses."""

    def stored(kind, value, language="en", **slot):
        config = SlotConfig(type=kind, **slot)
        kind_of_slot = slot_types()[kind]
        try:
            found = kind_of_slot.coerce(value, config, SlotEnv(MONDAY, language))
        except Refusal as refused:
            return refused.response
        assert kind_of_slot.check(found, config)
        return found

    return stored
