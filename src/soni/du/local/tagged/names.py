"""Where a name begins and ends in a message: the tagger may cut it short or take too much."""

from soni.language import Language


def name_at(start: int, said: str, message: str, lang: Language) -> str:
    """A name as it is called: without what leads to it, with an article only if that is its own."""
    here = said[:1].isupper() and message.startswith(said, start)
    article = lang.pattern("name.own_article", cased=True).search(message, 0, start)
    if here and article:
        return f"{article[0]}{said}"
    return without_article(lang.pattern("name.led", cased=True).sub("", said), lang)


def without_article(said: str, lang: Language) -> str:
    """ "The Lisbon raincoat" is a raincoat; "the Hague" and "The Hobbit" are called so."""
    bare = lang.pattern("name.indefinite", cased=True).sub("", said)
    rest = lang.pattern("name.definite", cased=True).sub("", bare)
    words, small = rest.split(), lang.words("name.small_words")
    named = bool(words) and all(word[0].isupper() or word in small for word in words)
    return bare if named else rest


def place_of(said: str, slot: str, lang: Language) -> str:
    """Of "surface on Bridge Street" the street, for a slot that is called after such a place."""
    if not lang.pattern("name.place_noun", cased=True).search(slot):
        return said
    found = lang.pattern("name.place", cased=True).fullmatch(said)
    return found["name"] if found else said
