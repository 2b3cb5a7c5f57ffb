"""Skip: an optional slot takes its default or nothing; a required one is needed."""

import pytest

from soni.commands import ChitChat, SkipSlot, StartFlow
from tests.conversations.desk import CANCEL, NO, WEATHER, YES, Line, change, held, put

FORM = """
slots:
  name: {prompt: {en: "Your name?", es: "¿Tu nombre?"}}
  note: {prompt: {en: "Any note?", es: "¿Alguna nota?"}, required: false}
  copies: {type: integer, prompt: {en: "How many?", es: "¿Cuántas?"}, required: false, default: 1}
  gift: {type: boolean, prompt: {en: "A gift?", es: "¿Es un regalo?"}, required: false, default: false}
  card: {prompt: {en: "Card number?", es: "¿Tarjeta?"}, required: false, sensitive: true}
  code: {prompt: "Code?"}
  city: {prompt: "Which city?"}
flows:
  form:
    trigger: {examples: [form, formulario]}
    steps:
      - collect: name
      - collect: note
      - collect: copies
      - {confirm: {en: "{copies} for {name} ({note})?", es: "¿{copies} para {name} ({note})?"}}
      - say: {en: "Done.", es: "Hecho."}
  present: {trigger: {}, steps: [{collect: gift}, {collect: card}, {say: "gift: {gift}, card: {card}."}]}
  enter:
    trigger: {}
    steps:
      - {collect: code, on_skip: guest}
      - {say: "Welcome, {code}.", jump_to: end}
      - {step: guest, say: {en: "Welcome, guest.", es: "Bienvenido."}}
  both: {trigger: {}, steps: [{collect: [note, copies], message: "Note and copies?"}, {say: "{note}, {copies}."}]}
  weather: {trigger: {}, steps: [{collect: city}, {say: "Sun in {city}."}]}
"""  # noqa: E501 - a slot reads best on one line
SKIP = SkipSlot()
FORM_OF_ANN = StartFlow(flow_name="form", slots={"name": "Ann"})
START: Line = (FORM_OF_ANN, ["Any note?"])


async def _held(lines: list[Line], keys: str = "", language: str = "en") -> dict[str, object]:
    talk = await held(lines, f"{keys}\n{FORM}", "", language)
    return talk.slots


@pytest.mark.parametrize("word", ["skip", "Skip it.", "I don't care", "no preference", "pass"])
async def test_words_for_it(word: str) -> None:
    await _held([START, (word, ["How many?"])])


@pytest.mark.parametrize("word", ["omitir", "me da igual", "Paso.", "sáltalo"])
async def test_words_for_it_in_spanish(word: str) -> None:
    await _held([(FORM_OF_ANN, ["¿Alguna nota?"]), (word, ["¿Cuántas?"])], language="es")


async def test_without_a_default_it_is_nothing_and_never_asked_again() -> None:
    slots = await _held([START, (SKIP, ["How many?"]), ("3", ["3 for Ann ()?"])])
    assert slots == {"name": "Ann", "note": None, "copies": 3}


async def test_a_default_is_taken() -> None:
    slots = await _held([START, (SKIP, ["How many?"]), (SKIP, ["1 for Ann ()?"]), (YES, ["Done."])])
    assert slots == {}


async def test_a_default_that_is_false_is_a_value() -> None:
    start = StartFlow(flow_name="present")
    await _held([(start, ["A gift?"]), (SKIP, ["Card number?"]), (SKIP, ["gift: no, card: ••••."])])


@pytest.mark.parametrize(
    ("language", "asked", "needed"),
    [
        ("en", "Your name?", "I need name to go on."),
        ("es", "¿Tu nombre?", "Necesito name para continuar."),
    ],
)
async def test_a_required_one_is_needed(language: str, asked: str, needed: str) -> None:
    start = StartFlow(flow_name="form")
    await _held(
        [(start, [asked]), (SKIP, [needed, asked]), (SKIP, [needed, asked])], language=language
    )


async def test_the_words_for_that_are_the_authors() -> None:
    own = 'responses: {skip_required: {en: "Not without {slot}.", es: "Sin {slot} no."}}'
    start = StartFlow(flow_name="form")
    await _held([(start, ["Your name?"]), (SKIP, ["Not without name.", "Your name?"])], own)
    await _held([(start, ["¿Tu nombre?"]), (SKIP, ["Sin name no.", "¿Tu nombre?"])], own, "es")


