"""The progress bar on standard error: games a second, time left, the running estimate. Silent off a terminal."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from alchemy_sim.mc.runner import Progress
from alchemy_sim.mc.totals import Totals
from alchemy_sim.report.runs import headline_text


class Bar:
    """`with Bar() as bar: play(..., progress=bar)`; does nothing where standard error is no terminal."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, ProgressColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as RichProgress
            from rich.text import Text

            class Speed(ProgressColumn):
                """Games a second."""

                def render(self, task: Any) -> Text:
                    return Text(f"{task.speed or 0:,.0f} games/s")

            self._bar = RichProgress(
                BarColumn(bar_width=24),
                TextColumn("{task.percentage:>3.0f} %"),
                Speed(),
                TimeRemainingColumn(compact=True),
                TextColumn("{task.description}"),
                console=Console(file=sys.stderr),
                transient=True,
            )
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show how far the run is."""
        if self._bar is None:
            return
        if self._task is None:
            self._task = self._bar.add_task("", total=progress.total)
        cell = progress.cell
        where = f"{cell.title}, {cell.players} players"
        # a comparison adds up pairs of games, which are no estimate yet
        if isinstance(progress.totals.get(cell.game.headline), Totals):
            where += f": {headline_text(cell.game, progress.totals)}"
        self._bar.update(self._task, total=progress.total, completed=progress.done, description=where)
