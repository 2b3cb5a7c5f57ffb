"""Spanish words as rules compare them: without accents, endings, and words that say nothing."""

import re
from collections.abc import Iterator
from typing import Final

from soni.du.local.words.words import normal, unaccented

_NOTHING: Final = (
    "a al algo alguien algun alguna algunas alguno algunos ante aqui asi aun aunque bajo bien "
    "bueno buenas buenos cada casi como con conmigo contra cosa cosas cual cuando cuanta cuanto "
    "cuantas cuantos de del desde donde dos durante e el ella ellas ellos en entonces entre era "
    "es esa esas ese eso esos esta estan estar estas este esto estos estoy eres favor fue gracias "
    "gusta gustaria ha hace hacer hago hacen han hasta hay haya he hemos hola hoy igual ir la las "
    "le les lo los luego mas mal manana me mejor menos mi mia mio mios mis mismo mucha mucho "
    "muchos muy nada ni ninguna ninguno no nos nosotros nuestra nuestro o ok os otra otras otro "
    "otros oye para pero perdon perdona podeis podemos poder podria podriais podrias poco por "
    "porfa porque puede pueden puedes puedo pues que queria queremos querer quien quiere quieren "
    "quieres quiero quisiera se sea ser si siempre sin so sobre sois solo somos son soy su sus "
    "suya suyo tal tambien tan tanto te tenemos tener tengo ti tiene tienen tienes toda todas "
    "todo todos tras tu tus tuya tuyo un una unas uno unos usted ustedes va vale vamos van varias "
    "varios veces ver vez vosotros voy vuestra vuestro y ya yo hecho haz dar dame deme dadme "
    "damos dais das doy necesito necesitamos necesitaria falta deseo ahora tarde noche dia dias "
    "semana semanas mes meses lunes martes miercoles jueves viernes sabado sabados domingo "
    "domingos tres cuatro cinco seis siete ocho nueve diez once doce ayer ademas mientras antes "
    "despues aparte encima tipo "
)
_STOP: Final = frozenset(_NOTHING.split())
_CLITICS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(.{2,}(?:ar|er|ir|ando|iendo))(?:(?:me|te|se|nos|os)?l[oae]s?|me|te|se|nos|os)",
        r"(.{3,}(?:en|an|a|e|ad|ed|id))(?:me|te|se|nos)l[oae]s?",
        r"(.{3,}(?:ad|ed|en))(?:me|nos|l[oae]s?)",
    )
)
_ENDING: Final = re.compile(
    r"(?<=...)(?:[ai]mientos?|[aiu]?ciones|[aiu]?cion|iones|ion|adora?s?|adores|anzas?|"
    r"idades|idad|ancias?|encias?|mente|ando|iendo|[aei]riamos|[aei]remos|arian?|"
    r"abamos|abais|aban?|abas|[ai]d[oa]s?|asteis|aste|iste|aron|ieron|amos|emos|imos|"
    r"ais|eis|is|ias?|ian|ar|er|ir|ad|ed|id|an|en|os|as|es|o|a|e|s)$"
)
# "Recojo" and "recoger", "pague" and "pagar", "busque" and "buscar", "cruce" and "cruzar".
_SPELT: Final = ((re.compile(r"qu$|z$"), "c"), (re.compile(r"gu$|j$"), "g"), (re.compile("i$"), ""))
# Of shorter stems one begins like another by chance.
_ALIKE, _LONGER = 5, 4


def fold(text: str) -> str:
    """A text without case, signs and accents: people leave them out."""
    return unaccented(normal(text))


def stem(word: str) -> str:
    """A folded word without the endings of its verb or noun."""
    for pattern in _CLITICS:
        match = pattern.fullmatch(word)
        if match:
            word = match[1]
            break
    root = _ENDING.sub("", word)
    for ending, plain in _SPELT:
        root = ending.sub(plain, root)
    return root if len(root) > 1 else word


def stems(text: str) -> frozenset[str]:
    """The words of a text that say something, each by its stem."""
    words = (word for word in fold(text).split() if word not in _STOP)
    return frozenset(stem(word) for word in words if len(word) > 1 and not word[0].isdigit())


def alike(one: str, other: str) -> bool:
    """Whether two stems are of one word: the same, or one a little longer."""
    return one == other or one in beginnings(other) or other in beginnings(one)


def beginnings(word: str) -> Iterator[str]:
    """The shorter stems that may be of the same word."""
    return (word[:end] for end in range(max(_ALIKE, len(word) - _LONGER), len(word)))
