"""A user's own policy as a file: its name, what it imports, how it is run, and one line for whatever is wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alchemy_sim.core import sources
from alchemy_sim.core.errors import UsageError
from alchemy_sim.core.jit import JIT_OFF
from alchemy_sim.core.own import Own, is_own, parts_of
from alchemy_sim.core.own_policies import OwnPolicies
from alchemy_sim.games.crucible.game import GAME
from alchemy_sim.games.crucible.table import VIEW, view_of
from alchemy_sim.games.crucible.view import FIELDS, NOTE, POLICIES, view_rows

HEAD = """\
import numpy as np
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.table import Ask


"""
#: The line on which the functions below start.
START = HEAD.count("\n") + 1


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write a file into the working folder."""
    monkeypatch.chdir(tmp_path)

    def write(text: str, name: str = "my.py") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def refused(name: str) -> str:
    with pytest.raises(UsageError) as caught:
        OwnPolicies(POLICIES).open(name)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "own", "parts"),
    [
        ("thumb", False, ("thumb", "")),
        ("my.py:low", True, ("my.py", "low")),
        ("my.py", True, ("my.py", "")),
        ("my.py:", True, ("my.py", "")),
        ("a/b.py:f", True, ("a/b.py", "f")),
        (r"C:\a\b.py:f", True, (r"C:\a\b.py", "f")),
        (r"C:\a\b.py", True, (r"C:\a\b.py", "")),
        ("notes:f", True, ("notes", "f")),
    ],
)
def test_names(name: str, own: bool, parts: tuple[str, str]) -> None:
    assert (is_own(name), parts_of(name)) == (own, parts)


# ---- what stands in the way ----------------------------------------------------------------------------------


def test_files_that_are_not_there_or_no_python(file: Any) -> None:
    file("def low(view):\n    return 0\n\ndef other(view):\n    return 0\n\nNUMBER = 3\n")
    assert refused("mi.py:low") == 'mi.py: no such file (did you mean "my.py"?)'
    assert refused("far/my.py:low") == "far/my.py: no such file"
    assert refused("my.py:lwo") == 'my.py: no function "lwo" (did you mean "low"?); it has low, other'
    assert refused("my.py") == "policy my.py: name its function too, as in my.py:low; it has low, other"
    assert refused("my.py:") == refused("my.py")
    assert refused("my.py:NUMBER") == "my.py: NUMBER is no function; it has low, other"
    file("x = 1\n")
    assert refused("my.py:low") == 'my.py: no function "low"; it has no function'
    file("def low(view):\n    return (0\n")
    assert refused("my.py:low") == "my.py:2: not valid Python: '(' was never closed"
    file("def low(view, more):\n    return 0\n")
    assert refused("my.py:low") == "my.py:1: low must take one argument, the view"
    Path("folder.py").mkdir()
    assert refused("folder.py:low") == "folder.py: can't be read: Is a directory"


def test_files_that_can_not_be_loaded(file: Any) -> None:
    file("\nimport nowhere_at_all\n")
    assert refused("my.py:low") == "my.py:2: can't be loaded: ModuleNotFoundError: No module named 'nowhere_at_all'"
    file("def low(view):\n    return 0\n\nraise SystemExit\n")
    assert refused("my.py:low") == "my.py:4: can't be loaded: SystemExit"
    file("import beside\n")
    file("x = 1\ny = 1 // 0\n", "beside.py")
    assert refused("my.py:low").startswith("beside.py:2: can't be loaded: ZeroDivisionError")
    file("x = (\n", "beside.py")
    assert refused("my.py:low") == "beside.py:1: not valid Python: '(' was never closed"


WRITES = "; a policy may write view.plan only"
#: What a function does on its second line, and the compiler's objection to it in our words.
OBJECTIONS = [
    ("return view.limt", 'the view has no field limt (did you mean "limit"?)'),
    ("view.limit_now = 3", f"writes view.limit_now{WRITES}"),
    ("view['limit'] = 3", f"writes view.limit{WRITES}"),
    ("view.slag = np.zeros(5, np.int64)", f"writes view.slag{WRITES}"),
    ("view.slag[view.me] = 3", "it changes an array of the view; change a copy of it"),
    ("view.slag[:] = 3", "it changes an array of the view; change a copy of it"),
    ("view.slag.fill(3)", "it changes an array of the view; change a copy of it"),
    ("np.add(view.slag, 1, view.slag)", "it changes an array of the view; change a copy of it"),
    ("return plain(view)", "plain is a plain function; put @helper (of alchemy_sim.core.jit) above it"),
    ("return nowhere(view)", "NameError: name 'nowhere' is not defined"),
    ("return view.limit + 'a'", "No implementation of function Function(<built-in function add>) found for signature:"),
    ("return [1].zap()", "Unknown attribute 'zap' of type list(int64)"),
    ("import math", "it imports inside a function; import at the top of the file"),
    ("global N; N = 3", "it writes a global name; what a policy knows is in the view"),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("line", "words"), OBJECTIONS, ids=[line for line, _ in OBJECTIONS])
