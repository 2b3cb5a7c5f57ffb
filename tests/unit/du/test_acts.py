"""The numbers that tell acts apart are those that tools/acts.py wrote."""

from hashlib import sha256

from soni.du.local.analysis import ACTS_FILE


def test_the_file_is_the_one_that_was_built() -> None:
    wanted, name = (ACTS_FILE.parent / "SHA256SUMS").read_text().split()
    assert name == ACTS_FILE.name
    assert sha256(ACTS_FILE.read_bytes()).hexdigest() == wanted
