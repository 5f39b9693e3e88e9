"""Policies asked as plain Python: what the compiler checks, or makes impossible, is checked here at every question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def copy_fields(source: Any, target: Any) -> None:
    """Copy all of a record over another one of the same type."""
    for name in source.dtype.names:
        target[name] = source[name]


def checked_answer(function: Callable, note: str, view: Any) -> int:
    """What a policy answers; `note` is the field of the view that it may write. TypeError says what else it did."""
    before = view.copy()
    answer = function(view)
    for name in view.dtype.names if view.tobytes() != before.tobytes() else ():
        if name != note and np.any(view[name] != before[name]):
            copy_fields(before, view)
            raise TypeError(f"writes view.{name}; a policy may write view.{note} only")
    if not isinstance(answer, int | np.integer | np.bool_):
        raise TypeError(f"answers {answer!r}; a policy returns an int whatever it is asked")
    return int(answer)


def raised(function: Callable, note: str, view: Any) -> Exception | None:
    """The exception that a policy raises when it is asked, or None."""
    try:
        with np.errstate(all="ignore", divide="raise"):
            checked_answer(function, note, view)
    except Exception as error:
        return error
    return None
