"""Numpy's products are made in one thread while a message is read, and only then."""

import threading

from soni.du.encoder.blas import BlasThreads, find_blas, use_one_thread


class Library:
    """Counts as OpenBLAS does: one number for the whole process."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def get(self) -> int:
        return self.threads

    def set(self, threads: int) -> None:
        self.threads = threads


def test_the_last_reader_gives_back_what_the_application_had() -> None:
    library = Library(8)
    blas = BlasThreads(library.get, library.set)
    first, second = blas.limit_to_one(), blas.limit_to_one()
    first.__enter__()
    second.__enter__()
    assert library.threads == 1
    first.__exit__(None, None, None)
    assert library.threads == 1
    second.__exit__(None, None, None)
    assert library.threads == 8


def test_the_numpy_that_is_installed_is_limited() -> None:
    blas = find_blas()
    assert blas is not None
    before = blas.get_threads()
    seen: list[int] = []
    with use_one_thread():
        # Another thread of the application is limited meanwhile, too.
        looking = threading.Thread(target=lambda: seen.append(blas.get_threads()))
        looking.start()
        looking.join()
    assert seen == [1]
    assert blas.get_threads() == before
