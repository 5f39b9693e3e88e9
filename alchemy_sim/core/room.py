"""Room on the stack for what a function works with: not cleared, gone when it returns, nothing allocated."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.jit import JIT_OFF, cgutils, intrinsic, ir, types

if JIT_OFF:

    def stack_floats(size: int) -> Any:
        """Room for `size` floats (a literal)."""
        return np.zeros(size)

    def stack_masks(size: int) -> Any:
        """Room for `size` masks (uint64; a literal)."""
        return np.zeros(size, np.uint64)

else:

    def _room(size: Any, kind: Any, word: Any) -> Any:
        count = size.literal_value

        def build(_context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
            room: Any = cgutils.alloca_once
            return room(builder, word, size=count)

        pointer: Any = types.CPointer
        return pointer(kind)(size), build

    @intrinsic(prefer_literal=True)
    def stack_floats(_typing: Any, size: Any) -> Any:
        """Room for `size` floats (a literal)."""
        return _room(size, types.float64, ir.DoubleType())

    @intrinsic(prefer_literal=True)
    def stack_masks(_typing: Any, size: Any) -> Any:
        """Room for `size` masks (uint64; a literal)."""
        return _room(size, types.uint64, ir.IntType(64))
