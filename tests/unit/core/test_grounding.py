"""What a text states survives other words, or the other words are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soni.core.grounding import find_answer_mistake, find_rewording_mistake


@pytest.mark.parametrize(
    ("original", "written"),
    [
        ("How much do you want to send?", "What amount would you like to send?"),
        ("I did not understand that.", "Sorry, I didn't quite catch that."),
        ("It takes two days.", "Two days is how long it takes."),
        ("Bags up to 23 kg are free.", "You can bring bags of up to 23 kg for free."),
        ("We are in Madrid.", "You find us in Madrid."),
        ("Ann will call you.", "You will get a call from Ann."),
        ("Open from 9 a.m. to 5 p.m.", "We are open from 9 a.m. to 5 p.m."),
        ("Pay [price] by [day].", "Please pay [price] by [day]."),
    ],
)
def test_the_same_in_other_words_is_let_through(original: str, written: str) -> None:
    assert find_rewording_mistake(original, written, "en", ["[price]", "[day]"]) is None


@pytest.mark.parametrize(
    ("original", "written", "reason"),
    [
        ("It takes 2 days.", "It takes 3 days.", "missing: 2; added: 3"),
        ("It takes two days.", "It takes three days.", "missing: two; added: three"),
        ("It takes twenty days.", "It takes twenty one days.", "added: one"),
        ("It takes twenty days.", "It takes twenty-one days.", "missing: twenty; added: twenty-"),
        ("3 days, 2 nights.", "2 days, 3 nights.", "the order of what it states has changed"),
        ("It costs 5 euros.", "It costs 5 dollars.", "missing: euros; added: dollars"),
        ("It costs 5 €.", "It costs 5 $.", "missing: €; added: $"),
        ("It is 5 °C.", "It is -5 °C.", "missing: 5; added: -5"),
        ("Half of it.", "All of it.", "missing: half"),
        ("At 5 p.m.", "At 5 a.m.", "missing: p.m.; added: a.m."),
        ("Until Friday.", "Until Monday.", "missing: friday; added: monday"),
        ("Write to ann@bank.example.", "Write to bob@bank.example.", "missing: ann@bank.example"),
        ("See https://a.example/x.", "See https://b.example/x.", "missing: https://a.example/x"),
        ("Flight IB3170 is late.", "Flight IB3171 is late.", "missing: IB3170; added: IB3171"),
        ("Ask Ann.", "Ask Bob.", "missing: Ann; added: Bob"),
        ("Ann will call you.", "Bob will call you.", "missing: Ann; added: Bob"),
        ("Ann pays for Bob.", "Bob pays for Ann.", "the order of the names has changed"),
        ("Your table is booked.", "Your table is cancelled.", "missing: booked; added: cancelled"),
        ("You can pay.", "You cannot pay.", "what is denied has changed"),
        ("We do not open.", "We open.", "what is denied has changed"),
        ("Where to?", "Tell me where to.", "it is no longer a question"),
        ("Done.", "Done, all right?", "it has become a question"),
        ("Where to? Tell me.", "Tell me: where to?", "it has become a question"),
        ("Done.", "Done.\nHave fun.", "it has more sentences"),
        ("Your parcel is on its way.", "Go on. Your parcel is on its way.", "it has more"),
        ("Hello! I can help you with bookings.", "Please continue.", "it says something else"),
        ("Done.", "Done. " * 20, "it is too long"),
        ("Done.", "  ", "nothing was written"),
        ("Pay [a] to [b].", "Pay [b] to [a].", "the order of what it states has changed"),
        ("Pay [a].", "Pay it.", "missing: [a]"),
        ("Pay [a].", "Pay [a] by [date].", "added: [, ]"),
        ("Pay [a].", "<b>Pay</b> [a].", "added: <, >"),
        ("Pay [a].", "Pay [a] and [a].", "added: [a]"),
        ("Your PIN is ••••.", "Your PIN is set.", "missing: ••••"),
        ("It is ½.", "It is ¼.", "a number has changed"),
        ("Only adults.", "Adults, please.", "missing: only"),
    ],
)
def test_what_is_stated_otherwise_is_refused(original: str, written: str, reason: str) -> None:
    assert (find_rewording_mistake(original, written, "en", ["[a]", "[b]"]) or "").startswith(
        reason
    )


@pytest.mark.parametrize(
    ("original", "written", "reason"),
    [
        ("Tarda dos días.", "Son dos días lo que tarda.", None),
        ("Tarda dos días.", "Tarda tres días.", "missing: dos; added: tres"),
        ("Son treinta y un euros.", "Son treinta euros.", "missing: un"),
        ("El 2 de marzo.", "El 2 de mayo.", "missing: marzo; added: mayo"),
        ("No lo sé.", "Vaya, eso no lo sé.", None),
        ("No abrimos.", "Abrimos.", "what is denied has changed"),
        ("No hay perros. Hay gatos.", "Hay perros. No hay gatos.", "what is denied has changed"),
        ("Hay perros, pero no gatos.", "Hay gatos, pero no perros.", "what is denied has changed"),
        ("Es reembolsable.", "No es reembolsable.", "what is denied has changed"),
        ("Se paga con tarjeta.", "Se paga sin tarjeta.", "what is denied has changed"),
        (
            "El formulario es correcto.",
            "El formulario es incorrecto.",
            "what is denied has changed",
        ),
        ("Los perros no pueden volar.", "Lo siento, los perros no pueden volar.", None),
        ("Te queda un intento.", "Te quedan varios intentos.", "added: varios"),
        ("¿A dónde?", "¿Y a dónde quieres ir?", None),
        ("Vives en Ávila.", "Vives en Soria.", "missing: Ávila; added: Soria"),
    ],
)
def test_in_spanish_as_well(original: str, written: str, reason: str | None) -> None:
    assert find_rewording_mistake(original, written, "es") == reason


@pytest.mark.parametrize(
    ("original", "written"),
    [
        (
            "Bags are included. Meals are not included.",
            "Bags are not included. Meals are included.",
        ),
        ("Dogs are allowed and cats are not.", "Dogs are not allowed and cats are."),
        ("Dogs are allowed, cats aren't.", "Dogs aren't allowed, cats are."),
        ("Dogs but no cats may travel.", "Cats but no dogs may travel."),
        ("Dogs and cats cannot travel.", "Dogs can and cats cannot travel."),
        ("Dogs and cats cannot travel.", "Dogs travel and cats cannot travel."),
        ("We do not sell dogs and cats.", "We sell dogs and no cats."),
        ("Pay [a]. Do not pay [b].", "Do not pay [a]. Pay [b]."),
        ("You can pay without calling us.", "You cannot pay by calling us."),
        ("You pay unless you call.", "You pay if you call."),
        ("Tickets are refundable.", "Tickets are non-refundable."),
        ("Tickets are refundable.", "Tickets are nonrefundable."),
        ("You can refund tickets.", "Tickets are non-refundable."),
        ("Tickets are non-refundable.", "Tickets are refundable."),
        ("The form is complete.", "The form is incomplete."),
        ("You can pay with cash.", "You can pay cashless."),
        (
            "Flex tickets are refundable. Basic tickets are non-refundable.",
            "Flex tickets are non-refundable. Basic tickets are refundable.",
        ),
    ],
)
def test_a_denial_stays_with_its_words(original: str, written: str) -> None:
    mistake = find_rewording_mistake(original, written, "en", ["[a]", "[b]"])
    assert mistake == "what is denied has changed"


@pytest.mark.parametrize(
    ("original", "written"),
    [
        ("Dogs are welcome. Cats are not welcome.", "Dogs are welcome, but cats are not."),
        ("You get a seat if nobody calls.", "If nobody calls, you get a seat."),
        ("You cannot board without a ticket.", "Without a ticket, you can't board."),
        ("Tickets are not refundable.", "Sorry, tickets are non-refundable."),
        ("Tickets are non-refundable.", "All tickets are non-refundable."),
        ("Your card is safe. No money has left it.", "Your card is safe: no money left it."),
    ],
)
def test_a_denial_may_be_said_otherwise(original: str, written: str) -> None:
    assert find_rewording_mistake(original, written, "en") is None


@pytest.mark.parametrize(
    ("original", "written", "reason"),
    [
        ("You have one attempt left.", "You have several attempts left.", "missing: one; added: s"),
        ("One bag is free.", "A bag is free.", "missing: one"),
        ("You may bring a bag.", "You may bring one bag.", "added: one"),
        ("One of the bags is free.", "The bags are free.", "missing: one"),
        ("Which seat do you want?", "Which one of the seats do you want?", None),
        ("I do not know that.", "I do not know that one.", None),
        ("Take this seat.", "This one is the seat to take.", None),
        ("That is the seat.", "The one you see is the seat.", None),
    ],
)
def test_one_is_a_number_where_it_counts(original: str, written: str, reason: str | None) -> None:
    mistake = find_rewording_mistake(original, written, "en")
    assert mistake is None if reason is None else (mistake or "").startswith(reason)


_WORDS = st.lists(st.text("abc ,.", min_size=1, max_size=8), min_size=2, max_size=5)
_NUMBER = st.from_regex(r"[-+]?[0-9]{1,4}([.,:/-][0-9]{1,3}){0,2}", fullmatch=True)


@given(words=_WORDS, one=_NUMBER, other=_NUMBER, filler=_WORDS)
def test_a_changed_number_never_gets_through(
    words: list[str], one: str, other: str, filler: list[str]
) -> None:
    original = f"{' '.join(words[:1])} {one} {' '.join(words[1:])}"
    written = f"{' '.join(filler[:1])} {other} {' '.join(filler[1:])}"
    if one != other:
        assert find_rewording_mistake(original, written, "en") is not None


@given(numbers=st.lists(_NUMBER, min_size=2, max_size=4), data=st.data())
def test_numbers_neither_change_places_nor_get_lost(
    numbers: list[str], data: st.DataObject
) -> None:
    others = data.draw(st.permutations(numbers) | st.lists(st.sampled_from(numbers)))
    original, written = " a ".join(numbers), " a ".join(others)
    mistake = find_rewording_mistake(original, f"x {written}", "en")
    assert (mistake is None) == (numbers == others)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    find_rewording_mistake(one, other, "en")
    find_answer_mistake(one, other, "es", questions=[one], asked=one)


_SAID = st.sampled_from(
    ["dogs", "cats", "are", "not", "no", "unsafe", "safe", ",", ".", "and", "but"]
)


@given(st.lists(_SAID, min_size=1, max_size=12))
def test_a_text_says_the_same_as_itself(words: list[str]) -> None:
    text = f"we said {' '.join(words)}"
    assert find_rewording_mistake(text, text, "en") is None


MEALS = "Hot meals are served on flights of over two hours, for 12 euros."


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Yes, hot meals are served on flights of over two hours.", None),
        ("A hot meal on the plane is 12 euros.", None),
        ("Yes, for 15 euros.", "added: 15"),
        ("Yes, on flights of over three hours.", "added: three"),
        ("Meals cost 12 euros on flights of over two hours.", "the order of what it states"),
        ("Yes, by Gate Gourmet.", "added: Gate, Gourmet"),
        ("No meals are served on flights.", "what is denied has changed"),
        ("There are pizzas, burgers, salads and curries for everyone.", "it says other things"),
        ("Meals are served. " * 20, "it is too long"),
        (" ", "nothing was written"),
    ],
)
def test_an_answer_says_what_its_entry_says(answer: str, reason: str | None) -> None:
    mistake = find_answer_mistake(answer, MEALS, "en", asked="do they feed you on the plane?")
    assert mistake is None if reason is None else (mistake or "").startswith(reason)


@pytest.mark.parametrize(
    ("asked", "answer", "reason"),
    [
        ("so meals are 5 euros, right?", "Yes, meals are 5 euros.", "added: 5"),
        ("are meals free?", "Yes, hot meals are free.", "added: free"),
        ("can Bob have a meal?", "Yes, hot meals are served to Bob for 12 euros.", None),
    ],
)
def test_an_answer_takes_names_from_the_person_but_no_facts(
    asked: str, answer: str, reason: str | None
) -> None:
    assert find_answer_mistake(answer, MEALS, "en", asked=asked) == reason


def test_an_answer_may_state_what_the_question_of_its_entry_states() -> None:
    questions = ["Is lunch at noon?"]
    answer = "Yes, lunch is served at noon."
    assert (
        find_answer_mistake(answer, "Yes, lunch is served then.", "en", questions=questions) is None
    )


PETS = "Dogs are allowed. Cats are not allowed."
TICKETS = "Without a ticket, you cannot board. Tickets are refundable."


@pytest.mark.parametrize(
    ("entry", "answer"),
    [
        (PETS, "Dogs are not allowed."),
        (PETS, "Cats are allowed."),
        (PETS, "No, dogs are allowed."),
        (PETS, "Dogs are not allowed. Cats are allowed."),
        (PETS, "Birds are not allowed."),
        (PETS, "Yes."),
        (PETS, "No."),
        (PETS, "Yes, of course."),
        ("Dogs and cats cannot travel.", "Dogs can travel."),
        ("Dogs and cats cannot travel.", "Dogs travel and cats cannot travel."),
        (TICKETS, "Tickets are non-refundable."),
        (TICKETS, "Tickets are not refundable."),
        (TICKETS, "You can board without a ticket."),
        ("Tickets are refundable.", "Tickets are non-refundable."),
        ("You get the money back.", "It is non-refundable, the money is not back."),
    ],
)
def test_an_answer_denies_only_what_its_entry_denies(entry: str, answer: str) -> None:
    mistake = find_answer_mistake(answer, entry, "en", asked="are dogs or birds refundable?")
    assert mistake == "what is denied has changed"


@pytest.mark.parametrize(
    ("entry", "answer"),
    [
        (PETS, "Yes, dogs are allowed."),
        (PETS, "No, cats are not allowed."),
        (PETS, "No. A cat is not allowed."),
        (PETS, "Dogs are allowed, but cats are not allowed."),
        (TICKETS, "Yes, tickets are refundable."),
        (TICKETS, "No, you cannot board without a ticket."),
        ("Tickets are not refundable.", "No, tickets are non-refundable."),
    ],
)
def test_an_answer_may_take_the_half_of_an_entry_that_was_asked_for(
    entry: str, answer: str
) -> None:
    assert find_answer_mistake(answer, entry, "en", asked="may I bring my cat?") is None
