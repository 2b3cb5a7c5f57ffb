"""Talk to a served assistant through AG-UI's own client, which is written in TypeScript.

    python -m tools.ag_ui_client

Needs node and npm. The client is installed into a folder of its own, .ag-ui-client.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[1]
SCRIPT = Path(__file__).with_suffix(".mjs")
CLIENT = "@ag-ui/client@1.0.0"
START_SECONDS = 60
TALK_SECONDS = 60
INSTALL_SECONDS = 300


def install_client(folder: Path) -> None:
    """Fetch the client, unless that was done before."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules/@ag-ui/client").is_dir():
        print(f"installing {CLIENT} into {folder.name} ...", flush=True)
        command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--silent"]
        subprocess.run([*command, CLIENT], check=True, timeout=INSTALL_SECONDS)
    shutil.copy(SCRIPT, folder)


@contextmanager
def serve_bank(folder: Path) -> Iterator[str]:
    """Serve a copy of the example bank: it writes beside the files that it reads."""
    copied = shutil.copytree(
        ROOT / "examples/bank", folder / "bank", ignore=shutil.ignore_patterns(".*", "__*")
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "soni", "serve", str(copied), "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            _await_start(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


def _await_start(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            if httpx.get(f"{url}/readyz", trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            pass  # not listening yet
        time.sleep(0.1)
    raise SystemExit("the server did not start")


def main() -> None:
    """Install, serve, talk, stop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--client", type=Path, default=ROOT / ".ag-ui-client", help="where the client is"
    )
    client: Path = parser.parse_args().client.absolute()
    install_client(client)
    with tempfile.TemporaryDirectory(prefix="soni") as name:
        folder = Path(name)
        try:
            with serve_bank(folder) as url:
                subprocess.run(
                    ["node", SCRIPT.name, url], cwd=client, check=True, timeout=TALK_SECONDS
                )
        except BaseException:
            print((folder / "server.log").read_text(encoding="utf-8")[-5000:], file=sys.stderr)
            raise
    print("AG-UI's own client talked to the bank")


if __name__ == "__main__":
    main()
