"""How people wrap what they say: words before, after and around a value."""

from __future__ import annotations

YES = ("yes", "yes please", "sure", "that's right", "correct", "ok", "yep, go ahead", "sounds good")
NO = ("no", "no thanks", "that's wrong", "nope", "no, that is not right", "not really")
ANY = (
    "I don't care",
    "any is fine",
    "it doesn't matter",
    "no preference",
    "whatever",
    "I don't mind",
)
ASKING = (
    "what is the {}?",
    "can you tell me the {}?",
    "which {} do you have?",
    "what {} is it?",
    "do you know the {}",
    "and the {}?",
)
BEFORE = (
    *("",) * 12,
    *("hi, ", "please ", "ok, ", "hello, ", "um, ", "hey, ", "so ", "well, ", "right, ", "oh, "),
    *("good morning, ", "look, ", "uh ", "quick one: ", "hi there, "),
)
AFTER = (
    *("",) * 12,
    *(" please", ".", " thanks", "!", " pls", " if possible", ", thank you", " asap", " cheers"),
    *(", can you do that?", " if that's ok", " lol", "..."),
)
ANSWERED = (
    *("{}",) * 6,
    *("it's {}", "it is {}", "{} I think", "I guess {}", "{} would be great", "let's say {}"),
    *("make it {}", "{} works for me", "{} please", "maybe {}", "that would be {}", "I'd say {}"),
    *("probably {}", "{} is fine", "let me see... {}", "uh {} I think", "{}, if possible"),
    *("just {}", "only {}", "should be {}", "I want {}", "I'd like {}", "{} sounds good"),
    *("can it be {}", "go with {}", "let's do {}", "we'd need {}", "{} for me", "oh {} I suppose"),
    *("I'll take {}", "put {}", "{} will do", "hmm, {} then", "could we do {}?", "{}!"),
)
CHANGED = (
    *("actually {}", "no, {}", "sorry, {}", "wait, {}", "I meant {}", "change that, {}"),
    *("no wait, {}", "oops, {}", "{} instead", "make it {} instead", "scratch that, {}"),
    *("hold on, {}", "sorry I meant {}", "no I said {}", "make that {}", "actually, make it {}"),
    *("hmm, rather {}", "let's change it to {}", "on second thought {}", "could we do {} instead?"),
    *("my mistake, it's {}", "I was wrong, {}", "better {}", "it should be {}", "correction: {}"),
)
CHANGED_SLOT = (
    *("change the {slot} to {}", "the {slot} should be {}", "make the {slot} {}", "{slot}: {}"),
    *("can you change the {slot} to {}?", "set the {slot} to {}", "the {slot} is {}, sorry"),
    *("I got the {slot} wrong, it's {}", "the {slot} must be {}", "please update the {slot} to {}"),
    *("for the {slot} put {} instead", "wait, the {slot} is {}", "no, the {slot} is {}"),
    *("I need a different {slot}: {}", "can the {slot} be {}", "switch the {slot} to {}"),
)
CHANGED_OLD = (
    *("not {old}, {}", "{}, not {old}", "I said {old} but I meant {}", "{} rather than {old}"),
    *("it's {}, not {old}", "change {old} to {}", "{} instead of {old}", "did I say {old}? {}"),
    *("from {old} to {}", "no not {old}, {}", "make it {} and not {old}", "swap {old} for {}"),
)
"""The {} is the new value."""

JOINED = (" and ", ", and ", ", ", ". ", " and also ", ", also ", " then ", " but ", "; ", " - ")
SAME = {
    **dict.fromkeys(("city", "street", "station"), (" there", " in the same place", " there too")),
    "date": (" on the same day", " for that day", " the same day"),
    "time": (" at the same time", " for that time"),
    "person": (" for the same person", " for them too", " for them as well"),
    "company": (" with the same company", " with them again"),
    "count": (" for all of us", " for the same number", " for the same group"),
}
