"""Every code that a problem may have, with its cause and its remedy.

E1 files, YAML and form; E2 names; E3 texts, expressions and values; E4 flows and steps; E5 actions
and Python; W6 warnings; E7 conversation tests; E8 knowledge; E9 programs. A code that is no longer
used stays unused.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from soni.config.codes import (
    in_files,
    in_flows,
    in_form,
    in_knowledge,
    in_names,
    in_programs,
    in_python,
    in_tests,
    in_texts,
    in_yaml,
    warnings,
)
from soni.config.codes.code import Code

__all__ = ["Code", "codes"]

_MODULES = (
    in_form,
    in_yaml,
    in_files,
    in_names,
    in_texts,
    in_flows,
    in_python,
    warnings,
    in_tests,
    in_knowledge,
    in_programs,
)


@lru_cache(maxsize=1)
def codes() -> Mapping[str, Code]:
    """All codes, in their order."""
    return MappingProxyType({code.code: code for each in _MODULES for code in each.CODES})
