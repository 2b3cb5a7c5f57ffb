"""Which of many flows somebody wants in Spanish."""

import sys
from typing import Any

from soni.du import FlowBrief
from soni.du.local.lexical.flows import find_flow_by_stems, has_known_word, rank_flow_matches
from soni.language import find_language

SPANISH = find_language("es")

_VERBS = ("reservar", "cancelar", "consultar", "arreglar", "vender", "pintar", "mover", "asegurar")
_THINGS = ("bicicleta", "caldera", "puente", "alfombra", "cortina", "escritorio", "ascensor")
_MESSAGE = "a ver si alguien puede arreglar nuestro ascensor"


def flows(things: int) -> tuple[FlowBrief, ...]:
    """A flow for everything that can be done with so many things."""
    return tuple(
        FlowBrief(
            name=f"{verb}_{thing}_{number}",
            description=f"Ayuda para {verb} un {thing}",
            examples=(f"quiero {verb} un {thing}", f"necesito {verb} mi {thing}"),
        )
        for number, verb in enumerate(_VERBS)
        for thing in _THINGS[-things:]
    )


def work(known: tuple[FlowBrief, ...]) -> int:
    """How many calls it takes to compare a message with flows that have been seen before."""
    rank_flow_matches(_MESSAGE, known, SPANISH)
    calls = 0

    def count(*_: Any) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        rank_flow_matches(_MESSAGE, known, SPANISH)
    finally:
        sys.setprofile(None)
    return calls


def test_with_more_flows_a_message_takes_more_work_but_not_by_its_square() -> None:
    few, many = flows(1), flows(7)
    assert len(many) == 7 * len(few)
    assert work(many) < 10 * work(few)


def test_of_many_flows_the_one_with_most_of_the_words_is_found() -> None:
    best, second, *_ = rank_flow_matches(_MESSAGE, flows(7), SPANISH)
    assert best.flow == "arreglar_ascensor_3"
    assert best.evidence > second.evidence


def test_a_word_is_known_in_another_form_and_in_english() -> None:
    english = FlowBrief(name="repair_lift", description="Repair a lift", examples=("fix the lift",))
    assert find_flow_by_stems("los arreglos", flows(1), SPANISH) is not None
    assert find_flow_by_stems("arreglar", (english,), SPANISH) is english
    assert has_known_word("quiero arreglarlo", (english,), (), SPANISH)
    assert not has_known_word("quiero una pizza", (*flows(7), english), (), SPANISH)
