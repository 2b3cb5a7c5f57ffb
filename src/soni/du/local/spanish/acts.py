"""What somebody does with a Spanish message, told by its words without their accents."""

import re
from typing import Final

from soni.commands import (
    CancelFlow,
    ChitChat,
    Clarify,
    Command,
    HumanHandoff,
    OutOfScope,
    RepeatLast,
    ResumeFlow,
    SkipSlot,
)
from soni.du.local.spanish.flows import is_known, named, wishes
from soni.du.local.spanish.mentions import named_slot
from soni.du.local.spanish.stems import fold, stems
from soni.du.local.view import View
from soni.du.local.words.questions import is_question
from soni.du.local.words.words import unaccented

# Before what is said these change nothing. No one of them may be others together: every way to
# take a message apart would be tried, and there were more of them with every word.
_FIRST: Final = (
    r"(?:(?:mira|oye|bueno|pues|eh|vale|ok|perdona|perdon|perdone|disculpa|disculpe|ay|uy|ah|hola|"
    r"venga|va|no|nada|la verdad|sabes que|pensandolo (?:bien|mejor)|al final|mejor|creo|"
    r"entonces|ya|es|que|por favor|lo siento|y|hombre|mujer|de verdad|en realidad|casi|ahora) )*"
)
_LAST: Final = (
    r"(?: (?:por favor|porfa|gracias|de momento|por ahora|ahora|ya|mejor|entonces|la verdad|todo|"
    r"eso|esto|estar|asi|correr|vale|anda|hombre|sigamos|sigue|seguimos|siga|adelante|continuemos|"
    r"continua|bien|todavia|aun|a mano|ahi|aqui|muchas|pues|no))*"
)


def _whole(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"{_FIRST}(?:{'|'.join(patterns)}){_LAST}")


