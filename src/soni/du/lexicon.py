"""Short answers people give, by language: exact words for what needs no model."""

from collections.abc import Mapping
from types import MappingProxyType


def _words(text: str) -> frozenset[str]:
    return frozenset(phrase.strip() for phrase in text.split("|"))


# Affirm and deny are exact; a word too many makes it a different answer.
LEXICON: Mapping[str, Mapping[str, frozenset[str]]] = MappingProxyType({
    "en": MappingProxyType({
        "affirm": _words(
            "yes|y|yeah|yep|yup|sure|ok|okay|right|correct|of course|go ahead|please do|do it|"
            "yes please|that's right|that is right|confirm|i confirm|sounds good|absolutely"
        ),
        "deny": _words(
            "no|n|nope|nah|not really|no thanks|no thank you|don't|do not|wrong|that's wrong|"
            "that is wrong|rather not|better not|none|none of them|neither"
        ),
        "cancel": _words(
            "cancel|cancel it|cancel that|cancel this|stop|abort|quit that|never mind|nevermind|"
            "forget it|forget that|forget about it|drop it"
        ),
        "repeat": _words("repeat|repeat that|say that again|again please|what did you say|pardon"),
        "skip": _words("skip|skip it|skip this|skip that|no preference|i don't care|pass"),
        "human": _words(
            "human|agent|operator|talk to a human|talk to a person|talk to an agent|"
            "i want to talk to a human|i want to talk to a person|speak to a human|"
            "speak to a person|a real person"
        ),
        "why": _words(
            "why|why do you need that|why do you ask|what for|help|help me|i need help|"
            "what are the options|what are my options|which options|what can i choose|"
            "what can you do"
        ),
        "greeting": _words(
            "hi|hello|hey|hello there|hi there|good morning|good afternoon|good evening|"
            "thanks|thank you|how are you"
        ),
        "resume": _words("go back|back|continue|resume|where were we"),
    }),
    "es": MappingProxyType({
        "affirm": _words(
            "sí|si|s|claro|vale|ok|de acuerdo|correcto|por supuesto|adelante|hazlo|"
            "sí por favor|si por favor|confirmo|exacto|eso es"
        ),
        "deny": _words("no|n|no gracias|mejor no|para nada|incorrecto|ninguno|ninguna|mal"),
        "cancel": _words(
            "cancela|cancelar|cancélalo|cancelalo|déjalo|dejalo|para|olvídalo|olvidalo|"
            "no importa|anula|anular"
        ),
        "repeat": _words("repite|repítelo|repitelo|otra vez|cómo dices|como dices|perdona"),
        "skip": _words("omitir|omite|sáltalo|saltalo|me da igual|paso"),
        "human": _words(
            "humano|agente|operador|persona|hablar con una persona|"
            "quiero hablar con una persona|quiero hablar con un agente"
        ),
        "why": _words(
            "por qué|por que|para qué|para que|por qué lo necesitas|por que lo necesitas|"
            "ayuda|ayúdame|ayudame|necesito ayuda|qué opciones hay|que opciones hay|"
            "qué opciones tengo|que opciones tengo|qué puedo elegir|que puedo elegir|"
            "qué puedes hacer|que puedes hacer"
        ),
        "greeting": _words(
            "hola|buenas|buenos días|buenos dias|buenas tardes|buenas noches|gracias|qué tal"
        ),
        "resume": _words("vuelve|volver|continúa|continua|sigue|seguimos"),
    }),
})  # fmt: skip

ORDINALS: Mapping[str, int] = MappingProxyType({
    "first": 1, "the first one": 1, "first one": 1, "the first": 1, "one": 1, "1": 1,
    "second": 2, "the second one": 2, "second one": 2, "the second": 2, "two": 2, "2": 2,
    "third": 3, "the third one": 3, "third one": 3, "the third": 3, "three": 3, "3": 3,
    "el primero": 1, "la primera": 1, "el segundo": 2, "la segunda": 2,
    "el tercero": 3, "la tercera": 3, "uno": 1, "dos": 2, "tres": 3,
})  # fmt: skip


def means(text: str, meaning: str, language: str) -> bool:
    """Whether the whole message is one of the phrases, in the language or in English."""
    own = LEXICON.get(language.split("-")[0], LEXICON["en"])
    return text in own[meaning] or text in LEXICON["en"][meaning]
