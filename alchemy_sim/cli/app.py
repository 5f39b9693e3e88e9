"""The command `alchemy-sim`: its commands, and how mistakes are answered.

Heavy imports stand inside the commands, so that `--help` is quick. Mistakes leave as one line on standard error with
the exit code of `core.errors`; anything unexpected keeps its traceback.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from alchemy_sim import __version__
from alchemy_sim.cli.check import check
from alchemy_sim.cli.compare import compare
from alchemy_sim.cli.explain import explain
from alchemy_sim.cli.extend import extend
from alchemy_sim.cli.find import find
from alchemy_sim.cli.hands import hands
from alchemy_sim.cli.lift import lift
from alchemy_sim.cli.lint import lint
from alchemy_sim.cli.list import list_command
from alchemy_sim.cli.odds import odds
from alchemy_sim.cli.output import emit, prepare, say, silence
from alchemy_sim.cli.replay import replay
from alchemy_sim.cli.report import report
from alchemy_sim.cli.run import run
from alchemy_sim.cli.show import show
from alchemy_sim.cli.tournament import tournament
from alchemy_sim.cli.trace import trace
from alchemy_sim.cli.verify import verify
from alchemy_sim.core.errors import AlchemyError, CheckFailed, Interrupted, UsageError, nearest, unknown

NAME = "alchemy-sim"
#: What the parser returns when a command was left by Ctrl-C outside of any run.
INTERRUPTED = 130


class _Commands(TyperGroup):
    """The commands, with our words for one that isn't there."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise UsageError(unknown("command", args[0], self.commands))
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name=NAME,
    cls=_Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
app.command("run")(run)
app.command("compare")(compare)
app.command("check")(check)
app.command("lint")(lint)
app.command("lift")(lift)
app.command("tournament")(tournament)
app.command("hands")(hands)
app.command("odds")(odds)
app.command("trace")(trace)
app.command("list")(list_command)
app.command("show")(show)
app.command("find")(find)
app.command("replay")(replay)
app.command("explain")(explain)
app.command("report")(report)
app.command("extend")(extend)
app.command("verify")(verify)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="print the version")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="show the traceback of an error")] = False,
) -> None:
    """Plays three alchemists' card games many times and tells their designers what the rules do."""
    if version:
        emit(f"{NAME} {__version__}\n")
    elif context.invoked_subcommand is None:
        emit(context.get_help() + "\n")


def main(args: Sequence[str] | None = None) -> int:
    """Run a command line (the process's own unless given) and return its exit code."""
    given = list(sys.argv[1:] if args is None else args)
    debug = "--debug" in given  # wherever it stands
    given = [each for each in given if each != "--debug"]
    prepare()
    try:
        code = app(given, prog_name=NAME, standalone_mode=False)
        if code == INTERRUPTED:
            return _answer(KeyboardInterrupt())
        sys.stdout.flush()
    except CheckFailed as failed:
        return failed.exit_code
    except (BrokenPipeError, SystemExit):  # the reader has seen enough; the parser exits when it finds a closed pipe
        silence()
    except (AlchemyError, KeyboardInterrupt) as error:
        if debug:
            raise
        return _answer(error)
    except Exception as error:
        if debug or not hasattr(error, "format_message"):
            raise
        _complain(_usage(error))
        return 2
    return 0


def _answer(error: BaseException) -> int:
    if not isinstance(error, AlchemyError):
        _complain("interrupted")
        return Interrupted.exit_code
    _complain(str(error))
    if isinstance(error, Interrupted) and error.resume:
        _complain(f"to go on: {error.resume}")
    return error.exit_code


def _complain(message: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # nobody reads errors either
        say(f"{NAME}: {' '.join(message.split())}")


def _usage(error: Any) -> str:
    """One line for an error of the command line parser, whichever library it came from."""
    context = getattr(error, "ctx", None)
    option = getattr(error, "option_name", None)
    where = f"{context.command.name}: " if context is not None and context.parent is not None else ""
    if context is not None and option is not None and hasattr(error, "possibilities"):
        known = [name for each in context.command.params for name in each.opts if name.startswith("-")]
        near = nearest(option, [name for name in known if name.startswith("--")])
        return f"{where}no such option {option}{near or '; see ' + context.command_path + ' --help'}"
    words = error.format_message().strip().rstrip(".").replace("'", "")
    return where + words[:1].lower() + words[1:]
