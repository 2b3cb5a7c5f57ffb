"""Spanish: what to leave out of a question, and what words have in common. Without accents."""

from typing import Final

ASKING: Final = frozenset(
    {"que", "como", "donde", "cuando", "quien", "quienes", "cual", "cuales"}
    | {"cuanto", "cuanta", "cuantos", "cuantas"}
)

FILLERS: Final = frozenset(
    """
    el la los las lo un una unos unas este esta esto estos estas ese esa eso esos esas aquel
    yo me mi mis mio mia tu te ti tus su sus se nos nuestro nuestra vosotros vuestro usted ustedes
    de del a al en con por para sin sobre desde hasta entre
    y e o u ni pero si no ya muy mas tambien solo ahora aqui alli
    es son era eres soy ser estoy estan estas estar esta he ha han hay haber habia tengo tiene
    tienen tener tienes puedo puede pueden puedes poder podria quiero quiere queria quisiera
    necesito necesita hace hacen hacer hago haces debo debe deben deber dime decir saber sabe
    gustaria favor hola buenas buenos dias gracias oye vale porque
    """.split()  # noqa: SIM905 - a list of words reads best as words
)

_PRONOUNS: Final = ("melo", "selo", "sela", "me", "te", "se", "lo", "la", "los", "las", "le", "les",
                    "nos")  # fmt: skip
_ENDINGS: Final = (
    "aciones", "amientos", "imientos", "amiento", "imiento", "encias", "ancias", "acion", "encia",
    "ancia", "ieron", "iendo", "aron", "ando", "aran", "aban", "ados", "adas", "idos", "idas",
    "amos", "emos", "imos", "aste", "iste", "ara", "aba", "ado", "ada", "ido", "ida", "ais", "eis",
    "ar", "er", "ir", "an", "en", "as", "es", "os", "a", "e", "i", "o", "s",
)  # fmt: skip


def whole(word: str) -> str:
    """The word as it is: Spanish joins nothing with an apostrophe."""
    return word


def stem(word: str) -> str:
    """The word without number, gender, tense, and a pronoun behind an infinitive."""
    if len(word) <= 3 or word in ASKING:
        return word
    for pronoun in _PRONOUNS:
        if word.endswith(("ar" + pronoun, "er" + pronoun, "ir" + pronoun)):
            word = word.removesuffix(pronoun)
            break
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    # A stressed vowel breaks: cuesta and costar, cierro and cerrar.
    return word.replace("ue", "o").replace("ie", "e")
