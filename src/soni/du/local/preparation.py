"""Preparing the models for an assistant, before its first message."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from soni.du.context import DialogueContext
from soni.du.encoder.blas import use_one_thread
from soni.du.encoder.encoding_file import FILE_NAME, EncodingFile, Encodings, Key, make_key
from soni.du.local.analysis import Models, load_models
from soni.du.local.flows.likeness import iter_flow_texts
from soni.du.tagger import make_moment

T = TypeVar("T")

_GREETING = "hello"
"""Read once, so that the first user waits for nothing that is made on first use."""


def prepare_models(context: DialogueContext, most_flows: int, folder: Path | None) -> None:
    """Load the models and encode an assistant's texts, as far as a file does not have them.

    `context` has all flows that may start; a message is read among `most_flows` of them at most.
    """
    models = load_models()
    with use_one_thread():
        _encode_texts(models, context, folder)
        near = models.find_nearest_flows(_GREETING, context.available_flows, most_flows)
        models.choose_flow(models.encode_message(_GREETING), near, _GREETING)


def _encode_texts(models: Models, context: DialogueContext, folder: Path | None) -> None:
    texts = list(dict.fromkeys(_iter_texts(context)))
    titles = list(dict.fromkeys(_iter_titles(context)))
    file = EncodingFile(folder / FILE_NAME, models.version) if folder is not None else None
    stored = file.load() if file is not None else Encodings()
    keys, title_keys = [make_key(text) for text in texts], [make_key(text) for text in titles]
    models.sentences.add(_select(texts, keys, stored.sentences))
    models.titles.add(_select(titles, title_keys, stored.vectors))
    sentences, vectors = models.sentences.encode(texts), models.titles.encode(titles)
    is_same = stored.sentences.keys() == set(keys) and stored.vectors.keys() == set(title_keys)
    if file is not None and not is_same:
        file.store(
            Encodings(
                dict(zip(keys, sentences, strict=True)), dict(zip(title_keys, vectors, strict=True))
            )
        )


def _select(texts: Sequence[str], keys: Sequence[Key], stored: Mapping[Key, T]) -> dict[str, T]:
    return {text: stored[key] for text, key in zip(texts, keys, strict=True) if key in stored}


def _iter_texts(context: DialogueContext) -> Iterator[str]:
    """What messages are compared with."""
    for flow in (*context.available_flows, *context.barred_flows):
        yield from (text for text, _ in iter_flow_texts(flow))
    yield from context.known_questions


def _iter_titles(context: DialogueContext) -> Iterator[str]:
    """What the tagger is told of flows, slots and choices."""
    moment = make_moment(_GREETING, (), context)
    for slot in moment.slots:
        yield from (slot.text, slot.home, *(choice.text for choice in slot.choices))
    yield from (flow.text for flow in moment.flows)
