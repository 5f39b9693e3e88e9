"""Users' own policies of one game, compiled: found by name, or in the state in which a run was played.

What stands in the way is said in one line, with the line of the user's file wherever there is one.
"""

from __future__ import annotations

import dis
import inspect
import re
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from alchemy_sim.core import sources
from alchemy_sim.core.errors import UsageError, nearest
from alchemy_sim.core.jit import OWN_FILE, NotCompiled, Policy, PolicyType
from alchemy_sim.core.own import Own, parts_of, place_of
from alchemy_sim.core.sources import Sources

#: Characters of a compiler's objection that are shown, and names of functions.
_WIDTH, _NAMES = 200, 12


class OwnPolicies:
    """The own policies of a game that this process has compiled."""

    def __init__(self, kind: PolicyType) -> None:
        self._kind = kind
        self._lock = threading.RLock()
        self._compiled: dict[Own, Policy] = {}
        self._sources: dict[Own, Sources] = {}

    def open(self, name: str, place: str = "") -> Own:
        """Read and compile `my.py:name` as it is now, from `place` if its file is not found from the working folder.

        UsageError says what is wrong with it.
        """
        file, function = parts_of(name)
        found = sources.read(Path(place or place_of(name)), file)
        own = Own(name, str(found.path), found.files)
        with self._lock:
            if own not in self._compiled:
                chosen = _function(sources.run(found, [OWN_FILE]), function, file)
                self._compiled[own] = self._compile(chosen, function, found)
                self._sources[own] = found
        return own

    def policy(self, own: Own) -> Policy:
        """The compiled policy, in the state a run was planned with. UsageError if its files have changed since."""
        with self._lock:
            if own not in self._compiled:
                changed = own.changed()
                if not changed and self.open(own.name, own.path) != own:
                    changed = "a file of a name that it imports lies beside it now"
                if changed:
                    raise UsageError(f"policy {own.name}: {changed}")
            return self._compiled[own]

    def place(self, own: Own, error: BaseException) -> str:
        """Where in its files an exception came from: `my.py:7`."""
        return self._sources[own].line_in(error.__traceback__)

    def _compile(self, function: Callable, name: str, found: Sources) -> Policy:
        try:
            return self._kind.compile(function)
        except NotCompiled as error:
            where = _where(error, function, found)
            raise UsageError(f"{where}: {name} can't be compiled: {_objection(str(error))}") from error


def _function(names: Mapping[str, Any], function: str, file: str) -> Callable:
    """The function of that name among a file's; UsageError if it has none that could be a policy."""
    here = [name for name, each in names.items() if inspect.isfunction(each) and each.__globals__ is names]
    more = ", ..." if len(here) > _NAMES else ""
    has = f"; it has {', '.join(here[:_NAMES])}{more}" if here else "; it has no function"
    if not function:
        raise UsageError(f"policy {file}: name its function too, as in {file}:{here[0] if here else 'name'}{has}")
    if function not in names:
        raise UsageError(f'{file}: no function "{function}"{nearest(function, here)}{has}')
    found = names[function]
    found = found.function if isinstance(found, Policy) else getattr(found, "py_func", found)  # compiled already
    if not inspect.isfunction(found):
        raise UsageError(f"{file}: {function} is no function{has}")
    try:
        inspect.signature(found).bind(None)
    except TypeError:
        line = found.__code__.co_firstlineno
        raise UsageError(f"{file}:{line}: {function} must take one argument, the view") from None
    return found


def _where(error: NotCompiled, function: Callable, found: Sources) -> str:
    """The line that the compiler objects to. The first that it names in the user's files is the innermost."""
    places = "|".join(re.escape(found.place(name)) for name in found.contents)
    named = re.search(rf"({places}) \((\d+)\)", str(error))
    if named:
        return found.label(named[1], int(named[2]))
    here: str = function.__code__.co_filename
    at = getattr(error.__cause__, "loc", None)
    if at is not None and at.filename == here:
        return found.label(here, at.line)
    missing = re.search(r"name '(\w+)'", str(error))
    for each in dis.get_instructions(function):
        if missing and each.argval == missing[1] and each.positions is not None:
            return found.label(here, each.positions.lineno)
    return found.label(here, function.__code__.co_firstlineno)


#: What the compiler says, as a pattern, and what is said in its place.
_WORDS = (
    (r"(writes view\.\w+; a policy (?:may write view\.\w+ only|writes nothing there))", r"\1"),
    (r"(the view has no field .*)", r"\1"),
    (r"Cannot modify readonly array|output that is read-only", "it changes an array of the view; change a copy of it"),
    (
        r"Untyped global name '(\w+)':? Cannot determine Numba type of <class 'function'>",
        r"\1 is a plain function; put @helper (of alchemy_sim.core.jit) above it",
    ),
    (r"(answers .*; a policy returns an int whatever it is asked)", r"\1"),
    (r"opcode \(IMPORT_NAME\)", "it imports inside a function; import at the top of the file"),
    (r"opcode \(STORE_GLOBAL\)", "it writes a global name; what a policy knows is in the view"),
)


def _objection(text: str) -> str:
    """What a compiler's message of many lines comes down to."""
    for pattern, words in _WORDS:
        said = re.search(pattern, text)
        if said:
            return said.expand(words)
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in ", "- Resolution failure"))]
    ends = [at for at, line in enumerate(lines) if line.startswith(("There are ", "File ", "During: "))]
    words = " ".join(lines[: ends[0]] if ends and ends[0] else lines[:1])
    words = re.sub(r"\.* Raised from .*", "", words)
    return words if len(words) <= _WIDTH else words[: _WIDTH - 3] + "..."