_LEAVE: Final = _whole(
    r"(?:de(?:j|x)al[oa]s?|dejemosl[oa]|dejadl[oa]|dejel[oa]|l[oa] dej(?:o|amos|e)|olvidal[oa]|"
    r"olvidate|olvidel[oa]|olvidemosl[oa]|cancelal[oa]|cancelel[oa]|anulal[oa]|cancela|cancelar|"
    r"cancele|anula|anular|anule|paremos|para|pare|basta|stop)"
    r"(?: (?:de )?(?:lo|el|la|ello|momento|tema|proceso|operacion|gestion|tramite))*"
    r"(?: para (?:otro (?:dia|momento)|mas (?:tarde|adelante)|luego|despues))?",
    r"(?:ya )?no (?:l[oa]s? |me |nos )*(?:quiero|queremos|hace falta|necesito|interesa|apetece)"
    r"(?: (?:seguir|continuar|hacerl[oa]|nada|seguir con (?:esto|eso)|saber nada))?",
    r"(?:quiero|quisiera|prefiero|puedo|podemos|vamos a|me gustaria)"
    r" (?:cancelar|anular|dejar|parar|salir|abandonar|terminar|olvidar)(?:l[oa])?",
    r"(?:he cambiado|cambie|cambio|hemos cambiado) de (?:idea|opinion|parecer|planes)",
    r"me l[oa] (?:he pensado|pensare|pienso|tengo que pensar)(?: y (?:os|te|le|les|ya|lo)\b.*)?",
    r"no (?:sigas|sigamos|siga|continues|hagas nada|quiero seguir|continuemos)",
    r"(?:l[oa]s? |os |te |le |les )*(?:llam|hag|har|mir|volv|ver|veo|pens|piens|intent|escrib)\w*"
    r" (?:otro dia|en otro momento|mas (?:tarde|adelante)|luego|despues|manana)",
    r"otro dia sera|en otro momento|(?:ahora|hoy) no puedo|no tengo tiempo(?: ahora)?",
    r"no (?:voy|vamos|puedo|podemos)(?: a)? (?:ir|venir|asistir|hacerl[oa]|poder ir)",
    r"me arrepiento|me (?:he arrepentido|arrepenti)|no quiero nada|nada nada",
)
_LEAVE_IT: Final = re.compile(
    rf"{_FIRST}(?:(?:cancel|anul|olvid|dej|par|quit)(?:a|e|ad|emos|amos|o)?(?:te)?(?: de)?|"
    r"(?:ya )?no (?:me |nos )?(?:quiero|queremos|necesito|necesitamos|hace falta|interesa)(?: ya)?|"
    r"(?:quiero|quisiera|prefiero|puedo|vamos a) (?:cancelar|anular|dejar|olvidar)) "
    r"(?:mas )?(?:(?:l[oa]s? |el |lo de(?:l)? |un |una |mi |con )+|(?=\w+[aei]r))(?P<what>[\w ]+)"
)
_RETURN: Final = re.compile(
    rf"{_FIRST}(?:quiero |podemos |vamos a |hay que )*(?:volv|vuelv|regres|sig|seg|contin|retom|"
    r"acab|termin)\w*(?: (?:a|con|por|hablar|hablando|de|al|haciendo))*"
    r"(?: (?P<what>[\w ]+))?"
)
_BEFORE: Final = re.compile(
    r"(?:lo|el|la)?\s*(?:de |que )?(?:antes|otro|otra|anterior|primero|nuestro|estabamos\w*|"
    r"donde (?:estabamos|ibamos|lo dejamos)|tema(?: anterior)?|atras|haciamos|mio)(?: \w+){0,2}"
)
_SKIP: Final = _whole(
    r"prefier\w+ no (?:decir|dar|contestar|responder|poner|compartir|darte|decirte)\w*(?: nada)?",
    r"(?:a mi )?(?:me |nos )?(?:da|es|resulta|viene) (?:lo mismo|igual|indiferente)",
    r"(?:a |en )?(?:el |la |lo )?(?:(?!no )\w+ )?(?:que|cuando|como|cual|donde) (?:sea|tu quieras|"
    r"quieras|querais|tengas|"
    r"prefieras|prefirais|tengais|veas|haya|te venga bien|os venga bien|mejor te venga|menos)",
    r"no (?:l[oa] |me )?(?:se|recuerdo|tengo|acuerdo)(?: (?:ningun|ninguna|preferencia|exactamente|"
    r"seguro|de memoria|decirte|muy|cual|ni idea|que decir\w*|ahora mismo))*",
    r"nada|sin nada|no (?:tengo|hay) (?:nada|mas)(?: mas)?(?: que (?:anadir|decir|poner|"
    r"comentar))?",
    r"no (?:me acuerdo|l[oa] recuerdo|recuerdo)(?: \w+){0,6}|no sabria (?:decir\w*)?|"
    r"no (?:tengo )?ni idea|ni idea|sin preferencias?|no aplica",
    r"(?:salt|omit|pas)\w*(?: (?:esto|esta|eso|esa|pregunta|a la siguiente|de esto|palabra|este|"
    r"paso))+",
    r"(?:la )?siguiente(?: pregunta)?|"
    r"(?:a )?cualquier(?:a| \w+)?(?: (?:me|nos|vale|sirve|esta|va|viene|bien))*",
    r"no se (?:cuant\w+|cual|que|cuando|donde|como|si|el|la)(?: \w+){0,4}|(?:todo \w+ )?nada mas",
    r"(?:elige|decide|escoge|elija|decida|elegid|decidid)(?: (?:tu|vosotros|usted|por mi))*",
    r"(?:dej\w+|l[oa] dej\w+) (?:en blanco|vaci[oa]|sin poner|asi)|no (?:quiero|pongas) nada",
    r"(?:no quiero |prefiero no )(?:dar|decir|poner)\w*(?: (?:eso|ese dato|nada))?",
)
_PERSON: Final = (
    r"(?:person[ae]s?|humano|humana|agente|operador|operadora|alguien|asesora?|gestora?|"
    r"encargad[oa]|"
    r"responsable|jef[ea]|companer[oa]|emplead[oa]|trabajadora?|recepcion|supervisora?|"
    r"ser humano|tecnico|comercial|vosotros|(?:servicio de )?atencion al cliente|centralita|"
    r"teleoperadora?)"
)
_A: Final = r"(?:una? |el |la |algun |alguna |tu |vuestr[oa] |su |otra |l[oa]s )?"
_HUMAN: Final = re.compile(
    rf"\b(?:habl\w+|comuni\w+|contact\w+|charl\w+|tratar|pon\w+|pas\w+|conect\w+|transfi\w+) "
    rf"(?:directamente |ya |mejor )?con {_A}{_PERSON}\b|"
    rf"\b(?:quiero|necesito|prefiero|dame|deme|hay|tienes|busco|que venga|me llame|me atienda|"
    rf"me atiende|"
    rf"atender|atienda|ayude) {_A}{_PERSON}(?: real| de verdad| de carne y hueso)?\b|"
    rf"\b{_PERSON} (?:real|de verdad|de carne y hueso)\b|"
    rf"\b{_PERSON} (?:me |que me )?(?:puede atender|pueda atender|atienda|ayude|puede ayudar)|"
    r"\bno quiero (?:seguir )?(?:habl\w+|charl\w+) con (?:una? |esta? )?(?:maquina|robot|bot)\b"
)
_AGAIN: Final = _whole(
    r"(?:me |nos |l[oa] )*(?:puede[sn]?|podeis|podria\w*)(?: por favor)? (?:volver a )?"
    r"(?:repet|dec|pregunt)\w+(?: (?:otra vez|de nuevo|la pregunta|eso|lo ultimo|lo que \w+ \w+))*",
    r"(?:me |nos |l[oa] )*(?:repit|repet)\w+(?: (?:otra vez|de nuevo|la (?:ultima )?pregunta|lo "
    r"(?:ultimo|de antes|que \w+(?: \w+)?)|me|lo)){0,3}",
    r"no (?:te |le |os |l[oa] |me )*(?:he |habia )?(?:entendido|entendi|oido|oi|escuche|escuchado|"
    r"enterado|entere|pillado|pille|cogido)"
    r"(?: (?:nada|la pregunta|lo (?:ultimo|que \w+(?: \w+)?)))?",
    r"(?:como|que) (?:me |es lo que )?(?:has |habias |ha )?(?:dicho|dices|decias|decia|dijiste|"
    r"preguntado|preguntabas|preguntaba|preguntaste)",
    r"(?:me |nos |l[oa] )*(?:dices|dice|decis|dirias|preguntas) (?:otra vez|de nuevo|eso)",
    r"(?:cual|como) (?:es|era) la pregunta|(?:di|diga|deci)(?:me)?l[oa] (?:otra vez|de nuevo)",
    r"(?:otra vez|una vez mas|de nuevo)|mande|como perdona?|que perdona?|vuelve a decirl[oa]",
)
_CHAT: Final = re.compile(
    r"(?:que |eres |sois |estas |tan |muy |un |una |mas |si que |pues |oye |jaja\w* |vaya )*"
    r"(?:maj[oa]s?|amables?|simpatic[oa]s?|gracios[oa]s?|encanto|sol|crack|rapid[oa]s?|list[oa]s?|"
    r"inteligentes?|guap[oa]s?|tont[oa]s?|inutil(?:es)?|pesad[oa]s?|lent[oa]s?)"
    r"(?: (?:eres|sois|que|de verdad|oye|gracias|todo|hoy|tu|jaja\w*))*|"
    r"(?:me caes|te quiero|te adoro|como te llamas|como (?:estas|andas|va|te va)|que tal)\b.*|"
    r"cuantos anos tienes|(?:eres|hablo con) (?:un |una )?(?:robot|bot|maquina|humano|persona|ia)"
    r"(?: de verdad| real)?|(?:jaja\w* )?que (?:dia|calor|frio|risa|guay|gracia|bueno|bien)\b"
    r"(?: \w+){0,4}|buen (?:dia|finde|trabajo|fin de semana|viaje)(?: \w+)?|"
    r"que (?:tengas|tengais|pases|paseis|tenga|vaya)(?: \w+){1,5}|un (?:saludo|abrazo|placer|beso)|"
    r"igualmente|de nada|felic\w+.*|"
    r"(?:cuenta|dime|sabes|cuentas)\w*(?: algun| un| otro)* chistes?|"
    r"(?:muy )?buen[oa]s? (?:dias|tardes|noches)(?: \w+){0,2}"
)
_THANKS: Final = re.compile(
    r"(?:muchas |muchisimas |mil )?gracias\b(?: (?!pero\b)\w+){0,5}|adios.*|hasta (?:otra|"
    r"luego)\b.*"
)
# What people try on an assistant, whatever it is for.
_WORLD: Final = re.compile(
    r"\b(?:partido|futbol|liga|mundial|gol(?:es)?|pelicula|serie|cancion|musica|poema|cuento|"
    r"chiste|"
    r"horoscopo|loteria|noticias?|presidente|presidenta|gobierno|elecciones|politica|guerra|"
    r"capital de|mar adentro|receta de cocina|tortilla|paella|dinosaurio|luna|planeta|universo|"
    r"sentido de la vida|bitcoin|matematicas|ecuacion|raiz cuadrada|"
    r"(?:que|el) tiempo (?:hace|hara|va a hacer)|(?:va a|hoy) llover|llueve|temperatura|"
    r"quien (?:invento|descubrio|escribio|gano|pinto|es el rey)|cuanto es \d+)\b"
)
# "Vale, cancélala" says yes to whatever was asked.
_AGREED: Final = re.compile(r"(?:si|vale|ok|claro|venga|de acuerdo|perfecto|por supuesto)\b")
_CLAUSE: Final = re.compile(r"\s*(?:[,.;:!]+|\bpero\b|\bporque\b|\bque ya\b)\s*")


