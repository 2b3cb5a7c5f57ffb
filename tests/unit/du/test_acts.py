"""The numbers that tell acts apart are those that tools/acts.py wrote."""

from hashlib import sha256

from soni.du.local.analysis import FILE


def test_the_file_is_the_one_that_was_built() -> None:
    wanted, name = (FILE.parent / "SHA256SUMS").read_text().split()
    assert name == FILE.name
    assert sha256(FILE.read_bytes()).hexdigest() == wanted
