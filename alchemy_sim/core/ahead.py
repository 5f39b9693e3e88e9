"""The first compilation on two cores: the policies in a process of their own while this one compiles the kernel.

Both fill the same cache; whoever comes second to a function waits for it and loads it.
"""

from __future__ import annotations

import subprocess
import sys

#: Processes at work: one that nobody holds any more would complain that it is still running.
_AT_WORK: list[subprocess.Popen[bytes]] = []
_COMPILE = "from {package}.policies import POLICY_NAMES, policy\nfor name in reversed(POLICY_NAMES): policy(name)"


def compile_policies(module: str) -> None:
    """Start to compile the policies of the game that `module` (`alchemy_sim.games.NAME.game`) holds, and don't wait.

    Whatever goes wrong there is left to the caller's own compilation, which does the same and says so.
    """
    code = _COMPILE.format(package=module.rpartition(".")[0])
    silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    _AT_WORK.append(subprocess.Popen([sys.executable, "-c", code], **silent))  # type: ignore[call-overload]