async def test_on_skip_leads_away_even_if_the_slot_is_required() -> None:
    start = StartFlow(flow_name="enter")
    await _held([(start, ["Code?"]), (SKIP, ["Welcome, guest."])])
    await _held([(start, ["Code?"]), ("omitir", ["Bienvenido."])], language="es")


async def test_one_that_comes_later_is_not_asked_at_all() -> None:
    both = (put("note", "hi"), SkipSlot(slot_name="copies"))
    await _held([START, (both, ["1 for Ann (hi)?"])])


async def test_one_by_name_while_another_is_asked() -> None:
    await _held([START, (SkipSlot(slot_name="copies"), ["Any note?"]), ("hi", ["1 for Ann (hi)?"])])


async def test_two_in_one_message() -> None:
    both = (SkipSlot(slot_name="note"), SkipSlot(slot_name="copies"))
    await _held([START, (both, ["1 for Ann ()?"])])


async def test_of_two_slots_in_one_question_the_first_then_the_second() -> None:
    start = StartFlow(flow_name="both")
    await _held([(start, ["Note and copies?"]), (SKIP, ["How many?"]), (SKIP, [", 1."])])


async def test_a_skipped_one_can_be_given_afterwards() -> None:
    await _held([
        START, (SKIP, ["How many?"]), (put("note", "hi"), ["note is now hi.", "How many?"]),
        ("2", ["2 for Ann (hi)?"]),
    ])  # fmt: skip


async def test_one_that_was_given_can_be_skipped_afterwards() -> None:
    await _held([
        START, ("hi", ["How many?"]), ("2", ["2 for Ann (hi)?"]),
        (SkipSlot(slot_name="note"), ["2 for Ann ()?"]),
    ])  # fmt: skip


async def test_at_a_confirmation_there_is_nothing_asked_to_skip() -> None:
    sure = "1 for Ann ()?"
    await _held([
        START, (SKIP, ["How many?"]), (SKIP, [sure]),
        ("skip", ["I did not understand that.", sure]),
    ])  # fmt: skip


async def test_denied_and_asked_again_it_can_be_skipped_after_all() -> None:
    await _held([
        START, ("hi", ["How many?"]), ("2", ["2 for Ann (hi)?"]),
        ("no, change the note", ["Any note?"]), ("skip", ["2 for Ann ()?"]),
    ])  # fmt: skip


async def test_idle_there_is_nothing_to_skip() -> None:
    await _held([(SKIP, ["I did not understand that."])])
    await _held([(SKIP, ["No lo he entendido."])], language="es")


async def test_beside_a_correction_both_happen() -> None:
    both = (SKIP, change("name", "Eve"))
    await _held([START, (both, ["name is now Eve.", "How many?"])])


async def test_beside_small_talk_both_happen() -> None:
    await _held([START, ((SKIP, ChitChat()), ["I'm here to help.", "How many?"])])


async def test_beside_another_wish_it_is_skipped_before_that() -> None:
    weather = StartFlow(flow_name="weather")
    back = ["Sun in Rome.", "Back to form.", "How many?"]
    await _held([START, ((SKIP, weather), ["Which city?"]), ("Rome", back)])


async def test_beside_a_cancel_only_the_cancel_counts() -> None:
    await _held([START, ((SKIP, CANCEL), ["I have cancelled form."])])


async def test_skipping_after_an_interruption_skips_the_question_that_came_back() -> None:
    await _held([
        START, (WEATHER, ["Which city?"]), (SKIP, ["I need city to go on.", "Which city?"]),
        ("Rome", ["Sun in Rome.", "Back to form.", "Any note?"]), (SKIP, ["How many?"]),
    ])  # fmt: skip


async def test_a_yes_no_question_is_skipped_not_denied() -> None:
    start = StartFlow(flow_name="present", slots={"card": "1"})
    await _held([(start, ["A gift?"]), ("skip", ["gift: no, card: ••••."])])
    await _held([(start, ["A gift?"]), (NO, ["gift: no, card: ••••."])])