def act(message: str, view: View) -> Command | None:
    """The act of a whole message; None: it has another sense, or none that the words tell."""
    said = fold(message)
    if not said:
        return None
    if _HUMAN.search(said):
        return HumanHandoff()
    if view.context.paused_flows and (back := _returned(said, view)) is not None:
        return back
    if view.kind == "collect" and not view.is_listed and is_skip(message, view):
        return SkipSlot()
    if not view.is_idle and _leaves(message, said, view):
        return CancelFlow()
    if _AGAIN.fullmatch(said):
        return RepeatLast()
    if _chats(said, view):
        return ChitChat()
    return _foreign(message, said, view)


def asks_why(message: str) -> Command | None:
    """ "¿Y eso por qué lo preguntan?": about the question itself."""
    return Clarify(topic=message) if _WHY.fullmatch(fold(message)) else None


_WHY: Final = re.compile(
    r"(?:(?:y|pero|perdona|oye|eso|esto|ese dato|no entiendo) )*(?:por|para) que"
    r"(?: (?:te\w*(?: que)?|hay que|(?:me|l[aeo]|os|se|tanto|es(?:e dato)?|quer|pregunt|necesit|"
    r"ped|pid|quier|sirve|hace falta|debo|decirl[oa]|saber|dar|ponerl[oa])\w*))*"
    r"(?: (?:la|el|mi|los|las|un|una|su)(?: \w+){1,3})?|no (?:te |lo |os |"
    r"le )?entiendo(?: (?:la pregunta|eso|esto|"
    r"que (?:me )?(?:pides|preguntas|es eso)))?|que (?:es|significa|quieres decir con)"
    r"(?: (?:eso|esto))(?: de(?:l)?(?: \w+){1,3})?"
)


