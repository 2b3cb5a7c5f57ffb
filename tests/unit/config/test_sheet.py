"""Where boxes and lines are on a page."""

from itertools import combinations

from soni.config.diagrams.sheet import Box, lay_out_sheet
from tests.unit.config.pictures import drawn, nasty, say


def apart(one: Box, other: Box) -> bool:
    across = abs(one.x - other.x) >= (one.width + other.width) / 2
    return across or abs(one.y - other.y) >= (one.height + other.height) / 2


def test_no_box_lies_on_another() -> None:
    for one, other in combinations(lay_out_sheet(nasty()).boxes, 2):
        assert apart(one, other), (one, other)


def test_every_line_ends_at_the_boxes_that_it_joins() -> None:
    sheet = lay_out_sheet(nasty())
    for path in sheet.paths:
        ends = (path.way.cells[0], path.way.cells[-1])
        first, last = path.points[0], path.points[-1]
        top, bottom = (last, first) if path.way.up else (first, last)
        above, below = (sheet.boxes[at] for at in ends)
        assert abs(top[0] - above.x) <= above.width / 2
        assert top[1] == above.y + above.height / 2
        assert abs(bottom[0] - below.x) <= below.width / 2
        assert bottom[1] == below.y - below.height / 2


def test_no_line_passes_through_a_box() -> None:
    sheet = lay_out_sheet(nasty())
    for path in sheet.paths:
        joined = {sheet.boxes[at] for at in path.way.cells}
        for box in set(sheet.boxes) - joined:
            for x, y in path.points:
                inside = abs(x - box.x) < box.width / 2 and abs(y - box.y) < box.height / 2
                assert not inside, (path, box)


def test_everything_is_on_the_page() -> None:
    sheet = lay_out_sheet(nasty())
    for box in sheet.boxes:
        assert 0 <= box.x - box.width / 2 <= box.x + box.width / 2 <= sheet.width
        assert 0 <= box.y - box.height / 2 <= box.y + box.height / 2 <= sheet.height


def test_the_start_is_at_the_top_whatever_leads_back() -> None:
    sheet = lay_out_sheet(drawn([say("a"), say("b"), say("c", jump_to="a")]))
    assert [box.y for box in sheet.boxes[:4]] == sorted(box.y for box in sheet.boxes[:4])


def test_a_long_flow_and_one_that_nothing_leads_into_are_drawn() -> None:
    assert len(lay_out_sheet(drawn([say(f"s{n}") for n in range(400)])).boxes) == 402
    assert len(lay_out_sheet(drawn([say("a", jump_to="end"), say("b")])).boxes) == 5
