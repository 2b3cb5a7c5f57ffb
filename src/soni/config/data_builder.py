"""YAML nodes to plain data, and the place of every key and value in it."""

from typing import Any, Final

from soni.config.guard import MAX_DEPTH, MAX_SIGNS
from soni.config.positions import Mark, Path
from soni.config.yaml import MappingNode, ScalarNode, SequenceNode, YamlNode
from soni.core.errors import Problem, UnreadableFile


class DataBuilder:
    """Builds plain data and records places. Aliases are copied, so the copies are limited."""

    def __init__(self) -> None:
        self.keys: Final[dict[Path, Mark]] = {}
        self.values: Final[dict[Path, Mark]] = {}

    def build(self, node: YamlNode, path: Path = ()) -> Any:
        """The plain data of a node that stands at `path`."""
        self.values[path] = node.mark
        if len(self.values) > MAX_SIGNS or len(path) > MAX_DEPTH:
            # Without a place: the value that exceeds the limit is not the mistake.
            message, file = "aliases make too much of this file", node.mark.source.file
            remedy = "write the repeated parts out"
            raise UnreadableFile(Problem(message, remedy, file=file, code="E154"))
        if isinstance(node, ScalarNode):
            return node.value
        if isinstance(node, SequenceNode):
            return [self.build(item, (*path, index)) for index, item in enumerate(node.items)]
        assert isinstance(node, MappingNode)
        data = {}
        for key, (mark, value) in node.entries.items():
            self.keys[(*path, key)] = mark
            data[key] = self.build(value, (*path, key))
        return data