def test_what_the_compiler_refuses_is_one_line_with_its_place(file: Any, line: str, words: str) -> None:
    file(f"{HEAD}def plain(view):\n    return 0\n\ndef low(view):\n    x = view.me\n    {line}\n    return 0\n")
    found = refused("my.py:low")
    assert found.startswith(f"my.py:{START + 5}: low can't be compiled: {words}")
    assert "\n" not in found


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("1.5", "answers a float"),
        ("None", "answers nothing on some path"),
        ("'a'", "answers a unicodetype"),
        ("0 if view.me else None", "answers nothing on some path"),
    ],
)
def test_an_answer_is_a_whole_number(file: Any, answer: str, words: str) -> None:
    file(f"def low(view):\n    return {answer}\n")
    expected = f"my.py:1: low can't be compiled: {words}; a policy returns an int whatever it is asked"
    assert refused("my.py:low") == expected


@pytest.mark.compiled
def test_an_alias_can_not_be_written_either(file: Any) -> None:
    """The usual mistake: a working copy that is none."""
    file("def low(view):\n    known = view.known\n    rest = known[1:]\n    rest[0] = 0\n    return 0\n")
    assert (
        refused("my.py:low") == "my.py:4: low can't be compiled: it changes an array of the view; change a copy of it"
    )
    file("def low(view):\n    known = view.known.copy()\n    known[0] = 0\n    view.plan = 3\n    return 0\n")
    OwnPolicies(POLICIES).open("my.py:low")


@pytest.mark.compiled
def test_objections_to_helpers_name_the_helpers_line(file: Any) -> None:
    file(f"{HEAD}@helper\ndef inner(view):\n    return view.zzz\n\ndef low(view):\n    return inner(view)\n")
    assert refused("my.py:low") == f"my.py:{START + 2}: low can't be compiled: the view has no field zzz"
    file("from beside import inner\ndef low(view):\n    return inner(view)\n")
    file(f"{HEAD}@helper\ndef inner(view):\n    return view.zzz\n", "beside.py")
    assert refused("my.py:low") == f"beside.py:{START + 2}: low can't be compiled: the view has no field zzz"


# ---- what is run ----------------------------------------------------------------------------------------------


def view() -> Any:
    return view_of(np.zeros(1, np.dtype([("players", np.int64)])))


def answer(policies: OwnPolicies, own: Own) -> int:
    """What a policy answers, as plain Python."""
    return int(policies.policy(own).function(view()))


def test_an_edited_file_is_never_stale(file: Any) -> None:
    """Not even one of the same length, edited within the second; the old one is still there for who holds it."""
    policies = OwnPolicies(POLICIES)
    file("import beside\ndef low(view):\n    return 10 + beside.NUMBER\n")
    file("NUMBER = 1\n", "beside.py")
    first = policies.open("my.py:low")
    assert policies.open("my.py:low") == first
    file("NUMBER = 2\n", "beside.py")
    second = policies.open("my.py:low")
    file("import beside\ndef low(view):\n    return 20 + beside.NUMBER\n")
    third = policies.open("my.py:low")
    assert [answer(policies, own) for own in (first, second, third)] == [11, 12, 22]
    assert [name for name, _ in first.files] == ["my.py", "beside.py"]
    assert "beside" not in sys.modules
    assert not list(Path().glob("**/*.pyc"))


def test_files_beside_are_those_that_are_imported(file: Any) -> None:
    """However they are imported, and through each other; Python's own names stay Python's."""
    for name in ("one", "two", "three", "four", "random", "numpy"):
        file("import random\nimport numpy\nNUMBER = 1\n", f"{name}.py")
    file("from three import NUMBER\n", "two.py")
    file("import random, numpy\nimport one as first\nfrom two import NUMBER\ndef low(view):\n    return NUMBER\n")
    own = OwnPolicies(POLICIES).open("my.py:low")
    assert [name for name, _ in own.files] == ["my.py", "one.py", "two.py", "three.py"]
    assert hasattr(sys.modules["random"], "shuffle")


