"""The threads of numpy's linear algebra: one for each message.

OpenBLAS starts a thread per core for products as small as a sentence's, and they mostly wait for
each other: a message costs ten times the processor time. Its number of threads belongs to the
process, so it is set to one while Soni reads something and then set back.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from threading import Lock

# Wheels of numpy rename OpenBLAS's functions; builds of distributions do not.
_PREFIXES = ("scipy_openblas", "openblas")
_SUFFIXES = ("64_", "", "_64", "_")


class BlasThreads:
    """Sets how many threads a BLAS library uses. Thread-safe.

    Several threads may need one at the same time; the last to finish restores what was before.
    """

    def __init__(self, get: Callable[[], int], set_: Callable[[int], object]) -> None:
        self.get_threads, self._set = get, set_
        self._lock = Lock()
        self._users = 0
        self._before = 1

    @contextmanager
    def limit_to_one(self) -> Iterator[None]:
        """What runs inside, in any thread, makes its products in one thread."""
        with self._lock:
            if self._users == 0:
                self._before = self.get_threads()
                if self._before != 1:
                    self._set(1)
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0 and self._before != 1:
                    self._set(self._before)


@contextmanager
def use_one_thread() -> Iterator[None]:
    """Make numpy's products in one thread, if numpy uses OpenBLAS.

    Other libraries are left alone: Apple's Accelerate decides by itself, MKL by `MKL_NUM_THREADS`.
    """
    blas = find_blas()
    if blas is None:
        yield
    else:
        with blas.limit_to_one():
            yield


# The library, and so its number of threads, is there once per process.
@lru_cache(maxsize=1)
def find_blas() -> BlasThreads | None:
    """The OpenBLAS that numpy has loaded; None: it uses another library."""
    for library in _iter_libraries():
        for prefix in _PREFIXES:
            for suffix in _SUFFIXES:
                try:
                    get = getattr(library, f"{prefix}_get_num_threads{suffix}")
                    set_ = getattr(library, f"{prefix}_set_num_threads{suffix}")
                except AttributeError:
                    continue
                get.argtypes, get.restype = [], ctypes.c_int
                set_.argtypes, set_.restype = [ctypes.c_int], None
                return BlasThreads(get, set_)
    return None


def _iter_libraries() -> Iterator[ctypes.CDLL]:
    core = Path(str(import_module("numpy._core._multiarray_umath").__file__))
    # Where a symbol is looked for in what a library needs as well, this one is enough.
    for path in (core, *sorted((core.parents[2] / "numpy.libs").glob("*openblas*.dll"))):
        try:
            yield ctypes.CDLL(str(path))
        except OSError:
            continue
