"""Serves a file of weights on this machine until its input ends: python serve.py FILE THREADS."""

import sys

import xllamacpp


def main(path: str, threads: str) -> None:
    """Load, say where, wait."""
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 8192
    params.n_parallel = 1
    params.warmup = False
    params.verbosity = 0
    for work in (params.cpuparams, params.cpuparams_batch):
        work.n_threads = int(threads)
        # Threads that wait for each other by spinning stand still where others work as well.
        work.poll = 0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
