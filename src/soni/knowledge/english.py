"""English: what to leave out of a question, and what words have in common."""

from typing import Final

ASKING: Final = frozenset(
    {"what", "how", "where", "when", "who", "why", "which", "much", "many", "long", "far", "old"}
)

FILLERS: Final = frozenset(
    """
    a an the this that these those it its is are was were be been being am do does did done doing
    have has had having can could may might must shall should will would
    i me my mine we us our you your yours he him his she her they them their one some any there here
    to of for from in on at by with about as into out up
    and or but if so then than not no nor dont doesnt cant isnt wont
    someone somebody anyone anybody something anything other another else people person
    please hi hello hey thanks thank ok okay well just also too very really exactly actually now
    again want wants need needs like know tell say give get got let go going wondering possible
    im ive id youre whats wheres hows s t d ll re ve m let's
    """.split()  # noqa: SIM905 - a list of words reads best as words
)


def whole(word: str) -> str:
    """The word without what an apostrophe joins to it."""
    return word.replace("'", "") if word.endswith("n't") else word.split("'")[0]


def stem(word: str) -> str:
    """The word without plural, tense and the like."""
    word = _singular(word)
    if len(word) <= 3 or word in ASKING:
        return word
    for ending, least in (("ment", 3), ("ing", 3), ("ed", 3), ("ion", 4), ("al", 5), ("ly", 4)):
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word.removesuffix(ending)
            break
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if word.endswith("at") and len(word) >= 7:
        word = word.removesuffix("at")
    if word[-1] == word[-2] and len(word) > 3:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


def _singular(word: str) -> str:
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1]
