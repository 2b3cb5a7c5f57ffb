"""From `soni chat` to its prompt, beside `import typer` in the same run.

    python benchmarks/start.py [DIR] [RUNS]

Each run starts a process in a terminal of its own, waits for the prompt, and leaves by Ctrl-D.
"""

import os
import pty
import select
import statistics
import subprocess
import sys
import time


def main(folder: str = "examples/bank", runs: str = "5") -> None:
    """Print the medians."""
    chat = [sys.executable, "-m", "soni", "chat", folder, "--memory"]
    prompts, imports = [], []
    for _ in range(int(runs)):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import typer"], check=True)
        imports.append(time.perf_counter() - started)
        prompts.append(measure_prompt(chat))
    print(f"import typer        {statistics.median(imports):.2f} s")
    print(f"soni chat: prompt   {statistics.median(prompts):.2f} s")


def measure_prompt(command: list[str]) -> float:
    """Seconds until the prompt is there."""
    terminal, inner = pty.openpty()
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdin=inner,
        stdout=inner,
        stderr=inner,
        env={**os.environ, "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(inner)
    seen = b""
    while b">" not in seen.partition(b"leaves.")[2]:
        seen += os.read(terminal, 65536)
    seconds = time.perf_counter() - started
    os.write(terminal, b"\x04")
    while process.poll() is None:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                os.read(terminal, 65536)
            except OSError:  # the process has closed its end
                break
    process.wait()
    os.close(terminal)
    return seconds


if __name__ == "__main__":
    main(*sys.argv[1:])
