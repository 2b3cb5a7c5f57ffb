"""A message finds the flow it wants, and nothing when it wants none of them."""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from zlib import crc32

import numpy as np
import pytest

from soni.du.context import FlowBrief
from soni.du.encoder import Encoder
from soni.du.encoder.sentence import Sentence
from soni.du.local.flows.calibration import fit_logistic
from soni.du.local.flows.flows import FlowChoice, FlowChooser
from soni.du.local.flows.spelling import Spelling

BLOCK = FlowBrief(
    name="block_card",
    description="Block a lost or stolen card",
    examples=("block my card", "I lost my card", "my card was stolen"),
)
BALANCE = FlowBrief(
    name="check_balance",
    description="Tell the balance of an account",
    examples=("what is my balance", "how much money do I have", "show my account balance"),
)
TRANSFER = FlowBrief(
    name="transfer_money",
    description="Send money to somebody",
    examples=("send money", "transfer 50 euros to Ana", "I want to make a transfer"),
)
ORDER = FlowBrief(
    name="order_card", examples=("I need a new card", "order a card", "send me a card")
)
BANK = (BLOCK, BALANCE, TRANSFER, ORDER)
WEATHER = FlowBrief(
    name="forecast", examples=("what is the weather like", "will it rain tomorrow", "is it sunny")
)
MUSIC = FlowBrief(name="play_music", examples=("play a song", "put on some jazz", "play music"))
TABLE = FlowBrief(
    name="book_table", examples=("book a table for two", "a table at eight", "reserve a restaurant")
)
HOME = (WEATHER, MUSIC, TABLE)


class Speaker:
    """Says things to assistants."""

    def __init__(self) -> None:
        self.encoder = Encoder.load()
        self.sentence = cache(lambda text: self.encoder.encode_sentences([text])[0])
        self.chooser = FlowChooser(self.read, self.knows)

    def read(self, texts: Sequence[str]) -> list[Sentence]:
        return [self.sentence(text) for text in texts]

    def knows(self, word: str) -> bool:
        return len(self.encoder.wordpiece.split_text(word)) == 1

    def says(self, message: str, flows: Sequence[FlowBrief]) -> FlowChoice:
        return self.chooser.choose(self.sentence(message), flows, message)


@pytest.fixture(scope="module")
def speaker() -> Speaker:
    return Speaker()


@pytest.mark.parametrize(
    ("message", "flow"),
    [
        ("I lost my card", "block_card"),
        ("somebody has stolen my credit card", "block_card"),
        ("how much is left on my account?", "check_balance"),
        ("I'd like to transfer 20 euros to my brother", "transfer_money"),
        ("can I get a new card", "order_card"),
    ],
)
def test_a_flow_is_found_in_other_words_than_its_examples(
    speaker: Speaker, message: str, flow: str
) -> None:
    choice = speaker.says(message, BANK)
    assert choice.best == flow == choice.ranked[0][0]
    assert choice.probabilities[flow] > 0.6


@pytest.mark.parametrize(
    ("message", "flow"),
    [
        ("blcok my crad", "block_card"),
        ("whats my balnce", "check_balance"),
        ("TRASNFER mony", "transfer_money"),
        ("I losst my card", "block_card"),
    ],
)
def test_typos_do_not_hide_a_flow(speaker: Speaker, message: str, flow: str) -> None:
    assert speaker.says(message, BANK).best == flow
    assert speaker.says(message, BANK).probabilities[flow] > 0.6


def test_a_word_that_exists_is_no_typo_of_another(speaker: Speaker) -> None:
    cart = speaker.says("where is my cart", BANK).probabilities["block_card"]
    card = speaker.says("where is my card", BANK).probabilities["block_card"]
    assert cart < card / 2


def test_without_known_words_nothing_is_put_right(speaker: Speaker) -> None:
    literal = FlowChooser(speaker.read)
    assert literal.choose(speaker.sentence("blcok my crad"), BANK, "blcok my crad").best is None


@pytest.mark.parametrize("message", ["will it rain in Paris?", "play some rock music", "qwerty"])
def test_what_no_flow_does_is_out_of_scope(speaker: Speaker, message: str) -> None:
    choice = speaker.says(message, BANK)
    assert choice.best is None
    assert choice.probabilities[None] > 0.7


