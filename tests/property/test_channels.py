"""Nothing unsigned is taken by a channel, and no text is lost in pieces."""

from hypothesis import given
from hypothesis import strategies as st

from soni.server.channels import make_channels
from soni.server.channels.base import ChannelRequest, RequestRefused, clip_text, split_text
from tests.channel_desk import make_settings

CHANNELS = make_channels(make_settings("http://127.0.0.1:9"))


@given(st.binary(max_size=80), st.sampled_from(sorted(CHANNELS)))
def test_nothing_unsigned_is_taken(body: bytes, name: str) -> None:
    for headers in ({}, {"x-slack-request-timestamp": "0", "webhook-timestamp": "0"}):
        try:
            CHANNELS[name].verify(ChannelRequest(headers, body, "http://bot/", 0))
        except RequestRefused:
            continue
        raise AssertionError("it was taken")


@given(st.text(max_size=300), st.integers(min_value=2, max_value=40))
def test_pieces_of_a_text_hold_all_its_words(text: str, limit: int) -> None:
    pieces = split_text(text, limit)
    assert all(0 < len(piece.encode("utf-16-le")) // 2 <= limit for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert len(clip_text(text, limit).encode("utf-16-le")) // 2 <= limit
