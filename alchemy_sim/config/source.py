"""Files of configurations: what a name means, which ones are shipped, and reading one."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from alchemy_sim.config.locate import Layer, one_line, parse_toml, shortened
from alchemy_sim.core.errors import ConfigError, nearest, unknown
from alchemy_sim.core.own import is_own

#: No configuration is larger; reading on would only be slow.
_MOST_BYTES = 1_000_000
#: Characters of a path that a message shows.
_LABEL = 200


@dataclass(frozen=True)
class Source:
    """A configuration file that was named, not yet read.

    `name` is what its setting is called, `given` the name as it was given, `label` what messages call the file.
    """

    name: str
    given: str
    label: str
    path: Path


@dataclass(frozen=True)
class File:
    """A configuration file that was read: `layer` holds its keys and text."""

    source: Source
    layer: Layer

    @property
    def data(self) -> dict[str, Any]:
        """Its tables."""
        return dict(self.layer.data)


def is_path(name: str) -> bool:
    """Whether a name is a path: it ends in .toml, or starts with . or / or as Windows paths do; else it is shipped."""
    return name.endswith(".toml") or name.startswith((".", "/", "\\")) or re.match(r"[A-Za-z]:", name) is not None


def _roots() -> list[Path]:
    """Folders of shipped configurations: the installed package's, then the checkout's (an editable install)."""
    package = Path(str(files("alchemy_sim")))
    roots = [package / "configs"]
    # beside an installed package there may be anybody's configs/
    if (package.parent / "pyproject.toml").is_file():
        roots.append(package.parent / "configs")
    return roots


#: Files whose name ends so hold bands for `check`, no configuration.
BANDS = "-bands"


def shipped_files(bands: bool = False) -> dict[str, Path]:
    """The shipped configurations by name, in order, or the shipped bands."""
    found: dict[str, Path] = {}
    for root in reversed(_roots()):
        for path in root.rglob("*.toml"):
            if path.stem.endswith(BANDS) == bands:
                found[path.relative_to(root).with_suffix("").as_posix()] = path
    return dict(sorted(found.items()))


def find_bands(name: str) -> Path:
    """The file of bands that a path or a shipped name means."""
    if is_path(name):
        return Path(name)
    known = shipped_files(bands=True)
    if name not in known:
        raise ConfigError(unknown("bands", shortened(name), known))
    return known[name]


def find(name: str, beside: Source | None = None, blame: str = "") -> Source:
    """The file that `name` means; a path is relative to the file `beside`. `blame` starts the message of an error."""
    if not name.strip():
        raise ConfigError(f"{blame}a configuration's name is empty")
    if not is_path(name):
        known = shipped_files()
        if name in known:
            return Source(name, name, f"{name}.toml", known[name])
        raise ConfigError(f'{blame}unknown configuration "{shortened(name)}"{_hint(name, beside, known)}')
    if beside is None:
        return Source(Path(name).stem or name, name, shortened(name, _LABEL), Path(name))
    label = posixpath.normpath(posixpath.join(posixpath.dirname(beside.label), name.replace(os.sep, "/")))
    return Source(Path(name).stem or name, name, shortened(label, _LABEL), beside.path.parent / name)


def _hint(name: str, beside: Source | None, known: Iterable[str]) -> str:
    """What may have been meant by a name that isn't shipped."""
    folder = beside.path.parent if beside else Path()
    if _is(folder / f"{name}.toml", "file"):
        return f' (did you mean the file "{shortened(name)}.toml"?)'
    if _is(folder / name, "file"):
        return f' (a file is named by a path: "./{shortened(name)}")'
    near = nearest(name, known)
    return near or f"; shipped: {', '.join(known)}; or a path to a .toml file"


def _is(path: Path, kind: str) -> bool:
    """Whether the path is a "file" or "dir"; False too for what no file system allows as a name."""
    try:
        return path.is_file() if kind == "file" else path.is_dir()
    except (OSError, ValueError):
        return False


def read(source: Source, blame: str = "") -> File:
    """Read and parse a configuration file; `blame` starts the message if it can't be had."""
    label = source.label
    if _is(source.path, "dir"):
        raise ConfigError(f"{blame}{label}: is a folder, not a configuration file")
    if not _is(source.path, "file"):
        raise ConfigError(f"{blame}{label}: no such file{_neighbour(source.path)}")
    try:
        with source.path.open("rb") as stream:
            raw = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{blame}{label}: can't be read: {error.strerror or type(error).__name__}") from None
    if len(raw) > _MOST_BYTES:
        raise ConfigError(f"{blame}{label}: too large for a configuration (over {_MOST_BYTES:,} bytes)")
    try:
        text = raw.decode("utf-8-sig")  # Windows editors put a mark at the start
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise ConfigError(f"{label}:{line}: not UTF-8 text; save the file as UTF-8") from None
    data = parse_toml(text, label)
    if not data:
        raise ConfigError(f'{label}: the file is empty; a configuration starts with a line like rulebook = "crucible"')
    if "policy" in data:
        data["policy"] = _from_here(data["policy"], source.path.parent)
    return File(source, Layer(label, data, text))


def _from_here(policy: Any, folder: Path) -> Any:
    """Names of policies as they are from the working folder: `my.py:name` lies beside the file that names it."""
    if isinstance(policy, list):
        return [_from_here(each, folder) for each in policy]
    return (folder / policy).as_posix() if isinstance(policy, str) and is_own(policy) else policy


def _neighbour(path: Path) -> str:
    """The nearest name of a .toml file in the same folder."""
    try:
        names = [each.name for each in path.parent.iterdir() if each.suffix == ".toml"]
    except (OSError, ValueError):
        return ""
    return one_line(nearest(path.name, names))
