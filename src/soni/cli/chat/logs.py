"""Logging while somebody reads the terminal: to stderr, and only what nobody else says."""

import logging
import sys

import structlog


def log_to_stderr(*, verbose: bool = False) -> None:
    """Log everything, or only what is worse than an error: errors are shown in words anyway."""
    level = logging.DEBUG if verbose else logging.CRITICAL
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
