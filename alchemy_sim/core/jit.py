"""The one door to numba: compiler options, types of records and functions, and policies.

No other file imports numba. Functions with an explicit signature are compiled when they are declared and kept in the
folder of `core.cache`; helpers without one are compiled into their callers. With NUMBA_DISABLE_JIT=1 the same source
runs as plain Python.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, errors
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_setattr_generic, register_model, typeof_impl
from numba.np.arrayobj import record_setattr

from alchemy_sim.core.cache import locked, open_cache
from alchemy_sim.core.errors import nearest
from alchemy_sim.core.plain import checked_answer, copy_fields, raised

__all__ = [
    "JIT_OFF",
    "OWN_FILE",
    "PORTABLE",
    "RAISED",
    "NotCompiled",
    "Policy",
    "PolicyType",
    "array_of",
    "ask_policy",
    "cgutils",
    "compiled_before",
    "copy_record",
    "helper",
    "intrinsic",
    "ir",
    "kernel",
    "large_helper",
    "mark_compiled",
    "one_record",
    "quiet_integers",
    "record_type",
    "records",
    "types",
    "what_it_raises",
]

PORTABLE_VARIABLE = "ALCHEMY_SIM_PORTABLE"

_CONFIG: Any = numba.config
JIT_OFF = bool(_CONFIG.DISABLE_JIT)


def _slow_pdep() -> bool:
    """Whether the host lacks a fast `pdep`: no BMI2, or the microcoded one of AMD's first two Zen generations."""
    features = binding.get_host_cpu_features()
    return not features.get("bmi2", False) or binding.get_host_cpu_name() in ("znver1", "znver2")


#: Without `pdep`: bit loops instead. Same digits, slower.
PORTABLE = JIT_OFF or bool(os.environ.get(PORTABLE_VARIABLE)) or _slow_pdep()


CACHE = None if JIT_OFF else open_cache(f"{numba.__version__} {sys.version_info[:2]} portable={PORTABLE}")


def compiled_before(game: str) -> bool:
    """Whether all kernels of a game stand compiled in the cache, so that importing them is quick."""
    return JIT_OFF or (CACHE is not None and (CACHE / f"{game}.complete").exists())


def mark_compiled(game: str) -> None:
    """Take note that every kernel of a game is in the cache now."""
    if CACHE is not None:
        with contextlib.suppress(OSError):
            (CACHE / f"{game}.complete").touch()


@contextlib.contextmanager
def _locked_cache(name: str) -> Iterator[None]:
    """Our cache folder for the function declared inside, by one process at a time; the user's own setting after."""
    if CACHE is None:
        yield
        return
    before = _CONFIG.CACHE_DIR
    with locked(CACHE, name):
        _CONFIG.CACHE_DIR = str(CACHE)
        try:
            yield
        finally:
            _CONFIG.CACHE_DIR = before


#: A name in the globals of a user's own file: what is declared there is compiled with every check.
OWN_FILE = "__own_policy_file__"
_CHECKED: dict[str, Any] = {"error_model": "python", "boundscheck": True}


def helper(function: Callable) -> Callable:
    """A small function that is compiled into the kernels that call it.

    Into them, not beside them: a call that stays a call hands its result through memory and tests a status, which cost
    the kernels a sixth of their speed. In a user's own file an index out of bounds or a division by zero raises.
    """
    return _helper(function, forceinline=True)


def large_helper(function: Callable) -> Callable:
    """A helper that stays a function of its own: called from many places, or too long to be copied into each."""
    return _helper(function)


def _helper(function: Callable, **options: bool) -> Callable:
    if JIT_OFF:
        return function
    made = numba.njit(**_CHECKED if OWN_FILE in function.__globals__ else {"error_model": "numpy", **options})(function)
    # called with a constant it would be compiled once more for that constant alone
    by_types = made.get_call_template
    made.get_call_template = lambda args, kws: by_types(tuple(map(types.unliteral, args)), kws)
    return made


