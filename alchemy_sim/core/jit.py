"""The one door to numba: compiler options, the cache folder, and types of records and functions.

No other file imports numba. Functions with an explicit signature are compiled when they are declared and kept in a
cache folder of this user; helpers without one are compiled into their callers. With NUMBA_DISABLE_JIT=1 the same
source runs as plain Python.

The cache folder is named by a hash of all sources that kernels can depend on and of the switches that change code:
numba looks only at the file of the function it loads, so an edited helper in another file would go unseen.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = [
    "JIT_OFF",
    "PORTABLE",
    "Policy",
    "PolicyType",
    "array_of",
    "ask_policy",
    "cgutils",
    "compiled_before",
    "helper",
    "intrinsic",
    "ir",
    "kernel",
    "mark_compiled",
    "one_record",
    "quiet_integers",
    "record_type",
    "stack_floats",
    "types",
]

CACHE_VARIABLE = "ALCHEMY_SIM_CACHE"
PORTABLE_VARIABLE = "ALCHEMY_SIM_PORTABLE"
KEPT_CACHES = 3

_CONFIG: Any = numba.config
JIT_OFF = bool(_CONFIG.DISABLE_JIT)


def _slow_pdep() -> bool:
    """Whether the host lacks a fast `pdep`: no BMI2, or the microcoded one of AMD's first two Zen generations."""
    features = binding.get_host_cpu_features()
    return not features.get("bmi2", False) or binding.get_host_cpu_name() in ("znver1", "znver2")


#: Without `pdep`: bit loops instead. Same digits, slower.
PORTABLE = JIT_OFF or bool(os.environ.get(PORTABLE_VARIABLE)) or _slow_pdep()


def kernel_sources() -> list[Path]:
    """The sources that compiled code can depend on, in a fixed order: of `core` and of all games."""
    package = Path(__file__).resolve().parents[1]
    return sorted([*(package / "core").glob("*.py"), *(package / "games").rglob("*.py")])


def _source_hash() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]} portable={PORTABLE}".encode())
    for file in kernel_sources():
        digest.update(str(file).encode())  # numba's own index goes by the file's place
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _cache_home() -> Path:
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA", str(Path.home()))
    else:
        home = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    return Path(home) / "alchemy-sim"


def _open_cache() -> Path | None:
    """Make this source's cache folder and drop all but the newest few; None where nothing can be written."""
    folder = _cache_home() / _source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        probe = folder / f"probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
        old = sorted((each for each in folder.parent.iterdir() if each.is_dir()), key=lambda p: -p.stat().st_mtime)
    except OSError:
        return None
    for stale in old[KEPT_CACHES:]:
        if time.time() - stale.stat().st_mtime > 3600:  # a run under another version may still be using it
            shutil.rmtree(stale, ignore_errors=True)
    return folder


CACHE = None if JIT_OFF else _open_cache()


def compiled_before(game: str) -> bool:
    """Whether all kernels of a game stand compiled in the cache, so that importing them is quick."""
    return JIT_OFF or (CACHE is not None and (CACHE / f"{game}.complete").exists())


def mark_compiled(game: str) -> None:
    """Take note that every kernel of a game is in the cache now."""
    if CACHE is not None:
        with contextlib.suppress(OSError):
            (CACHE / f"{game}.complete").touch()


@contextlib.contextmanager
def _locked_cache() -> Iterator[None]:
    """Our cache folder for the functions declared inside, one process at a time; the user's own setting after."""
    if CACHE is None:
        yield
        return
    before = _CONFIG.CACHE_DIR
    with open(CACHE / "lock", "a+b") as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        _CONFIG.CACHE_DIR = str(CACHE)
        try:
            yield
        finally:
            _CONFIG.CACHE_DIR = before
            if sys.platform == "win32":
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)


def helper(function: Callable) -> Callable:
    """A small function that is compiled into the kernels that call it.

    Into them, not beside them: a call that stays a call hands its result through memory and tests a status, which cost
    the kernels a sixth of their speed.
    """
    return function if JIT_OFF else numba.njit(error_model="numpy", forceinline=True)(function)


