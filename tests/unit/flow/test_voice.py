"""Texts and values as the user reads them."""

from typing import Any

import pytest

from soni.config.assistant import Assistant
from soni.config.models import SlotConfig, SoniConfig
from soni.core.errors import Refusal
from soni.core.templates import parse_template
from soni.core.texts import Text, built_in_responses
from soni.flow.voice import Voice, make_label

SLOTS = {
    "name": SlotConfig(),
    "price": SlotConfig(type="number"),
    "count": SlotConfig(type="integer"),
    "agreed": SlotConfig(type="boolean"),
    "day": SlotConfig(type="date"),
    "size": SlotConfig(type="choice", values={"small": (), "large": ()}),
    "pin": SlotConfig(sensitive=True),
}


def voice(
    language: str = "en",
    *,
    seed: str = "ann/1",
    session: dict[str, Any] | None = None,
    responses: dict[str, Text] | None = None,
) -> Voice:
    assistant = Assistant(SoniConfig(slots=SLOTS, responses=responses or {}))
    return Voice(assistant, language, seed, session or {})


@pytest.mark.parametrize(
    "value", ["{pin}", "{{ 1 + 1 }}", "{name}", "{session.key}", "%s {0}", "}{", "\\1 $x"]
)
def test_a_value_is_never_rendered_again(value: str) -> None:
    values = {"name": value, "pin": "4711"}
    assert voice(session={"key": "secret"}).render_text("<{name}>", values) == f"<{value}>"
    assert voice().render_response("correction_done", {"pin": "4711"}, slot="x", value=value) == (
        f"x is now {value}."
    )


@pytest.mark.parametrize(
    ("language", "text", "values", "shown"),
    [
        ("en", "{price}", {"price": 12.0}, "12"),
        ("en", "{price}", {"price": 12.5}, "12.5"),
        ("es", "{price}", {"price": 12.5}, "12,5"),
        ("en", "{count}", {"count": 0}, "0"),
        ("en", "{agreed}", {"agreed": False}, "no"),
        ("en", "{agreed}", {"agreed": True}, "yes"),
        ("es", "{agreed}", {"agreed": True}, "sí"),
        ("en", "{day}", {"day": "2026-03-02"}, "2 March 2026"),
        ("es", "{day}", {"day": "2026-03-02"}, "2 de marzo de 2026"),
        ("en", "{name}", {"name": ""}, ""),
    ],
)
def test_values_are_shown_for_people(
    language: str, text: str, values: dict[str, Any], shown: str
) -> None:
    assert voice(language).render_text(text, values) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (80.0, "80"),
        (True, "yes"),
        (None, ""),
        ([1.0, "b", None], "1, b, "),
        ({"price": 2.5, "direct": False}, "price: 2.5, direct: no"),
    ],
)
def test_a_name_without_a_declaration_is_shown_by_what_it_holds(value: Any, shown: str) -> None:
    assert voice().render_text("{x}", {"x": value}) == shown


def test_a_path_walks_plain_data() -> None:
    values = {"flight": {"price": 80.0, "stops": [{"city": "Oslo"}]}}
    assert voice().render_text("{flight.price}, {flight.stops.0.city}", values) == "80, Oslo"


@pytest.mark.parametrize("text", ["{x}", "{x.y}", "{flight.seat.row}", "{name.upper}"])
def test_what_is_not_there_is_shown_as_nothing(text: str) -> None:
    assert voice().render_text(f"<{text}>", {"flight": {"price": 1}, "name": "Ann"}) == "<>"


def test_session_is_the_callers_context_and_no_slot_hides_it() -> None:
    speaking = voice(session={"user": {"name": "Ann", "age": 30.0}})
    values = {"session": {"user": {"name": "Eve"}}}
    assert speaking.render_text("{session.user.name} {session.user.age}", values) == "Ann 30"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{day | iso}", "2026-03-02"),
        ("{price | raw}", "12.5"),
        ("{agreed | raw}", "true"),
        ("{name | upper}", "ANN LEE"),
        ("{name|title}", "Ann Lee"),
        ("{flight.to | lower}", "oslo"),
        ("{day | upper}", "2 DE MARZO DE 2026"),
        ("{agreed | title}", "Sí"),
        ("{nothing | upper}", ""),
    ],
)
def test_a_filter_shows_a_value_in_another_way(text: str, shown: str) -> None:
    values = {
        "day": "2026-03-02",
        "price": 12.5,
        "agreed": True,
        "name": "ann lee",
        "flight": {"to": "OSLO"},
    }
    assert voice("es").render_text(text, values) == shown


