"""Flow ids: the same for a repeated message, different for everything else."""

from soni.runtime.turn import make_seeded_ids


def test_a_repeated_message_makes_the_same_ids_whenever_it_comes() -> None:
    first, again = make_seeded_ids("ann", 3, "m1"), make_seeded_ids("ann", 7, "m1")
    assert [first("pay"), first("pay")] == [again("pay"), again("pay")]


def test_without_an_id_a_message_is_known_by_its_turn() -> None:
    assert make_seeded_ids("ann", 3, None)("pay") == make_seeded_ids("ann", 3, None)("pay")
    assert make_seeded_ids("ann", 3, None)("pay") != make_seeded_ids("ann", 4, None)("pay")


def test_ids_differ_by_conversation_message_place_and_order() -> None:
    makers = [
        make_seeded_ids("ann", 1, "m1"),
        make_seeded_ids("bob", 1, "m1"),
        make_seeded_ids("ann", 1, "m2"),
        make_seeded_ids("ann", 1, None),
        make_seeded_ids("ann", 1, "1"),  # an id that looks like a turn is not one
    ]
    ids = [maker("pay") for maker in makers for _ in range(3)]
    assert len(set(ids)) == len(ids)


def test_an_id_begins_with_the_flows_name() -> None:
    assert make_seeded_ids("ann", 1, None)("book_flight").startswith("book_flight_")


def test_broken_characters_in_a_name_make_an_id_too() -> None:
    assert make_seeded_ids("\ud800", 1, None)("pay") != make_seeded_ids("\ud801", 1, None)("pay")