def test_what_is_out_of_scope_here_may_be_in_scope_elsewhere(speaker: Speaker) -> None:
    message = "will it be sunny in Paris?"
    assert speaker.says(message, BANK).best is None
    assert speaker.says(message, HOME).best == "forecast"
    assert speaker.says(message, (*BANK, *HOME)).best == "forecast"


def test_an_assistant_of_one_flow_also_knows_what_it_does_not_do(speaker: Speaker) -> None:
    assert speaker.says("please block my card", [BLOCK]).best == "block_card"
    assert speaker.says("will it rain in Paris?", [BLOCK]).best is None


def test_a_name_or_a_description_is_enough_to_be_found(speaker: Speaker) -> None:
    named = [FlowBrief(name=one.name) for one in (*BANK, *HOME)]
    described = [FlowBrief(name=f"f{n}", description=one.description) for n, one in enumerate(BANK)]
    assert speaker.says("block the card", named).best == "block_card"
    assert speaker.says("please play music", named).best == "play_music"
    assert speaker.says("my card was stolen", described[:3]).ranked[0][0] == "f0"


def test_words_of_a_name_are_read_however_they_are_joined(speaker: Speaker) -> None:
    flows = [FlowBrief(name="Restaurants_1.FindRestaurants"), FlowBrief(name="Media_2.RentMovie")]
    assert speaker.says("find me restaurants", flows).ranked[0][0] == flows[0].name
    assert speaker.says("rent a movie", flows).ranked[0][0] == flows[1].name


def test_examples_say_more_than_the_name(speaker: Speaker) -> None:
    swapped = [
        FlowBrief(name="balance", examples=BLOCK.examples),
        FlowBrief(name="card", examples=BALANCE.examples),
    ]
    assert speaker.says("I have lost my card", swapped).best == "balance"


def test_many_examples_of_one_flow_do_not_crowd_out_another(speaker: Speaker) -> None:
    crowd = BALANCE.model_copy(
        update={"examples": tuple(f"tell me the balance of account {n}" for n in range(60))}
    )
    assert speaker.says("somebody stole my card", (BLOCK, crowd, TRANSFER)).best == "block_card"


def test_a_message_between_two_flows_leaves_both_likely(speaker: Speaker) -> None:
    cards = [
        FlowBrief(name="block_card", examples=("block my card", "stop my card")),
        FlowBrief(name="unblock_card", examples=("unblock my card", "free my card")),
        BALANCE,
    ]
    choice = speaker.says("something about my card", cards)
    (_, first), (_, second), (last, third) = choice.ranked
    assert first >= second > 5 * third
    assert last == "check_balance"


@pytest.mark.parametrize(
    "flows", [(), (BLOCK,), BANK, [FlowBrief(name="___"), FlowBrief(name="?")]]
)
@pytest.mark.parametrize("message", ["", "😀", "block my card", "na " * 3000, "ñandú x'y"])
def test_probabilities_are_of_every_flow_and_none_and_sum_to_one(
    speaker: Speaker, flows: Sequence[FlowBrief], message: str
) -> None:
    choice = speaker.says(message, flows)
    assert set(choice.probabilities) == {None, *(flow.name for flow in flows)}
    assert math.isclose(sum(choice.probabilities.values()), 1, abs_tol=1e-5)
    assert all(0 <= one <= 1 for one in choice.probabilities.values())
    assert all(-1.001 <= one <= 1.001 for one in choice.similarity.values())


def test_similarity_is_that_of_the_text_most_alike(speaker: Speaker) -> None:
    choice = speaker.says("I lost my card", BANK)
    assert choice.similarity["block_card"] == pytest.approx(1, abs=1e-3)
    assert choice.similarity["check_balance"] < 0.6


def test_new_examples_are_heeded_at_once(speaker: Speaker) -> None:
    message = "fresh plastic"
    before = speaker.says(message, BANK).probabilities["order_card"]
    told = ORDER.model_copy(update={"examples": (*ORDER.examples, "fresh plastic please")})
    assert speaker.says(message, (*BANK[:3], told)).probabilities["order_card"] > before + 0.3
    assert speaker.says(message, BANK).probabilities["order_card"] == before


def test_the_flows_most_alike_come_first_and_no_more_than_wanted(speaker: Speaker) -> None:
    flows = (*BANK, *HOME)
    found = speaker.chooser.find_nearest(speaker.sentence("is it going to rain").vector, flows, 2)
    assert found[0] is WEATHER
    assert len(found) == 2
    assert speaker.chooser.find_nearest(speaker.sentence("rain").vector, [], 2) == []


