"""Scores become probabilities, whatever the scores are."""

import numpy as np
import pytest

from soni.du.encoder.weights import softmax


def test_the_probabilities_of_a_row_sum_to_one_and_keep_the_order_of_the_scores() -> None:
    scores = np.array([[1.0, 3.0, 2.0], [-900.0, 900.0, 0.0]], dtype=np.float32)
    before = scores.copy()

    likely = softmax(scores)

    assert likely.sum(axis=-1) == pytest.approx([1, 1])
    assert likely.argsort().tolist() == scores.argsort().tolist()
    assert np.isfinite(likely).all()
    assert (scores == before).all()


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0)])
def test_of_no_scores_there_are_no_probabilities(shape: tuple[int, ...]) -> None:
    assert softmax(np.zeros(shape, dtype=np.float32)).shape == shape
