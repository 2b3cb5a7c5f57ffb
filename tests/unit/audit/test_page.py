"""The page: well formed, self-contained, and deaf to what people wrote."""

from datetime import UTC, datetime
from html.parser import HTMLParser
from xml.etree import ElementTree

from soni.audit.report.figures import Figures
from soni.audit.report.page import render_report
from soni.audit.report.tables import Report
from soni.pages.plots import draw_bars, draw_columns

MADE = datetime(2026, 3, 2, tzinfo=UTC)
HOSTILE = "</title><script>alert(1)</script><img src=x onerror='a()'>\" & <b>"


def page(figures: Figures, name: str, made: datetime) -> str:
    return render_report(Report(name, figures), made)


class Reader(HTMLParser):
    """Collects tags and attributes, and checks that every tag is closed."""

    VOID = ("meta",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def full(name: str = "buy") -> Figures:
    figures = Figures(conversations=3, turns=9, messages=8, first_at=0.0, last_at=9e5)
    flow = figures.get_flow(name)
    flow.outcomes.update(completed=4, cancelled=1, failed=2)
    flow.reached[name] += 9
    flow.left_at[name] += 3
    flow.turns.add(3)
    flow.corrections = 1
    figures.answers.update(none=1, description=1)
    figures.lost_at[name] += 1
    tops = (figures.not_understood, figures.unanswered, figures.described)
    for top in (*tops, figures.rejected, figures.handoffs):
        top.add(name)
    figures.refused[name] += 1
    figures.latency.add(0.012)
    figures.timeline.add(MADE.date())
    figures.changed, figures.changed_count = [name], 1
    return figures


def test_a_page_says_what_the_figures_say() -> None:
    read = Reader(page(full(), "shop", MADE))
    text = " ".join(read.texts)
    for said in ("Conversations with shop", "57 %", "Where people stop", "not what was written"):
        assert said in text
    row = text[text.index("rate median p90") :].split()
    assert row[3:14] == ["buy", "7", "4", "1", "0", "0", "2", "0", "57", "%", "3"]


def test_what_people_wrote_is_text_and_nothing_else() -> None:
    plain, hostile = (Reader(page(full(name), name, MADE)) for name in ("buy", HOSTILE))
    assert hostile.tags == plain.tags
    assert hostile.attributes == plain.attributes
    assert HOSTILE in "".join(hostile.texts)


def test_nothing_is_fetched_or_run() -> None:
    read = Reader(page(full(), "shop", MADE))
    assert {"script", "link", "img", "iframe", "a", "use", "image"}.isdisjoint(read.tags)
    assert {"src", "href", "onclick", "onload", "style", "xlink:href"}.isdisjoint(read.attributes)
    text = page(full(), "shop", MADE)
    assert "url(" not in text
    assert "http" not in text.replace("http-equiv", "")
    assert "default-src 'none'" in text


def test_it_is_made_for_day_and_night_and_for_those_who_cannot_see_it() -> None:
    text = page(full(), "shop", MADE)
    assert "prefers-color-scheme: dark" in text
    assert '<html lang="en">' in text
    assert text.count('role="img" aria-label="') == text.count("<svg viewBox") - 8  # the keys'
    assert 'aria-label="Where people stop in buy. buy: went on 6, stopped here 3"' in text
    assert 'became of them. buy: completed 4, cancelled 1, failed 2"' in text


def test_an_empty_report_is_a_page_too() -> None:
    read = Reader(page(Figures(), "shop", MADE))
    assert "No conversation in this time" in " ".join(read.texts)
    assert "svg" not in read.tags


def test_plots_are_drawn_to_scale() -> None:
    drawn = ElementTree.fromstring(draw_bars("x", [("a", 10), ("b", 5), ("c <&>", 0)]))
    widths = [float(rect.get("width", 0)) for rect in drawn.iter("rect")]
    assert widths[0] == 2 * widths[1]
    tall = ElementTree.fromstring(draw_columns("x", [("a", 4), ("b", 1), ("c", 0)], "turns"))
    heights = [float(rect.get("height", 0)) for rect in tall.iter("rect")]
    assert abs(heights[1] * 4 - heights[0]) < 0.3
    assert heights[2] == 0
    assert draw_bars("x", []) == draw_columns("x", [("a", 0)], "turns") == ""
