"""Sets of up to 64 members as the bits of a uint64: count, lowest, highest, k-th.

Every constant that meets a mask is `np.uint64`: numba turns `uint64 + int64` into int64, numpy into float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.jit import JIT_OFF, PORTABLE, cgutils, helper, intrinsic, ir, types

ZERO = np.uint64(0)
ONE = np.uint64(1)


def mask_of(members: Any) -> np.uint64:
    """The mask of the given bit numbers."""
    mask = 0
    for member in members:
        mask |= 1 << int(member)
    return np.uint64(mask)


def members_of(mask: Any) -> list[int]:
    """The bit numbers of a mask, ascending."""
    value = int(mask)
    return [bit for bit in range(value.bit_length()) if value >> bit & 1]


@helper
def integer(value: Any) -> int:
    """A mask, or a number out of a table, as int64."""
    return np.int64(value)  # type: ignore[return-value]


if JIT_OFF:

    def popcount(mask: Any) -> int:
        """How many members `mask` has."""
        return int(mask).bit_count()

    def lowest(mask: Any) -> int:
        """The smallest member of a mask that is not empty."""
        value = int(mask)
        return (value & -value).bit_length() - 1

    def highest(mask: Any) -> int:
        """The largest member of a mask that is not empty."""
        return int(mask).bit_length() - 1

else:

    @intrinsic
    def popcount(_typing: Any, mask: Any) -> Any:
        """How many members `mask` has."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), build

    @intrinsic
    def lowest(_typing: Any, mask: Any) -> Any:
        """The smallest member of a mask that is not empty (64 when empty)."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], cgutils.false_bit)

        return types.int64(types.uint64), build

    @intrinsic
    def highest(_typing: Any, mask: Any) -> Any:
        """The largest member of a mask that is not empty (-1 when empty)."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            zeros = builder.ctlz(args[0], cgutils.false_bit)
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.int64(types.uint64), build


@helper
def kth_by_loop(mask: Any, k: int) -> int:
    """The k-th smallest member (k from 0) of a mask with more than k members, by clearing k bits."""
    rest = mask
    for _ in range(k):
        rest = rest & (rest - ONE)
    return lowest(rest)


if PORTABLE:
    kth = kth_by_loop
else:

    @intrinsic
    def _deposit(_typing: Any, source: Any, mask: Any) -> Any:
        """x86 `pdep`: the bits of `source` spread over the set places of `mask`."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            get_function: Any = cgutils.get_or_insert_function
            pdep = get_function(builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64")
            return builder.call(pdep, args)

        return types.uint64(types.uint64, types.uint64), build

    @helper
    def kth(mask: Any, k: int) -> int:
        """The k-th smallest member (k from 0) of a mask with more than k members."""
        return lowest(_deposit(ONE << np.uint64(k), mask))  # type: ignore[call-arg]