def kernel(signature: Any, nogil: bool = True) -> Callable[[Callable], Callable]:
    """A function compiled on declaration for one signature and kept in the cache."""

    def declare(function: Callable) -> Callable:
        if JIT_OFF:
            return function
        with _locked_cache(f"{function.__module__}.{function.__qualname__}"):
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


class _SeenArray(types.NestedArray):
    """An array in a record that can be read only."""

    mutable = False


class _Seen(types.Record):
    """A record as a user's policy is handed it: of its fields only `note` can be written."""

    def __init__(self, record: Any, note: str) -> None:
        fields: Any = [
            (name, {**each._asdict(), "type": _read_only(each.type)}) for name, each in record.fields.items()
        ]
        super().__init__(fields, record.size, record.aligned)
        # the name tells all fields, which fills pages of a message and minutes of compiling
        self.name = f"view_{hashlib.sha256(self.name.encode()).hexdigest()[:8]}"
        self.note = note

    def typeof(self, key: str) -> Any:
        if key not in self.fields:
            raise errors.NumbaTypeError(f"the view has no field {key}{nearest(key, self.fields)}")
        return super().typeof(key)


def _read_only(kind: Any) -> Any:
    if isinstance(kind, types.Record):
        return _Seen(kind, "")
    return _SeenArray(kind.dtype, kind.shape) if isinstance(kind, types.NestedArray) else kind


for _kind, _model in ((_SeenArray, models.NestedArrayModel), (_Seen, models.RecordModel)):
    _register: Any = register_model(_kind)
    _register(_model)
_lower_setattr: Any = lower_setattr_generic


@_lower_setattr(_Seen)
def _set_note(context: Any, builder: Any, signature: Any, args: Any, name: str) -> None:
    """Write a field of a record as it is seen."""
    note = signature.args[0].note
    if name != note:
        allowed = f"a policy may write view.{note} only" if note else "a policy writes nothing there"
        raise errors.NumbaTypeError(f"writes view.{name}; {allowed}")
    record_setattr(context, builder, signature, args, name)


class NotCompiled(Exception):
    """A user's policy that the compiler refuses, with the compiler's own error as its cause."""


class PolicyType:
    """Functions `int64(view)` that a kernel calls by address: any number of them, and the kernel's type knows none.

    A tuple of first-class functions would do too; handing it from helper to helper copied 48 words a call and cost a
    sixth of the random player's speed. An address is one word of the cell's data. `note` is the field of the view that
    a policy may write.
    """

    def __init__(self, view_dtype: np.dtype, note: str = "") -> None:
        self._note = note
        self.signature = None if JIT_OFF else types.int64(record_type(view_dtype))
        self._seen: Any = None if JIT_OFF else _Seen(record_type(view_dtype), note)

    def declare(self, function: Callable) -> Policy:
        """Compile one policy and keep it in the cache."""
        if JIT_OFF:
            return _plain(function, self._note)
        return _native(function, kernel(self.signature)(function), self._note)

    def compile(self, function: Callable) -> Policy:
        """Compile a user's own policy, with every check the compiler has: it can't write to the view, or read past it.

        It is not kept in the cache: what its file works out when it is loaded may depend on anything, such as a file of
        numbers, so no key could tell that what was kept is still right. NotCompiled if the compiler refuses.
        """
        if JIT_OFF:
            return _plain(function, self._note)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # on casts, before the error they lead to
                compiled: Any = numba.njit((self._seen,), nogil=True, **_CHECKED)(function)
                (answer,) = (each.return_type for each in compiled.nopython_signatures)
                if not isinstance(answer, types.Integer | types.Boolean):
                    raise errors.NumbaTypeError(_no_answer(answer))
                if answer != types.int64:
                    compiled = numba.njit(types.int64(self._seen), nogil=True, **_CHECKED)(function)
        except Exception as error:  # the compiler raises whatever it stumbles over
            raise NotCompiled(str(error)) from error
        return _native(function, compiled, self._note)


