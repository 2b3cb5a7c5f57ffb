"""Look for known vulnerabilities of the locked dependencies: python -m tools.audit

pip-audit lives in an environment of its own. Where its database cannot be had, that is said, and
nothing fails; a vulnerability that is found does.
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".venv-audit"
PIP_AUDIT = "pip-audit==2.10.1"
LOCKS = ("requirements.lock", "requirements-dev.lock")
SECONDS = 300


def main() -> int:
    """Audit both lock files; 1 if something is known of one of them."""
    program = _install()
    command = [str(program), "--format", "json", "--disable-pip", "--no-deps"]
    for lock in LOCKS:
        command += ["--requirement", str(ROOT / lock)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    try:
        found: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        print("The database of vulnerabilities cannot be had here: nothing was audited.")
        return 0
    return _report(found)


def _install() -> Path:
    program = PLACE / "bin" / "pip-audit"
    if not program.exists():
        venv.create(PLACE, with_pip=True)
        pip = [str(PLACE / "bin" / "python"), "-m", "pip", "install", "-qq", PIP_AUDIT]
        subprocess.run(pip, check=True, timeout=SECONDS, stderr=subprocess.DEVNULL)
    return program


def _report(found: list[dict[str, Any]]) -> int:
    audited = [each for each in found if "skip_reason" not in each]
    bad = [each for each in audited if each["vulns"]]
    for each in bad:
        ids = ", ".join(vuln["id"] for vuln in each["vulns"])
        print(f"{each['name']} {each['version']}: {ids}", file=sys.stderr)
    if not audited:
        print("The database of vulnerabilities cannot be had here: nothing was audited.")
    else:
        print(f"{len(audited)} of {len(found)} packages audited, {len(bad)} with known mistakes")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
