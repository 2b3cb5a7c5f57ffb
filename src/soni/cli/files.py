"""Files that a verb was told to write."""

from pathlib import Path

from soni.core.errors import SoniError


def write_file(file: Path, content: str | bytes) -> None:
    """Write it, or say why not. What UTF-8 does not have becomes a question mark."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    try:
        file.write_bytes(data)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SoniError(f"{file} could not be written: {reason}") from None