def kernel(signature: Any, nogil: bool = True) -> Callable[[Callable], Callable]:
    """A function compiled on declaration for one signature and kept in the cache."""

    def declare(function: Callable) -> Callable:
        if JIT_OFF:
            return function
        with _locked_cache():
            return numba.njit(signature, nogil=nogil, cache=CACHE is not None, error_model="numpy")(function)

    return declare


def record_type(dtype: np.dtype) -> Any:
    """The numba type of one record of this structured dtype."""
    return numba.from_dtype(dtype)


def one_record(dtype: np.dtype) -> Any:
    """A blank record with its fields as attributes, the same object for compiled and plain code."""
    return np.zeros(1, dtype).view(np.recarray)[0]


def array_of(element: Any, dimensions: int = 1) -> Any:
    """The numba type of a contiguous array."""
    return types.Array(element, dimensions, "C")


class PolicyType:
    """Functions `int64(view)` that a kernel calls by address: any number of them, and the kernel's type knows none.

    A tuple of first-class functions would do too; handing it from helper to helper copied 48 words a call and cost a
    sixth of the random player's speed. An address is one word of the cell's data.
    """

    def __init__(self, view_dtype: np.dtype) -> None:
        self.signature = None if JIT_OFF else types.int64(record_type(view_dtype))

    def declare(self, function: Callable) -> Policy:
        """Compile one policy and keep it in the cache."""
        if JIT_OFF:
            _PLAIN_POLICIES.append(function)
            return Policy(function, len(_PLAIN_POLICIES) - 1)
        compiled: Any = kernel(self.signature)(function)
        (native,) = compiled.overloads.values()
        address = native.library.get_pointer_to_function(native.fndesc.llvm_func_name)
        return Policy(function, int(address), compiled)


@dataclass(frozen=True)
class Policy:
    """A declared policy: the Python function, and the address by which kernels call it."""

    function: Callable
    address: int
    compiled: Any = None  # keeps the code alive


_PLAIN_POLICIES: list[Callable] = []

if JIT_OFF:

    def ask_policy(address: Any, view: Any) -> int:
        """The answer of the policy at `address`."""
        return _PLAIN_POLICIES[int(address)](view)

else:

    @intrinsic
    def ask_policy(_typing: Any, address: Any, view: Any) -> Any:
        """The answer of the policy at `address` (uint64), a compiled function int64(view); -2 if it raised.

        It is called as compiled functions call each other: status(result *, error **, view *). A C wrapper around
        it would cost a tenth of the random player's speed.
        """

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
            policy = ir.FunctionType(ir.IntType(32), [word.as_pointer(), pointer.as_pointer(), args[1].type])
            room: Any = cgutils.alloca_once
            result, error = room(builder, word), room(builder, pointer)
            builder.store(ir.Constant(word, 0), result)
            status = builder.call(builder.inttoptr(args[0], policy.as_pointer()), [result, error, args[1]])
            fine = builder.icmp_signed("==", status, ir.Constant(ir.IntType(32), 0))
            return builder.select(fine, builder.load(result), ir.Constant(word, -2))

        return types.int64(types.uint64, view), build


@contextlib.contextmanager
def quiet_integers() -> Iterator[None]:
    """Silence numpy's overflow warnings: as plain Python the hashes wrap around on purpose."""
    with np.errstate(over="ignore", under="ignore"):
        yield


if JIT_OFF:

    def stack_floats(size: int) -> Any:
        """Room for `size` floats (a literal), not cleared, gone when the function returns."""
        return np.zeros(size)

else:

    @intrinsic(prefer_literal=True)
    def stack_floats(_typing: Any, size: Any) -> Any:
        """Room for `size` floats (a literal), not cleared, gone when the function returns: nothing is allocated."""
        count = size.literal_value

        def build(_context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
            room: Any = cgutils.alloca_once
            return room(builder, ir.DoubleType(), size=count)

        pointer: Any = types.CPointer
        return pointer(types.float64)(size), build
