"""A user's own policy: a function in a Python file, named `file.py:function`, and the state its files were in.

A run keeps the names and digests, so that whatever plays its games again can tell that it would be by the same
function. The files themselves are read by `core.sources`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Own:
    """One policy of a user's: `name` as it was given, `path` of its file as this process sees it.

    `files` are names and sha256 of that file, first, and of the files beside it that it imports.
    """

    name: str
    path: str
    files: tuple[tuple[str, str], ...]

    @property
    def function(self) -> str:
        """The name of the function in the file."""
        return parts_of(self.name)[1]

    def to_json(self) -> dict[str, Any]:
        """As a manifest has it: nothing that depends on where the files are."""
        return {"policy": self.name, "files": [{"file": name, "sha256": digest} for name, digest in self.files]}

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> Own:
        """What `to_json` wrote; the file is looked for from the working folder, as when the policy was named."""
        files = tuple((str(each["file"]), str(each["sha256"])) for each in stored["files"])
        return Own(stored["policy"], place_of(stored["policy"]), files)

    def changed(self) -> str:
        """What has become of its files since, in words: 'my.py has changed'; '' if they are as they were."""
        for name, digest in self.files:
            found = digest_of(Path(self.path).with_name(name))
            if found is None:
                return f"there is no {name} in {Path(self.path).parent} now"
            if found != digest:
                return f"{name} has changed since (sha256 {digest[:12]} then, {found[:12]} now)"
        return ""


def is_own(name: str) -> bool:
    """Whether a policy's name is that of a user's own: a file's, with a colon before the function."""
    return ":" in name or name.endswith(".py")


def parts_of(name: str) -> tuple[str, str]:
    """The file and the function of `my.py:name`; no function ('') if none is named."""
    file, _, function = name.rpartition(":")
    return (file, function) if file and function.isidentifier() else (name.removesuffix(":"), "")


def place_of(name: str) -> str:
    """The path of a policy's file, from the root: a worker may stand in another folder."""
    return str(Path(parts_of(name)[0]).absolute())


def digest_of(path: Path) -> str | None:
    """sha256 of a file's content, or None where there is no readable one."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):
        return None