def is_skip(message: str, view: View) -> bool:
    """Whether what was asked is to be left out: "no tengo correo" where a mail was asked."""
    said = fold(message)
    if "?" in message:
        return False
    if _SKIP.fullmatch(said):
        return True
    slot = view.asked
    lacking = _LACKING.fullmatch(said)
    if slot is None or slot.required or lacking is None:
        return False
    return named_slot(lacking["what"], [slot]) is not None


_LACKING: Final = re.compile(
    rf"{_FIRST}(?:no (?:l[oa]s? )?(?:tengo|tenemos|quiero|queremos|uso|necesito|hace falta|hay|"
    r"quiero (?:dar|poner|decir)|pongas|pongo)|sin)"
    r"(?: (?:el|la|los|las|un|una|ningun|ninguna|mi|mas|de))* "
    rf"(?P<what>\w+(?: \w+)?){_LAST}"
)


def _leaves(message: str, said: str, view: View) -> bool:
    """Whether the task is given up, alone or with a reason behind it."""
    if view.asks_yes_or_no and (_AGREED.match(said) or (view.asked and "hace falta" in said)):
        return False
    first, *rest = _CLAUSE.split(unaccented(message.casefold()))
    while rest and not fold(f"{first}").replace("mira", "").replace("oye", "").strip():
        first, *rest = rest
    if _LEAVE.fullmatch(said):
        return True
    lead = fold(first)
    if not rest:
        return _names_active(said, view)
    reason = " ".join(rest)
    # "Déjalo, mejor el martes" goes on.
    wanted = wishes(reason) and not reason.startswith("no ")
    goes_on = wanted or is_question(reason, view.lang, answering=False) or _CHANGE.search(reason)
    last = fold(rest[-1])
    given_up = _LEAVE.fullmatch(last) or _names_active(last, view)
    if given_up and not is_question(first, view.lang, answering=True):
        return not any(sign.isdigit() for sign in first)
    return not goes_on and (_LEAVE.fullmatch(lead) is not None or _names_active(lead, view))


