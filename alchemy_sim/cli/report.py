"""`alchemy-sim report`: a stored run as one page of HTML."""

from __future__ import annotations

from typing import Annotated

import typer

from alchemy_sim.cli.reading import RunFolder

FORMATS = ("table", "json")


def report(
    run: RunFolder,
    out: Annotated[str, typer.Option("--out", "-o", metavar="PAGE", help="the page's file; .html is added")],
    format: Annotated[
        str, typer.Option(metavar="FORMAT", help="table (a line that says where it is) or json")
    ] = "table",
) -> None:
    """Write what came out of a run as one page of HTML that needs no other file: figures, tables, findings.

    alchemy-sim report RUN -o reports/logbook
    """
    import logging

    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import display_path, emit
    from alchemy_sim.cli.reading import open_run

    # matplotlib tells of its font cache and folders on standard error, which is for what the user can mend
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from alchemy_sim.report import page
    from alchemy_sim.report.tables import as_json

    style = options.choice("format", format, FORMATS)
    path = page.page_path("-o", options.filled("-o", out, "the name of a page"))
    opened = open_run(run)
    made = page.report(opened)
    page.write_page(path, made.html)
    if style == "json":
        facts = {"run": opened.name, "seed": opened.plan.seed, "games": opened.plan.games}
        emit(as_json("report", made.rows, path=str(path), **facts, assumed=page.assumed_values(opened)))
    else:
        emit(f"{display_path(path)}: {opened.plan.title}, {opened.plan.total:,} games\n")