@pytest.mark.parametrize("text", ["{pin}", "{pin | raw}", "{pin | upper}", "{pin.0}"])
def test_a_sensitive_value_is_never_shown(text: str) -> None:
    assert voice().render_text(text, {"pin": "4711"}) == "••••"
    assert voice().show_value("pin", "4711") == "••••"


def test_a_value_stored_before_its_slot_changed_its_type_is_shown_as_it_is() -> None:
    assert voice().render_text("{day} {agreed}", {"day": "someday", "agreed": "perhaps"}) == (
        "someday perhaps"
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Hello"), ("es", "Hola"), ("es-MX", "Qué onda"), ("es-AR", "Hola"), ("fr", "Hello")],
)
def test_a_text_may_be_per_language(language: str, said: str) -> None:
    assert (
        voice(language).render_text({"es": "Hola", "es-MX": "Qué onda", "en": "Hello"}, {}) == said
    )


def test_a_language_nobody_wrote_gets_the_first_one_where_there_is_no_english() -> None:
    assert voice("fr").render_text({"es": "Hola", "de": "Hallo"}, {}) == "Hola"


@pytest.mark.parametrize("language", ["es-ES", "es_MX", "ES"])
def test_values_are_shown_in_the_language_of_any_region(language: str) -> None:
    values = {"price": 2.5, "agreed": True, "day": "2026-03-02"}
    assert (
        voice(language).render_text("{price} {agreed} {day}", values) == "2,5 sí 2 de marzo de 2026"
    )


def test_variations_are_chosen_from_conversation_and_turn() -> None:
    text = ["one", "two", "three"]

    def read(conversation: str) -> list[str]:
        return [voice(seed=f"{conversation}/{turn}").render_text(text, {}) for turn in range(40)]

    assert read("ann") == read("ann")
    assert set(read("ann")) == set(text)
    assert read("ann") != read("bob")


def test_variations_may_be_per_language() -> None:
    text: Text = {"en": ["Hi", "Hello"], "es": ["Hola", "Buenas"]}
    for turn in range(10):
        assert voice("es", seed=f"ann/{turn}").render_text(text, {}) in ("Hola", "Buenas")


@pytest.mark.parametrize("name", sorted(built_in_responses()))
def test_every_built_in_sentence_can_be_overridden(name: str) -> None:
    assert (
        voice(responses={name: "Mine, {name}."}).render_response(name, {"name": "Ann"})
        == "Mine, Ann."
    )


@pytest.mark.parametrize("name", sorted(built_in_responses()))
def test_every_built_in_sentence_exists_in_english_and_spanish(name: str) -> None:
    text = built_in_responses()[name]
    assert isinstance(text, dict)
    words = {language: parse_template(str(text[language])).names for language in ("en", "es")}
    assert words["en"] == words["es"]
    own = dict.fromkeys(words["en"], "Ann")
    for language in ("en", "es"):
        assert "{" not in voice(language).render_response(name, **own)


def test_a_response_knows_its_own_words_and_the_slots() -> None:
    mine = voice(responses={"correction_done": "{slot | upper}: {value}, {name}."})
    assert mine.render_response("correction_done", {"name": "Ann"}, slot="day", value="today") == (
        "DAY: today, Ann."
    )


def test_an_unknown_response_is_an_error_that_names_it() -> None:
    with pytest.raises(KeyError, match="no response is named 'hello'"):
        voice().render_response("hello")


def test_a_refusal_is_said_in_its_own_words_or_by_its_response() -> None:
    assert voice().render_refusal(Refusal("invalid_value", text="Not {today}.")) == "Not {today}."
    assert (
        voice("es").render_refusal(Refusal("invalid_integer")) == "Por favor, da un número entero."
    )
    assert voice().render_refusal(Refusal("invalid_choice", values={"values": "a, {b}"})) == (
        "Please choose one of: a, {b}."
    )


def test_the_prompt_of_a_slot_is_its_own_text_if_it_has_one() -> None:
    slots = {"a": SlotConfig(prompt={"en": "A, {name}?", "es": "¿A, {name}?"}), "b": SlotConfig()}
    speaking = Voice(Assistant(SoniConfig(slots=slots)), "es", "ann/1", {})
    assert speaking.render_prompt("a", {"name": "Ann"}) == "¿A, Ann?"
    assert speaking.render_prompt("b", {}) is None


def test_a_name_reads_as_words() -> None:
    assert make_label("send_money") == "send money"


def test_a_refusal_that_nobody_wrote_a_sentence_for_is_said_plainly() -> None:
    assert voice().render_refusal(Refusal("too_spicy")) == "That value is not possible here."