_CHANGE: Final = re.compile(
    r"\b(?:mejor|que sea|pon|ponme|ponlo|cambia\w*|en vez|prefiero|es|son|sino|digo)\b|\d"
)


def _names_active(said: str, view: View) -> bool:
    match = _LEAVE_IT.fullmatch(said)
    active = [f for f in view.context.available_flows if f.name == view.context.current_flow]
    if match is None or len(match["what"].split()) > _FEW:
        return False
    return named(match["what"], active) is not None


_FEW: Final = 4


def _returned(said: str, view: View) -> Command | None:
    match = _RETURN.fullmatch(said)
    if match is None:
        return None
    what = match["what"]
    if not what or _BEFORE.fullmatch(what):
        return ResumeFlow()
    paused = [f for f in view.context.available_flows if f.name in view.context.paused_flows]
    flow = named(what, paused)
    return ResumeFlow(flow_name=flow.name) if flow is not None else None


def _chats(said: str, view: View) -> bool:
    # Thanks behind an answer are no message of their own.
    thanks = view.asked is None and _THANKS.fullmatch(said)
    return bool(thanks or _CHAT.fullmatch(said)) and not _may_be_name(said, view)


def _may_be_name(said: str, view: View) -> bool:
    """A word or two where a name was asked are that name."""
    return view.asked is not None and view.asked.type == "string" and len(said.split()) < _FEW


def _foreign(message: str, said: str, view: View) -> Command | None:
    """Something of the wide world, where the author wrote nothing about it."""
    match = _WORLD.search(said)
    if match is None or not (is_question(message, view.lang, answering=False) or wishes(message)):
        return None
    if view.asked is not None and view.asked.type == "string" and "?" not in message:
        return None
    context = view.context
    told = is_known(" ".join(stems(match[0])), context.available_flows, context.expected_slots)
    return None if told else OutOfScope(topic=message)