def test_modules_of_the_caller_stay_as_they_were(file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = object()
    monkeypatch.setitem(sys.modules, "beside", mine)
    file("NUMBER = 3\n", "beside.py")
    file("import beside\ndef low(view):\n    return beside.NUMBER\n")
    policies = OwnPolicies(POLICIES)
    assert answer(policies, policies.open("my.py:low")) == 3
    assert sys.modules["beside"] is mine


def test_what_has_changed_since(file: Any) -> None:
    policies = OwnPolicies(POLICIES)
    path = file("import beside\ndef low(view):\n    return 0\n")
    beside = file("NUMBER = 1\n", "beside.py")
    own = policies.open("my.py:low")
    assert own.changed() == ""
    assert Own.from_json(own.to_json()) == own
    beside.write_text("NUMBER = 2\n")
    assert own.changed().startswith("beside.py has changed since (sha256 ")
    with pytest.raises(UsageError, match=r"policy my\.py:low: beside\.py has changed since"):
        OwnPolicies(POLICIES).policy(own)
    path.unlink()
    assert own.changed() == f"there is no my.py in {Path.cwd()} now"


def test_the_file_is_found_from_any_folder(file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker process may have been started elsewhere."""
    file("def low(view):\n    return 7\n")
    own = OwnPolicies(POLICIES).open("my.py:low")
    monkeypatch.chdir("/")
    elsewhere = OwnPolicies(POLICIES)
    assert answer(elsewhere, own) == 7
    assert own.to_json()["policy"] == "my.py:low"


def test_a_file_in_another_encoding_or_with_a_mark(file: Any) -> None:
    Path("my.py").write_bytes(b"# -*- coding: latin-1 -*-\n# Gew\xfcrfelt\ndef low(view):\n    return 0\n")
    OwnPolicies(POLICIES).open("my.py:low")
    Path("my.py").write_bytes(b"\xef\xbb\xbfdef low(view):\n    return 0\n")
    OwnPolicies(POLICIES).open("my.py:low")
    Path("my.py").write_bytes(b"X = 'Gew\xfcrfelt'\ndef low(view):\n    return 0\n")
    assert refused("my.py:low").startswith("my.py:1: not valid Python: ")


def test_digests_are_those_of_the_files(file: Any) -> None:
    import hashlib

    path = file("def low(view):\n    return 0\n")
    own = OwnPolicies(POLICIES).open("my.py:low")
    assert own.files == (("my.py", hashlib.sha256(path.read_bytes()).hexdigest()),)
    assert sources.read(path, "my.py").contents == {"my.py": path.read_bytes()}


# ---- the view -------------------------------------------------------------------------------------------------


def test_every_field_of_the_view_is_told() -> None:
    """`alchemy-sim list view` is the record itself, in its order, with a meaning for each field."""
    rows = GAME.lists["view"]()
    assert rows == view_rows()
    assert [row["field"] for row in rows] == list(VIEW.names or ())
    for row in rows:
        kind = VIEW[row["field"]]
        shape = "".join(f"[{size}]" for size in kind.shape)
        assert row["type"] == f"{kind.base.name}{shape}"
        assert len(row["meaning"]) > 5
        assert row["about"] in FIELDS
    assert NOTE in (VIEW.names or ())


def test_rulings_in_the_view_have_the_values_of_the_configuration() -> None:
    from alchemy_sim.games.crucible.config import CrucibleRulings

    told = {row["field"]: row["meaning"] for row in view_rows()}
    for switch in CrucibleRulings.switches():
        values = ", ".join(f"{place} {value}" for place, value in enumerate(switch.values))
        assert told[switch.name] == f"ruling: {values}"


@pytest.mark.skipif(not JIT_OFF, reason="the compiler makes it impossible")
def test_plain_python_checks_at_every_question_what_the_compiler_checks_once(file: Any) -> None:
    from alchemy_sim.core.jit import RAISED, ask_policy

    file("def low(view):\n    view.plan = 3\n    view.slag[1] = 3\n    return 0\n\ndef high(view):\n    return 1.5\n")
    policies = OwnPolicies(POLICIES)
    seen = view()
    for name in ("low", "high"):
        assert ask_policy(policies.policy(policies.open(f"my.py:{name}")).address, seen) == RAISED
    assert seen.slag[1] == 0