def test_many_threads_may_use_one_chooser(speaker: Speaker) -> None:
    chooser = FlowChooser(speaker.read, speaker.knows)
    sets = [BANK[:2], BANK[1:], BANK, HOME] * 6

    def best(flows: Sequence[FlowBrief]) -> dict[str | None, float]:
        return dict(
            chooser.choose(speaker.sentence("my balance"), flows, "my balance").probabilities
        )

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(best, sets))
    for flows, probabilities in zip(sets, found, strict=True):
        assert probabilities == best(flows)


def made_up(texts: Sequence[str]) -> list[Sentence]:
    """Directions that have nothing to do with one another, but for equal texts."""
    rows = [np.random.default_rng(crc32(text.encode())).normal(size=384) for text in texts]
    whole = [(row / np.linalg.norm(row)).astype(np.float32) for row in rows]
    return [Sentence(row, (), np.zeros((0, 384), dtype=np.float16)) for row in whole]


def test_one_of_a_thousand_flows_is_found() -> None:
    flows = [
        FlowBrief(name=f"task_{n}", examples=tuple(f"way {k} to say {n}" for k in range(5)))
        for n in range(1000)
    ]
    chooser = FlowChooser(made_up)
    message = "way 3 to say 712"
    (said,) = made_up([message])
    assert chooser.choose(said, flows, message).best == "task_712"
    assert chooser.find_nearest(said.vector, flows, 20)[0].name == "task_712"


def test_texts_of_flows_are_read_once_for_a_set_of_flows() -> None:
    read: list[str] = []

    def reading(texts: Sequence[str]) -> list[Sentence]:
        read.extend(texts)
        return made_up(texts)

    chooser = FlowChooser(reading)
    (said,) = made_up(["hello"])
    for _ in range(3):
        chooser.choose(said, BANK, "hello")
    assert len(read) == sum(1 + bool(one.description) + len(one.examples) for one in BANK)


@pytest.mark.parametrize(("room", "again"), [(1, True), (1000, False)])
def test_sets_of_flows_are_kept_ready_as_long_as_there_is_room(room: int, again: bool) -> None:
    read: list[str] = []

    def reading(texts: Sequence[str]) -> list[Sentence]:
        read.extend(texts)
        return made_up(texts)

    chooser = FlowChooser(reading, kept=room)
    (said,) = made_up(["hello"])
    for flows in (BANK, BANK, HOME, BANK):
        chooser.choose(said, flows, "hello")
    assert read.count("play a song") == 1
    assert read.count(BANK[0].examples[0]) == (2 if again else 1)


def test_a_message_that_is_put_right_is_not_read_with_what_is_kept(speaker: Speaker) -> None:
    kept: list[str] = []

    def keeping(texts: Sequence[str]) -> list[Sentence]:
        kept.extend(texts)
        return speaker.read(texts)

    chooser = FlowChooser(keeping, speaker.knows, speaker.read)
    message = "wht will the wether be"
    choice = chooser.choose(speaker.sentence(message), HOME, message)
    assert choice.best == "forecast"
    assert not any("will the weather be" in text for text in kept)


def test_telling_flows_apart_does_not_hang_on_how_often_each_text_is_written() -> None:
    # Few texts and many are worked out in different ways, which must come to the same.
    random = np.random.default_rng(7)
    inputs = random.normal(size=(12, 40)).astype(np.float32) / np.float32(6)
    labels = np.arange(12) % 3
    shares = np.full(12, 1 / 12, dtype=np.float32)
    few = fit_logistic(inputs, labels, shares)
    many = fit_logistic(
        np.tile(inputs, (5, 1)), np.tile(labels, 5), np.tile(shares, 5) / np.float32(5)
    )
    assert few.shape == (41, 3)
    assert np.allclose(few, many, atol=1e-3)


def test_the_sketches_of_the_texts_are_those_of_each_text() -> None:
    texts = ["cancel my booking", "go go go", "??", "Añadir maleta"]
    spelling = Spelling(texts, [0, 0, 1, 2], [1.0, 0.5, 1.0, 1.0])
    assert np.allclose(
        spelling.make_sketches(), [spelling.make_sketch(text) for text in texts], atol=1e-6
    )
    assert spelling.compare_spelling("cancel bookings").argmax() == 0
    assert spelling.compare_spelling("añade una maleta").argmax() == 2
    assert not spelling.compare_spelling("xyz").any()
