"""Days that were: "since Saturday", "it was Thursday", or a slot for what has happened."""

import re
from datetime import date
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import normal, spoken
from soni.slots import SlotEnv
from soni.slots.reading.days import read_day
from soni.slots.reading.words import tidied

_CLAUSE_END: Final = re.compile(r"[.,;!?]|\b(?:and|but|so|because|y|pero|porque)\b", re.IGNORECASE)
# What should have been was to be on a day that is over.
_MISSED: Final = (
    r"(?:should|could|would|must|might|ought to)(?:n['\u2019]t| not)?(?: have|['\u2019]ve) "
    r"(?!liked?\b|loved?\b|preferred|wanted)(?:been|gone|come|left|paid|got|had|\w+(?:ed|en|wn))"
)
_HAPPENED: Final = re.compile(
    # "I was hoping for Friday" has not been yet.
    r"\b(?:(?:was|were)(?! \w+ing\b| supposed| meant| to\b| booked| scheduled| planned| reserved)|"
    r"happened|occurred|took place|broke|stole|stolen|got \w+(?:ed|en)|began|started|stopped|"
    r"fell|crashed|bought|burst|treated|visited|"
    # Forms of a verb that are nothing but its past.
    r"took|went|came|saw|drove|woke|forgot|threw|wrote|flew|"
    rf"{_MISSED}|(?:no ?body|no one|some(?:body|one)) \w+ed|"
    r"leaked|failed|died|since|ago|(?:has|have|'s|'ve) been|"
    r"(?:i|we|he|she|it|they|who|that|which)(?:'ve| have)?(?: (?:only|just|already|last|first))* "
    r"(?:paid|spent|lost|left|saw|took|made|sent|ordered|received|arrived|came|noticed|hurt|hit|"
    r"slipped|dropped|purchased|joined|signed)|"
    r"fue|fueron|pasó|ocurri[óo]|sucedi[óo]|empez[óo]|comenz[óo]|(?:se|me|lo|la|nos)\s+\w+(?:ó|aron|"
    r"ieron)|robaron|compré|perdí|llev(?:o|a|amos) \w+|ha (?:pasado|ocurrido)|"
    r"(?:estoy|est[áa]|estamos|funciona|va) .*desde)\b",
    re.IGNORECASE,
)
_WISHED: Final = re.compile(
    rf"\b(?!{_MISSED})"
    r"(?:need|want|wanna|like|can|could|may|will|would|shall|should|going to|gonna|if|book|move|"
    r"quiero|quisiera|quería|necesito|puedo|pod[ée]is|puede|pon|ponme|voy|vamos|para|si)\b|"
    r"'(?:d|ll)\b|\b(?:for|by|until|till)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_WILL_BE: Final = re.compile(
    r"\b(?:will|going to|gonna|voy a|vamos a|ser[áa])\b|'ll\b", re.IGNORECASE
)
_NOT_AGREED: Final = (
    r"(?!(?:\w+ )?(?:book|reserv|schedul|plann?|agree|want|request|promis|arrang|expect|"
    r"suppos|prefer|intend)e?d?\b)"
)
_OF_THE_PAST: Final = re.compile(
    r"\b(?:since|happened|occurred|took place|began|started|broke|birth\w*|born|purchase|"
    r"incident|accident|theft|onset|symptoms?|(?:day|date) of (?:the )?loss|"
    r"missed (?:day|date)|in question|disputed|being (?:ill|sick)|"
    # "Day on which the hall is hired" is still to come.
    r"(?<!\bis )(?<!\bare )(?<!\bbe )(?:bought|purchased|treated|charged|"
    r"(?:lost|stolen|spent|found|issued|joined|received|ordered|opened|married|hired|moved)"
    r"(?: on| at|$))|"
    r"last (?:seen|used|worn|visited|serviced)|"
    # "Day the visit was booked" may be the day of the visit.
    rf"(?:was|were|did|(?:you|they|he|she|it|who|customer|user)) {_NOT_AGREED}"
    r"(?:(?:last|first|not|never|it|you|they|this|the \w+) )*"
    r"(?:(?!need)\w{2,}ed|lost|stolen|made|paid|hurt|spent|bought|left|seen|saw|taken|took|sent|"
    r"found|fell|felt|got|had|came|broke|broken|begin|start|happen|occur|buy|pay|spend|lose)|"
    r"nacimiento|naci[óo]|desde cu[áa]ndo|ocurri[óo]|pas[óo]|sucedi[óo]|empez[óo]|comenz[óo]|"
    r"compr[óo]|fecha de (?:la )?compra|accidente|siniestro|robo)\b"
)

_TO_COME: Final = re.compile(
    r"\b(?:(?:is|are|must|shall|should|will) (?!now\b|late\b)\w+|begins|starts|ends|comes|arrives|"
    r"leaves|holds|(?:by|to|for|from) which|visit|repair|appointment|viewing|assembly|"
    r"installation|fitting|inspection|service|collection|pick ?up|arrival|booking|reservation|"
    r"visita|reparaci[óo]n|cita|llegada|recogida|reserva|instalaci[óo]n)\b"
)


def day_that_was(
    message: str, start: int, end: int, said: str, slot: SlotBrief, env: SlotEnv
) -> date | None:
    """The day of a message as the last one of its name; None: nothing says that it has been."""
    text = tidied(said)
    if not text or not _has_been(message, start, end, slot):
        return None
    return read_day(text, env.now.date(), env.base_language, past=True)


def is_over(message: str, start: int, end: int, value: str, slot: SlotBrief, env: SlotEnv) -> bool:
    """Whether a day has been, and so is none for what a slot says is to come."""
    told = f"{spoken(slot.name)} {normal(slot.description)}"
    if _OF_THE_PAST.search(told) or not _TO_COME.search(told):
        return False
    today = env.now.date().isoformat()
    return value < today or (value == today and _has_been(message, start, end, slot))


def _has_been(message: str, start: int, end: int, slot: SlotBrief) -> bool:
    before, after = _clause(message, start, end)
    if _OF_THE_PAST.search(f"{spoken(slot.name)} {normal(slot.description)}"):
        return not _WILL_BE.search(f"{before}{after}")
    if _WISHED.search(before) or _WISHED.search(after):
        return False
    return bool(_HAPPENED.search(before) or _HAPPENED.search(after))


def _clause(message: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and behind the day, up to where something else is said."""
    before = _CLAUSE_END.split(message[:start])[-1]
    return before, _CLAUSE_END.split(message[end:])[0]
