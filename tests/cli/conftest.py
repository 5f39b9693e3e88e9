"""What the tests of the command line have in common."""

from __future__ import annotations

import pytest

from alchemy_sim.cli.app import main


@pytest.fixture
def command(capsys):
    """Run a command line; its exit code, standard output and standard error."""

    def run(*args):
        code = main([str(each) for each in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
