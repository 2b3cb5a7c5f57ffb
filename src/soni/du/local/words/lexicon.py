"""Short answers people give, by language: exact words for what needs no model."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from soni.du.local.words.words import unaccented
from soni.language import base_language


def _words(text: str) -> frozenset[str]:
    return frozenset(phrase.strip() for phrase in text.split("|"))


# Affirm and deny are exact; a word too many makes it a different answer.
LEXICON: Mapping[str, Mapping[str, frozenset[str]]] = MappingProxyType({
    "en": MappingProxyType({
        "affirm": _words(
            "yes|y|yeah|yea|ye|yep|yup|yess|sure|sure thing|ok|okay|k|okey|alright|all right|"
            "right|correct|of course|go ahead|go for it|please do|do it|do that|yes do it|"
            "yes please|yes sir|yes thanks|yes thank you|that's right|that is right|that's correct|"
            "that is correct|yes that's right|yes that is right|yes correct|yes it is|it is|"
            "that's it|that's fine|that is fine|fine|confirm|confirmed|i confirm|sounds good|"
            "sounds great|that sounds good|looks good|looks right|all good|absolutely|definitely|"
            "certainly|exactly|perfect|great|good|very good|agreed|i agree|proceed|please proceed|"
            "affirmative|indeed|by all means|why not|let's do it|let's go|works for me|"
            "fine by me|fine with me|i'll take it|"
            "that works|yes i do|i do|yes i am|i am|yes i would|you bet|for sure|true|"
            "that would be great|that'd be great|that would be lovely|that would be nice|"
            "yes please do|i'd love to|lovely idea|good idea|great idea|sure no problem|"
            "yes no problem|ok no problem|okay no problem|sure why not|yes why not|aye|gladly|"
            "count me in|i'm in|spot on|all true|all correct|all fine|lovely|brilliant|wonderful|"
            "super|superb|excellent|fantastic|awesome|sadly true|quite right|quite so|just so|"
            "suits me|suits me fine|happy with that|i'm happy with that|as i said"
        ),
        "deny": _words(
            "no|n|nope|nop|nah|naw|nay|no no|not really|no thanks|no thank you|don't|do not|"
            "don't do it|don't do that|please don't|wrong|that's wrong|that is wrong|it's wrong|"
            "incorrect|that's not right|that is not right|that isn't right|not right|not correct|"
            "that's not correct|that is not correct|that's incorrect|rather not|better not|none|"
            "none of them|neither|no way|never|not at all|absolutely not|certainly not|not yet|"
            "negative|by no means|no i don't|i don't|no it isn't|it isn't|it's not|no it's not|"
            "not now|nothing|i don't think so|of course not|not quite|false|no need|"
            "don't think so|god no|not necessary|i'd rather not|not this time"
        ),
        "cancel": _words(
            "cancel|cancel it|cancel that|cancel this|cancel all|cancel everything|cancel it all|"
            "please cancel|stop|stop it|stop this|stop that|abort|quit|quit that|quit this|"
            "never mind|nevermind|nvm|forget it|forget that|forget this|forget about it|"
            "forget about that|forget the whole thing|drop it|drop that|leave it|leave that|"
            "scrap that|scrap it|call it off|no stop|stop please|cancel the whole thing|"
            "i changed my mind|changed my mind|let's do this later|can we do this later|"
            "i'll do this later|let's do it later|i'll do it later|i don't want this|"
            "i don't want this anymore|i don't want to do this|exit|end this|let it be|let's stop|"
            "let's stop here"
        ),
        "repeat": _words(
            "repeat|repeat that|repeat please|please repeat|say that again|say it again|"
            "again please|once more|once again|one more time|what did you say|pardon|pardon me|"
            "sorry what|what was that|what was the question|come again|can you repeat that|"
            "could you repeat that|can you repeat|could you repeat|i didn't catch that|"
            "i didn't get that|i missed that|what did you ask|excuse me|repeat the question|"
            "can you say that again|could you say that again|say again"
        ),
        "skip": _words(
            "skip|skip it|skip this|skip that|skip please|skip this one|no preference|i don't care|"
            "pass|don't care|doesn't matter|it doesn't matter|whatever|any|anything|i don't mind|"
            "don't mind|i don't know|dunno|i've no idea|i have no idea|no clue|i haven't a clue|"
            "i dunno|don't know|no idea|not sure|i'm not sure|"
            "leave it empty|leave it blank|leave blank|leave it out|next|i'd rather not say|"
            "i would rather not say|rather not say|prefer not to say|i'd rather not|not needed|"
            "not necessary|no need|n a|up to you|you choose|i have none|i don't have one|"
            "i don't have any|without|don't know yet|i don't know yet|not sure yet|no idea yet|"
            "you decide|you pick|surprise me|your call|whatever you think|pick one for me|"
            "haven't a clue|haven't the faintest|haven't the foggiest|i haven't the faintest|"
            "i'm easy|i am easy|i'm flexible|either|either one|either is fine|either will do|"
            "can't tell|i can't tell|can't say|i can't say|hard to say|no reason|"
            "no particular reason"
        ),
        "human": _words(
            "human|agent|operator|person|representative|support|talk to a human|talk to a person|"
            "talk to an agent|talk to someone|i want to talk to a human|i want a human|"
            "i want to talk to a person|speak to a human|speak to an agent|speak to someone|"
            "speak to a person|a real person|real person|a human please|a person please|"
            "an agent please|human please|agent please|live agent|customer service|"
            "customer support|get me a human|get me a person|i need a human"
        ),
        "why": _words(
            "why|why do you need that|why do you need this|why do you ask|why is that|what for|"
            "what is that for|help|help me|help please|i need help|what are the options|"
            "what are my options|which options|what options are there|options|what can i choose|"
            "what can i say|what can you do|what can you help me with|what do you do|"
            "what does that mean|what do you mean|how does this work|which ones|such as"
        ),
        "greeting": _words(
            "hi|hello|hey|hiya|heya|howdy|yo|hi again|hello again|hey there|"
            "hello there|hi there|good morning|morning|good afternoon|"
            "good evening|good night|good day|thanks|thank you|thanks a lot|thank you very much|"
            "thank you so much|many thanks|thx|ty|cheers|how are you|how are you doing|"
            "how's it going|what's up|bye|goodbye|bye bye|see you|see you later|see ya|lol|haha|"
            "hahaha|cool|wow|great thanks|have a nice day|who are you|sorry|my bad|greetings|"
            "nice to meet you|are you a robot|are you a bot|are you human"
        ),
        "pause": _words(
            "hm|hmm|hmmm|uh|um|uhm|er|ehm|well|let me think|let me see|one moment|one second|"
            "just a moment|just a second|wait|wait a moment|wait a second|hold on|hang on|"
            "give me a moment|give me a second|maybe|perhaps|i'm thinking|one sec|one minute|"
            "just a minute|give me a minute|wait a minute|wait a sec|hang on a second|"
            "hang on a sec|hang on a minute|hold on a second|hold on a moment|hold on a minute|"
            "let me think about it|let me think about that|let me check|let me look|"
            "i am not sure yet|i'm not sure yet|i need to think"
        ),
        "resume": _words(
            "go back|back|continue|resume|where were we|let's continue|let's go on|go on|carry on|"
            "back to it|back to before|let's go back"
        ),
    }),
    "es": MappingProxyType({
        "affirm": _words(
            "sí|si|s|sip|claro|claro que sí|claro que si|vale|ok|okey|bien|muy bien|está bien|"
            "esta bien|de acuerdo|correcto|es correcto|así es|asi es|por supuesto|adelante|hazlo|"
            "sí por favor|si por favor|sí gracias|si gracias|sí claro|si claro|confirmo|"
            "confirmado|exacto|exactamente|eso es|perfecto|desde luego|sí hazlo|si hazlo|dale|"
            "genial|me parece bien|venga|todo bien|todo correcto|sí es correcto|cierto|sin duda|"
            "sí quiero|si quiero|sí sí|si si|cómo no|como no|me vale|me sirve|estupendo|fenomenal|"
            "afirmativo|efectivamente|ya lo creo|obvio|dale sí|por favor sí|sí así es|"
            "sí está bien|si esta bien|sí todo bien|si todo bien|sí todo correcto|así está bien|"
            "todo perfecto|sí perfecto|sí correcto|si correcto|claro hombre|va|sí venga|hecho"
        ),
        "deny": _words(
            "no|n|no no|no gracias|mejor no|para nada|incorrecto|no es correcto|ninguno|ninguna|"
            "mal|está mal|esta mal|no está bien|no esta bien|no lo hagas|de ninguna manera|"
            "en absoluto|nunca|tampoco|qué va|que va|claro que no|por supuesto que no|aún no|"
            "todavía no|todavia no|no quiero|eso no|no es eso|no hace falta|no es necesario|"
            "falso|negativo|ni hablar|no del todo|nop|de momento no|por ahora no|no todavía no|"
            "nada de eso|en ningún caso|no así no|así no|no qué va|no para nada|no me gusta|"
            "no está correcto|no esta correcto|hay un error|no es así"
        ),
        "cancel": _words(
            "cancela|cancelar|cancele|cancélalo|cancelalo|cancela eso|cancela esto|cancela todo|"
            "cancélala|"
            "déjalo|dejalo|déjalo estar|dejalo estar|déjalo ya|para|para ya|olvídalo|olvidalo|"
            "olvida eso|olvídate|no importa|anula|anular|anúlalo|anulalo|ya no quiero|"
            "ya no lo quiero|he cambiado de idea|cambié de idea|mejor déjalo|mejor dejalo|"
            "quiero cancelar|salir|termina|basta|no quiero seguir"
        ),
        "repeat": _words(
            "repite|repítelo|repitelo|repite por favor|otra vez|cómo dices|como dices|perdona|"
            "perdón|perdon|cómo|qué has dicho|que has dicho|qué dijiste|que dijiste|"
            "puedes repetir|puedes repetirlo|puede repetir|me lo repites|no te he entendido|"
            "no te entendí|no entendí|cuál era la pregunta|cual era la pregunta|una vez más"
        ),
        "skip": _words(
            "omitir|omite|omítelo|sáltalo|saltalo|sáltatelo|saltar|me da igual|da igual|paso|"
            "no lo sé|no lo se|no sé|no se|ni idea|no estoy seguro|no estoy segura|nada|ninguna|"
            "ninguno|sin nota|siguiente|prefiero no decirlo|no importa|cualquiera|"
            "déjalo en blanco|dejalo en blanco|déjalo vacío|no tengo|lo que sea"
        ),
        "human": _words(
            "humano|agente|operador|operadora|persona|una persona|un humano|un agente|"
            "hablar con una persona|hablar con alguien|hablar con un humano|hablar con un agente|"
            "quiero hablar con una persona|quiero hablar con un agente|"
            "quiero hablar con alguien|quiero hablar con un humano|una persona por favor|"
            "atención al cliente|atencion al cliente|necesito una persona|páseme con alguien|"
            "pásame con alguien|pasame con alguien|pásame con un agente|pasame con un agente"
        ),
        "why": _words(
            "por qué|por que|para qué|para que|por qué lo necesitas|por que lo necesitas|"
            "para qué lo necesitas|para que lo necesitas|para qué lo quieres|para qué es|"
            "ayuda|ayúdame|ayudame|necesito ayuda|qué opciones hay|que opciones hay|"
            "qué opciones tengo|que opciones tengo|cuáles son las opciones|opciones|"
            "qué puedo elegir|que puedo elegir|qué puedes hacer|que puedes hacer|"
            "qué significa eso|cómo funciona|como funciona|cómo funciona esto|por qué preguntas"
        ),
        "greeting": _words(
            "hola|buenas|buenos días|buenos dias|buenas tardes|buenas noches|gracias|"
            "muchas gracias|mil gracias|qué tal|que tal|cómo estás|como estas|adiós|adios|"
            "hasta luego|hasta pronto|hasta otra|hasta la próxima|hasta mañana|nos vemos|chao|"
            "ciao|jaja|jajaja|encantado|"
            "encantada|lo siento|quién eres|quien eres|buen día|buenos|saludos|muy buenas|holi|ey|"
            "qué hay|muchísimas gracias|cómo va|como va|cómo va todo|de nada|jeje|jejeje|"
            "qué guay|qué bien|que bien|guay|igualmente|eres un robot|eres humano|cómo te llamas"
        ),
        "pause": _words(
            "eh|mmm|a ver|déjame pensar|dejame pensar|un momento|un segundo|espera|quizás|quizá|"
            "tal vez|pues|bueno"
        ),
        "resume": _words(
            "vuelve|volver|volvamos|continúa|continua|continuemos|sigue|sigamos|seguimos|"
            "dónde estábamos|vuelve atrás"
        ),
    }),
})  # fmt: skip

# Around an answer these change nothing.
_POLITE = MappingProxyType({
    "en": _words(
        "please|pls|plz|thanks|thank you|um|umm|ummm|uh|uhh|uhm|hmm|hmmm|hm|mm|mmm|er|well|oh|ah|"
        "ok so|so|i think|i guess|"
        "then|now|just|sorry|hey|actually|for me|mate|dear"
    ),
    "es": _words(
        "por favor|porfa|porfi|gracias|pues|eh|bueno|creo|entonces|ahora|oye|mira|perdona|perdone|"
        "disculpa|ya|mejor|hombre|a ver|ah|ay|uy|mmm|vaya|anda|la verdad|supongo|nada"
    ),
})  # fmt: skip

ORDINALS: Mapping[str, int] = MappingProxyType({
    "first": 1, "the first one": 1, "first one": 1, "the first": 1, "one": 1, "1": 1, "1st": 1,
    "second": 2, "the second one": 2, "second one": 2, "the second": 2, "two": 2, "2": 2, "2nd": 2,
    "third": 3, "the third one": 3, "third one": 3, "the third": 3, "three": 3, "3": 3, "3rd": 3,
    "fourth": 4, "the fourth one": 4, "fourth one": 4, "the fourth": 4, "four": 4, "4": 4, "4th": 4,
    "el primero": 1, "la primera": 1, "el segundo": 2, "la segunda": 2, "primero": 1, "primera": 1,
    "el tercero": 3, "la tercera": 3, "el cuarto": 4, "la cuarta": 4, "segundo": 2, "segunda": 2,
    "uno": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4,
})  # fmt: skip
_CARDINALS = _words("one|two|three|four|uno|una|dos|tres|cuatro")


# Said beside a greeting or thanks.
_BESIDE: Mapping[str, frozenset[str]] = MappingProxyType({
    "en": _words("anyway|again|so much|very much|a lot|a bunch|for your help|for the help|"
                 "for that|man|guys|everyone|all|then|and"),
    "es": _words("igualmente|de todos modos|otra vez|por todo|por la ayuda|por tu ayuda|y|muy|"
                 "a todos|a todas|señor|señora|señorita|de nuevo|por su ayuda|por vuestra ayuda|"
                 "de nada"),
})  # fmt: skip


def is_cardinal(text: str) -> bool:
    """Whether a number says how many, and a place only where nothing is counted."""
    return text.isdecimal() or text in _CARDINALS


def is_known(language: str) -> bool:
    """Whether the words of a language are known."""
    return base_language(language) in LEXICON


def means_either(text: str, language: str) -> bool:
    """Whether the message is nothing but a yes or a no."""
    return means(text, "affirm", language) or means(text, "deny", language)


def greets(text: str, language: str) -> bool:
    """Whether a message is nothing but greetings, thanks and the like, one after the other."""
    base = base_language(language)
    own = LEXICON.get(base, LEXICON["en"])
    greeting = own["greeting"] | LEXICON["en"]["greeting"]
    other = own["affirm"] | LEXICON["en"]["affirm"] | _POLITE["en"] | _BESIDE["en"]
    other |= _POLITE.get(base, frozenset()) | _BESIDE.get(base, frozenset())
    words, at, found = text.split(), 0, False
    while at < len(words):
        runs = (" ".join(words[at : at + length]) for length in range(4, 0, -1))
        said = next((run for run in runs if run in greeting or run in other), None)
        if said is None:
            return False
        found = found or said in greeting
        at += len(said.split())
    return found


def means(text: str, meaning: str, language: str) -> bool:
    """Whether the whole message is one of the phrases, in the language or in English.

    Words of politeness around it do not count.
    """
    base = base_language(language)
    own = LEXICON.get(base, LEXICON["en"])
    bare = bared(text, language)
    if any(s in words for s in (text, bare) for words in (own[meaning], LEXICON["en"][meaning])):
        return True
    return base == "es" and any(unaccented(s) in _unaccented(meaning) for s in (text, bare))


@lru_cache(maxsize=16)
def _unaccented(meaning: str) -> frozenset[str]:
    """The Spanish phrases as they are typed in a hurry."""
    return frozenset(unaccented(phrase) for phrase in LEXICON["es"][meaning])


def bared(text: str, language: str) -> str:
    """A normal text without the polite words at its ends; itself if nothing else is left."""
    polite, backwards = _polite(base_language(language))
    words = text.split()
    left = _from_the_left(words, polite)
    rest = words[left:]
    right = _from_the_left([*reversed(rest)], backwards)
    rest = rest[: len(rest) - right]
    return " ".join(rest) or text


@lru_cache(maxsize=16)
def _polite(base: str) -> tuple[frozenset[str], frozenset[str]]:
    """The polite words of a language, as they are and from their ends."""
    polite = _POLITE.get(base, frozenset()) | _POLITE["en"]
    return polite, frozenset(" ".join(reversed(phrase.split())) for phrase in polite)


def _from_the_left(words: list[str], polite: frozenset[str]) -> int:
    """How many words at the beginning are only polite."""
    place = 0
    while place < len(words):
        for length in (2, 1):
            if " ".join(words[place : place + length]) in polite:
                place += length
                break
        else:
            break
    return min(place, len(words))
