"""Pieces of words are those of the reference tokenizer, and know where they stand in the text.

What is expected here was written by the `tokenizers` library from the model's own tokenizer.json.
"""

import pytest

from soni.du.encoder.encoder import MODEL_FOLDER, VOCABULARY_FILE
from soni.du.encoder.wordpiece import WordPiece

WORDS = (MODEL_FOLDER / VOCABULARY_FILE).read_text(encoding="utf-8").rstrip("\n").split("\n")


@pytest.fixture(scope="module")
def wordpiece() -> WordPiece:
    return WordPiece(WORDS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("Hello, World!", "hello , world !", id="lower case, punctuation apart"),
        pytest.param("I'd like 2", "i ' d like 2", id="apostrophe"),
        pytest.param("unaffable embeddings", "una ##ffa ##ble em ##bed ##ding ##s", id="parts"),
        pytest.param("naïve café, ¿qué?", "naive cafe , ¿ que ?", id="accents"),
        pytest.param("cafe\u0301", "cafe", id="accent as a character of its own"),
        pytest.param("日本語 and", "日 本 語 and", id="ideographs"),
        pytest.param("한국", "ᄒ ##ᅡ ##ᆫ ##ᄀ ##ᅮ ##ᆨ", id="Hangul"),
        pytest.param("$5.00 + 10% = ^_^", "$ 5 . 00 + 10 % = ^ _ ^", id="symbols of ASCII"),
        pytest.param("C++/C#", "c + + / c #", id="symbols in a row"),
        pytest.param("Iİß", "ii ##ß", id="odd letters"),
        pytest.param("ΛΟΓΟΣ", "λ ##ο ##γ ##ο ##σ", id="Greek"),  # noqa: RUF001
        pytest.param("tab\tnew\nline\u00a0space", "tab new line space", id="spaces of all kinds"),
        pytest.param("line\u200bzero", "line ##zer ##o", id="invisible"),
        pytest.param("\ufffd\0\x07ok", "ok", id="control characters"),
        pytest.param("good 😀 day", "good [UNK] day", id="emoji"),
        pytest.param("a" * 101, "[UNK]", id="too long a word"),
    ],
)
def test_a_text_has_the_pieces_of_the_reference(
    wordpiece: WordPiece, text: str, expected: str
) -> None:
    assert " ".join(WORDS[piece.id] for piece in wordpiece.split_text(text)) == expected


def test_a_word_of_a_hundred_letters_is_still_read(wordpiece: WordPiece) -> None:
    assert wordpiece.unknown not in wordpiece.encode_text("a" * 100, 200)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("to Zürich,  please", ["to", "Zürich", ",", "please"]),
        ("unaffable", ["una", "ffa", "ble"]),
        ("cafe\u0301s", ["cafe\u0301s"]),
        ("한a", ["한", "한", "한", "a"]),
        ("line\u200bzero", ["line", "zer", "o"]),
        ("x" * 101 + "!", ["x" * 101, "!"]),
    ],
)
def test_a_piece_says_where_it_stands_in_the_text(
    wordpiece: WordPiece, text: str, expected: list[str]
) -> None:
    assert [text[piece.start : piece.end] for piece in wordpiece.split_text(text)] == expected


def test_marks_of_the_model_written_by_a_user_are_text(wordpiece: WordPiece) -> None:
    ids = wordpiece.encode_text("[SEP] hi [CLS]", 32)
    assert ids.count(wordpiece.stop) == 1
    assert ids.count(wordpiece.start) == 1


def test_a_long_text_is_cut_and_still_ends_with_its_mark(wordpiece: WordPiece) -> None:
    ids = wordpiece.encode_text("one two three four five", 4)
    assert [WORDS[number] for number in ids] == ["[CLS]", "one", "two", "[SEP]"]
