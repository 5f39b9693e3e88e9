"""The file of a user's own policy and the files beside it that it imports: read once, and run as they were read.

They are not imported by Python's own machinery, which would keep a module for as long as the process lives and might
use an old .pyc: an edited file is always the one that is used, and what is run is what the digests are of.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from traceback import walk_tb
from types import ModuleType, TracebackType
from typing import Any

from alchemy_sim.core.errors import UsageError, nearest

#: Names that a file beside never takes: a policy's `import random` means Python's.
_TAKEN = sys.stdlib_module_names | {"alchemy_sim", "numba", "numpy"}
_LOCK = threading.RLock()


@dataclass(frozen=True)
class Sources:
    """Contents by file name, the policy's own file first; `shown` is what messages call that file."""

    path: Path
    shown: str
    contents: dict[str, bytes]

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """Names and sha256."""
        return tuple((name, hashlib.sha256(content).hexdigest()) for name, content in self.contents.items())

    def place(self, name: str) -> str:
        """The whole path of one of the files."""
        return str(self.path.with_name(name))

    def label(self, path: str, line: int | None) -> str:
        """`my.py:7` for one of the files by its whole path."""
        name = Path(path).name
        shown = self.shown if path == str(self.path) else name
        return shown if line is None else f"{shown}:{line}"

    def line_in(self, trace: TracebackType | None) -> str:
        """Where in these files an exception came from: the innermost line of theirs, `my.py:7`; else the file."""
        places = {self.place(name) for name in self.contents}
        found = [(frame.f_code.co_filename, line) for frame, line in walk_tb(trace)]
        mine = [each for each in found if each[0] in places]
        return self.label(*mine[-1]) if mine else self.shown


def read(path: Path, shown: str) -> Sources:
    """Read a file and, through its imports, all files beside it. UsageError if one can't be had or isn't Python."""
    contents: dict[str, bytes] = {}
    left = [path.name]
    while left:
        name = left.pop(0)
        if name in contents:
            continue
        place = path.with_name(name)
        label = shown if name == path.name else name
        try:
            contents[name] = place.read_bytes()
        except (OSError, ValueError) as error:
            if place.exists():
                reason = getattr(error, "strerror", None) or "can't be read"
                raise UsageError(f"{label}: can't be read: {reason}") from None
            raise UsageError(f"{label}: no such file{_neighbour(place)}") from None
        left += [f"{each}.py" for each in _imported(_parsed(contents[name], place, label)) if _beside(path, each)]
    return Sources(path, shown, contents)


def run(sources: Sources, marks: Sequence[str] = ()) -> dict[str, Any]:
    """Run the file; its names. `marks` are names that all the files find in their globals. UsageError if it fails."""
    finder = _Beside(sources, marks)
    module = ModuleType(sources.path.stem)
    module.__file__ = str(sources.path)
    with _LOCK:
        before = {name: sys.modules.pop(name) for name in finder.names if name in sys.modules}
        sys.meta_path.insert(0, finder)
        try:
            finder.fill(module, sources.path.name)
        except (Exception, SystemExit) as error:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise UsageError(f"{sources.line_in(error.__traceback__)}: can't be loaded: {what}") from error
        finally:
            sys.meta_path.remove(finder)
            for name in finder.names:
                sys.modules.pop(name, None)
            sys.modules.update(before)
    return vars(module)


class _Beside(MetaPathFinder, Loader):
    """Imports of the files beside, out of what was read."""

    def __init__(self, sources: Sources, marks: Sequence[str]) -> None:
        self._sources = sources
        self._marks = dict.fromkeys(marks, True)
        self.names = [name.removesuffix(".py") for name in list(sources.contents)[1:]]

    def find_spec(self, fullname: str, _path: Any, _target: Any = None) -> ModuleSpec | None:
        if fullname not in self.names:
            return None
        return spec_from_loader(fullname, self, origin=self._sources.place(f"{fullname}.py"))

    def create_module(self, _spec: ModuleSpec) -> None:
        """As Python makes them."""

    def exec_module(self, module: ModuleType) -> None:
        self.fill(module, f"{module.__name__}.py")

    def fill(self, module: ModuleType, name: str) -> None:
        """Run one of the files in a module."""
        vars(module).update(self._marks)
        code = compile(self._sources.contents[name], self._sources.place(name), "exec", dont_inherit=True)
        exec(code, vars(module))


def _parsed(content: bytes, place: Path, label: str) -> ast.Module:
    try:
        return ast.parse(content, str(place))
    except SyntaxError as error:
        line = "" if error.lineno is None else f":{error.lineno}"
        raise UsageError(f"{label}{line}: not valid Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{label}: not valid Python: {error or type(error).__name__}") from None


def _imported(tree: ast.Module) -> Iterator[str]:
    """The first parts of all names of modules that are imported anywhere in a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def _beside(path: Path, name: str) -> bool:
    return name not in _TAKEN and path.with_name(f"{name}.py").is_file()


def _neighbour(path: Path) -> str:
    """The nearest name of a .py file in the same folder."""
    try:
        names = [each.name for each in path.parent.iterdir() if each.suffix == ".py"]
    except (OSError, ValueError):
        return ""
    return nearest(path.name, names)
