"""Checks that a text denies the same things as another."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from soni.core.grounding.clauses import Clause, Lexicon
from soni.core.grounding.statements import Statements

_DENIAL_CHANGED: Final = "what is denied has changed"

_STEM_LENGTH: Final = 5
# Whether "dogs" is denied in "dogs and cats are not allowed" or "we sell dogs and no cats".
_UNCLEAR: Final = -1


@dataclass(frozen=True)
class _Claim:
    """The stems of a clause's words, and how often it denies them."""

    stems: frozenset[str]
    times: int


def find_reworded_denial(was: Statements, now: Statements) -> str | None:
    """Why a rewording denies something else: the count or the denied words differ."""
    known = _collect_stems((was, now))
    before, after = _read_claims(was, known), _read_claims(now, known)
    denials = _count_denied_claims(after)
    if _count_denied_claims(before) != denials:
        return _DENIAL_CHANGED
    said = _join_stems(before) & _join_stems(after) if denials else ()
    kept = all(_count_denials(stem, after) <= _count_denials(stem, before) for stem in said)
    return None if kept else _DENIAL_CHANGED


def find_unfounded_denial(
    said: Statements, entry: Statements, heard: Iterable[Statements]
) -> str | None:
    """Why an answer denies other things than its entry: each clause must be grounded in it.

    Prefixes such as "non-" count as denials only before a word that was `heard`.
    """
    known = _collect_stems((said, entry, *heard))
    claims, ground = _read_claims(said, known), _read_claims(entry, known)
    if not _count_denied_claims(claims) and not _count_denied_claims(ground):
        return None
    told = [claim for claim in claims if claim.times > 0 or claim.stems & _join_stems(ground)]
    founded = all(
        _is_founded(claim, ground) if claim.stems else _is_followed_by_denial(told[at + 1 :])
        for at, claim in enumerate(told)
    )
    return None if told and founded else _DENIAL_CHANGED


def _is_followed_by_denial(then: Sequence[_Claim]) -> bool:
    """Whether a "no" by itself goes with what is said next: "no, cats are not allowed"."""
    return bool(then) and then[0].times > 0


def _is_founded(claim: _Claim, ground: Sequence[_Claim]) -> bool:
    words = claim.stems & _join_stems(ground)
    if len(words) * 2 <= len(claim.stems):
        return False
    same = [each.stems for each in ground if each.times == claim.times]
    # Two denials must not be combined into a third: "without a ticket" and "you cannot board".
    alike = same if claim.times > 0 else [frozenset[str]().union(*same)]
    return any(words <= stems for stems in alike)


def _read_claims(text: Statements, known: frozenset[str]) -> list[_Claim]:
    read = [(clause, *_strip_denials(clause, known, text.lexicon)) for clause in text.clauses]
    denied = {clause.sentence for clause, _, times in read if times}
    return [
        _Claim(
            stems, times if times or clause.is_whole or clause.sentence not in denied else _UNCLEAR
        )
        for clause, stems, times in read
    ]


def _strip_denials(
    clause: Clause, known: frozenset[str], lexicon: Lexicon
) -> tuple[frozenset[str], int]:
    """The stems of a clause, and the number of its negations, prefixes included."""
    stems, times = set[str](), clause.negations
    for word in clause.words:
        opposites = (_cut_stem(opposite, lexicon) for opposite in lexicon.find_opposites(word))
        denied = next((stem for stem in opposites if stem in known), None)
        times += denied is not None
        stems.add(denied or _cut_stem(word, lexicon))
    return frozenset(stems), times


def _collect_stems(texts: Iterable[Statements]) -> frozenset[str]:
    return frozenset(
        _cut_stem(word, text.lexicon)
        for text in texts
        for clause in text.clauses
        for word in clause.words
    )


def _cut_stem(word: str, lexicon: Lexicon) -> str:
    return lexicon.strip_plural(word)[:_STEM_LENGTH]


def _join_stems(claims: Iterable[_Claim]) -> frozenset[str]:
    return frozenset[str]().union(*(claim.stems for claim in claims))


def _count_denials(stem: str, claims: Iterable[_Claim]) -> set[int]:
    return {claim.times for claim in claims if stem in claim.stems}


def _count_denied_claims(claims: Iterable[_Claim]) -> int:
    return sum(claim.times for claim in claims if claim.times > 0)