def _no_answer(kind: Any) -> str:
    unliteral: Any = types.unliteral
    plain = unliteral(kind)
    what = f"a {type(plain).__name__.lower()}"
    if isinstance(plain, types.Optional | types.NoneType):
        what = "nothing on some path"
    return f"answers {what}; a policy returns an int whatever it is asked"


@dataclass(frozen=True)
class Policy:
    """A declared policy: the Python function, and the address by which kernels call it.

    Other policies can call it: `thumb_player(view)`.
    """

    function: Callable
    address: int
    compiled: Any = None  # keeps the code alive
    note: str = ""  # the field of the view that it may write

    def __call__(self, view: Any) -> int:
        """Its answer, in plain Python; compiled code calls its address."""
        return int(self.function(view))


_PLAIN_POLICIES: list[Callable] = []


def _plain(function: Callable, note: str) -> Policy:
    _PLAIN_POLICIES.append(partial(checked_answer, function, note))
    return Policy(function, len(_PLAIN_POLICIES) - 1, note=note)


def _native(function: Callable, compiled: Any, note: str) -> Policy:
    (native,) = compiled.overloads.values()
    address = native.library.get_pointer_to_function(native.fndesc.llvm_func_name)
    return Policy(function, int(address), compiled, note)


@cache
def _caller(address: int) -> Any:
    """A function that calls that address. (Kept: numba's types hold functions weakly.)"""
    here = np.uint64(address)

    def ask(view: Any) -> int:
        return ask_policy(here, view)

    return numba.njit(ask)


@typeof_impl.register(Policy)
def _callable_policy(policy: Policy, _context: Any) -> Any:
    """What a policy is in compiled code."""
    typeof: Any = numba.typeof
    return typeof(_caller(policy.address))


#: The answer of `ask_policy` for a policy that raised an exception: none that any question has.
RAISED = -(2**63)

if JIT_OFF:

    def ask_policy(address: Any, view: Any) -> int:
        """The answer of the policy at `address`; RAISED if it raised an exception, or gave something else."""
        try:
            return int(_PLAIN_POLICIES[int(address)](view))
        except Exception:
            return RAISED

    copy_record = copy_fields

else:

    @intrinsic
    def ask_policy(_typing: Any, address: Any, view: Any) -> Any:
        """The answer of the policy at `address` (uint64), a compiled function int64(view); RAISED if it raised.

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
            return builder.select(fine, builder.load(result), ir.Constant(word, RAISED))

        return types.int64(types.uint64, view), build

    @intrinsic
    def copy_record(_typing: Any, source: Any, target: Any) -> Any:
        """Copy all of a record over another one of the same type."""

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            copy: Any = cgutils.raw_memcpy
            copy(builder, args[1], args[0], ir.Constant(ir.IntType(64), source.size), 1)
            return context.get_dummy_value()

        return types.void(source, target), build


def what_it_raises(policy: Policy, view: Any) -> Exception | None:
    """The exception that a policy raised on this view, by asking it again; None if it raises none now.

    Compiled code does not always tell the line. Plain Python does, so it is asked too, and believed if it agrees.
    """
    error = raised(policy.function if JIT_OFF else numba.njit(**_CHECKED)(policy.function), policy.note, view)
    plain = raised(policy.function, policy.note, view)
    if type(plain) is type(error):
        return plain
    if isinstance(error, ArithmeticError) and isinstance(plain, ArithmeticError):
        return error.with_traceback(plain.__traceback__)
    return error


def records(array: np.ndarray) -> Any:
    """An array of records as a kernel takes it: plain Python reads their fields as attributes."""
    return array.view(np.recarray) if JIT_OFF else array


@contextlib.contextmanager
def quiet_integers() -> Iterator[None]:
    """For plain Python: silence on overflow, for hashes wrap around on purpose; a division by zero raises."""
    with np.errstate(over="ignore", under="ignore", divide="raise"):
        yield
