"""alchemy_sim: plays three alchemists' card games millions of times and tells their designers what the rules do.

In Python, and in Jupyter:

>>> import alchemy_sim
>>> result = alchemy_sim.run("crucible/mission-04", games=2000, players=4, policy="random")
>>> result.estimates().columns
['config', 'players', 'metric', 'estimate', 'low', 'high', 'n', 'method']
>>> result.games.select("ending", "reactions").collect().height
2000
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

__all__ = ["Result", "__version__", "compare", "load", "run"]

#: Imported when they are first used: `import alchemy_sim` itself is light.
_API = "alchemy_sim.api"


def __getattr__(name: str) -> Any:
    if name in ("Result", "compare", "load", "run"):
        return getattr(import_module(_API), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
