"""report: a run as one page of HTML that has every number of `show`, needs nothing else, and is written whole."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from alchemy_sim.cli.app import main
from alchemy_sim.games.crucible.names import TASKS
from alchemy_sim.mc.read import Run
from alchemy_sim.report.head import configuration_table
from alchemy_sim.report.page import report
from alchemy_sim.report.part import Part
from alchemy_sim.report.runs import run_tables
from alchemy_sim.report.tables import interval
from tests.toy_game import GAME, ROOT, WITH_COINS

#: Elements that have no end.
VOID = ("meta", "link", "br", "img", "input")


class Parsed(HTMLParser):
    """The tables, tips, text and figures of a page; every element has to be closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.tips: list[str] = []
        self.figures: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [value for name, value in given.items() if name in ("href", "src")]
        if tag == "svg":
            self.figures.append(given["aria-label"])
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag == "title" and "svg" in self.open:
            self.tips.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        self.words.append(" " if tag in ("dt", "dd", "td", "th", "h1", "h2", "h3", "p") else "")

    def handle_data(self, data):
        text = data.replace("\u00a0", " ")
        if "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += text
        elif self.open[-1:] == ["title"] and "svg" in self.open:
            self.tips[-1] += text
        if not {"svg", "style"} & set(self.open):
            self.words.append(text)

    @property
    def text(self) -> str:
        """All that can be read, in one line."""
        return " ".join("".join(self.words).split())

    @property
    def rows(self) -> list[list[str]]:
        """The rows of all tables."""
        return [row for table in self.tables for row in table]


def written(command, run, page, *more):
    """What the command wrote, parsed."""
    code, _, err = command("report", run, "-o", page, *more)
    assert (code, err) == (0, "")
    return Parsed(page.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def logbook(tmp_path_factory):
    """The twelve missions at three player counts, the summary only; its report, and the page parsed."""
    place = tmp_path_factory.mktemp("logbook")
    run = ["run", "crucible/logbook", "--games", "60", "--policy", "random", "--out", str(place / "run")]
    assert main([*run, "--keep", "summary"]) == 0
    run = Run(place / "run")
    made = report(run)
    return run, made, Parsed(made.html)


@pytest.fixture(scope="module")
def coins(tmp_path_factory):
    """A stored run of two configurations of coins at two and three players."""
    place = tmp_path_factory.mktemp("coins")
    (place / "fair.toml").write_text('rulebook = "coins"\ntitle = "Fair"\nassumed = ["most"]\n', encoding="utf-8")
    (place / "hot.toml").write_text('extends = "fair.toml"\ntitle = "Hot"\nhot = 0.9\nrulings = {edge = "tails"}\n')
    (place / "both.toml").write_text('title = "Both"\nconfigs = ["fair.toml", "hot.toml"]\n', encoding="utf-8")
    run = ["run", str(place / "both.toml"), "--games", "400", "--seed", "3", "--out", str(place / "run")]
    assert main(run) == 0
    return place / "run"


def test_every_mission_and_number_of_show_is_there(logbook):
    run, _, page = logbook
    for table in run_tables(run.plan, run.totals):
        for row in table.rows:
            assert list(row) in page.rows
    for cell in run.plan.cells:
        assert f"{cell.title} *" in page.text


def test_every_figure_tells_its_numbers(logbook):
    run, made, page = logbook
    assert len(page.figures) == 1 + 1 + 2 * 3 + 1 + 2
    tips = set(page.tips)
    names = {cell.config_name: f"{cell.title} *" for cell in run.plan.cells} | {run.plan.name: "all missions"}
    tasks = {task.id: f"{task.id} {task.slug}" for task in TASKS}
    drawn = 0
    for row in made.rows:
        value = interval(row["estimate"], row["low"], row["high"], "pp") + f", {row['n']:,} games"
        if row["metric"] == "win_rate" and "by" not in row:
            assert f"{names[row['config']]}, {row['players']} players: {value}" in tips
        elif row["metric"] in ("completed", "completed_decided") and row["estimate"] is not None:
            words = f"{tasks[row['label']]}, {names[row['config']]}, {row['players']} players: {value}"
            assert words in tips
            drawn += 1
    assert drawn > 1000


def test_findings_name_the_ends(logbook):
    run, made, page = logbook
    rows = [row for row in made.rows if row["metric"] == "win_rate" and "by" not in row]
    for count in (3, 4, 5):
        best = max((row for row in rows if row["players"] == count), key=lambda row: row["estimate"])
        title = next(cell.title for cell in run.plan.cells if cell.config_name == best["config"])
        value = interval(best["estimate"], best["low"], best["high"], "pp")
        assert f"With {count} players: easiest {title} *, {value}" in page.text
    for about in ("Commonest cause of loss.", "Least feasible tasks.", "Where Boil Overs happen."):
        assert about in page.text


def test_the_head_says_what_was_played(logbook):
    run, _, page = logbook
    part = Part.of(run.plan, run.plan.cells[0].game, run.totals)
    assert [list(row) for row in configuration_table(part).rows] == page.tables[0][1:]
    assert ["Mission 6 *", "18 *", "14 *", "3", "3 *", "-"] in page.rows
    assert ["Mission 9: Blind Brewing *", "22", "18", "3", "4 *", "whispers: no"] in page.rows
    for words in (
        "60 of each of 36 cells (a configuration at a number of players), 2,160 in all; totals only kept",
        "random in every seat",
        "Rulings all as by default",
        "* assumed, the game's source text does not give it: tasks (2, 3, 4, 5); limit (18); target (14)",
        "alchemy-sim run crucible/logbook --games 60 --seed 1 --players 3,4,5 --policy random --out runs/logbook"
        " --keep summary",
        "alchemy-sim report runs/logbook -o reports/logbook",
        "alchemy-sim explain runs/logbook win_rate",
        "alchemy_sim 0.1.0",
        "Wilson for shares of games",
    ):
        assert words in page.text


def test_the_page_needs_nothing_else(logbook):
    run, made, page = logbook
    html = made.html
    assert len(set(page.ids)) == len(page.ids)
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert not re.search(r"https?:|@import|<script|<link|url\((?!#)", html)
    assert str(run.folder.parent) not in html
    assert len(html) < 1_000_000


def test_the_same_run_gives_the_same_bytes(command, coins, tmp_path):
    written(command, coins, tmp_path / "one.html")
    (tmp_path / "matplotlibrc").write_text("font.size: 30\nsvg.fonttype: path\n")
    done = subprocess.run(
        [sys.executable, "-c", WITH_COINS, "report", str(coins), "-o", str(tmp_path / "other" / "page")],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "MATPLOTLIBRC": str(tmp_path / "matplotlibrc")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout.count("\n"), done.stderr) == (1, "")
    assert (tmp_path / "other" / "page.html").read_bytes() == (tmp_path / "one.html").read_bytes()


def test_a_game_without_words_of_its_own_has_a_page(command, coins, tmp_path):
    page = written(command, coins, tmp_path / "page.html")
    run = Run(coins)
    for table in run_tables(run.plan, run.totals):
        for row in table.rows:
            assert list(row) in page.rows
    assert page.figures == ["Win rate by configuration and number of players"]
    assert "With 2 players: highest Hot *, " in page.text
    assert "Rulings edge = tails (Hot *)" in page.text
    assert "plain in every seat" in page.text
    assert "with 400 games" not in page.text


def test_json_has_the_rows_and_the_path(command, coins, tmp_path):
    code, out, err = command("report", coins, "-o", tmp_path / "new" / "v1.2", "--format", "json")
    parsed = json.loads(out)
    assert (code, err) == (0, "")
    assert (parsed["command"], parsed["path"]) == ("report", str(tmp_path / "new" / "v1.2.html"))
    assert parsed["assumed"] == {"fair": {"most": 4}, "hot": {"most": 4}}
    assert parsed["rows"] == report(Run(coins)).rows
    assert list(parsed["rows"][0]) == ["config", "players", "metric", "estimate", "low", "high", "n", "method"]
    assert {row["metric"] for row in parsed["rows"]} == {metric.name for metric in GAME.metrics if metric.headline}
    assert (tmp_path / "new" / "v1.2.html").is_file()


def test_one_line_says_where_the_page_is(command, coins, tmp_path):
    assert command("report", coins, "-o", tmp_path / "page.HTML") == (
        0, f"{tmp_path / 'page.HTML'}: Both, 1,600 games\n", "",
    )  # fmt: skip
    assert os.listdir(tmp_path) == ["page.HTML"]


def test_one_cell_with_its_games(command, tmp_path):
    line = ("run", "crucible/mission-04", "--players", 4, "--games", 200, "--policy", "random")
    assert command(*line, "--out", tmp_path / "run", "--set", "rulings.early_win=true")[0] == 0
    page = written(command, tmp_path / "run", tmp_path / "page.html")
    assert len(page.figures) == 1 + 1 + 2 + 1 + 2
    assert "Win rate. With 4 players: " in page.text
    assert "Rulings early_win = yes" in page.text
    assert "200; every game kept" in page.text
    assert "all missions" not in page.text
    assert ["Mission 4 *", "22", "18", "3", "3 *", "-"] in page.rows
    assert "--set rulings.early_win=true --out runs/mission-04" in page.text


def test_two_games_and_other_players_by_seat(command, tmp_path):
    (tmp_path / "coins.toml").write_text('rulebook = "coins"\npolicy = ["plain", "lucky", "plain"]\n')
    (tmp_path / "mix.toml").write_text('configs = ["coins.toml", "crucible/mission-01"]\nplayers = 3\n')
    line = ("run", tmp_path / "mix.toml", "--games", 30, "--out", tmp_path / "run", "--keep", "summary")
    assert command(*line)[0] == 0
    page = written(command, tmp_path / "run", tmp_path / "page.html")
    assert "plain,lucky,plain: coins with 3; careful: Mission 1 * with 3" in page.text
    assert "Coins: Win rate by configuration and number of players" in page.text
    assert "The Alchemist's Crucible: Losses by cause" in page.text


def test_titles_are_text_and_nothing_else(command, tmp_path):
    title = 'A <b>"bold"</b> & $x^2$ title, 熱 \\u0007, that goes on and on and on'
    (tmp_path / "coins.toml").write_text(
        f"rulebook = \"coins\"\nplayers = 2\ntitle = '''{title}'''\n", encoding="utf-8"
    )
    assert command("run", tmp_path / "coins.toml", "--games", 20, "--out", tmp_path / "run")[0] == 0
    page = written(command, tmp_path / "run", tmp_path / "page.html")
    assert title in page.text
    assert any(title in tip for tip in page.tips)


BAD = [
    (["RUN"], "report: missing option --out"),
    (["RUN", "-o", ""], "-o is empty; it takes the name of a page"),
    (["RUN", "-o", "FOLDER"], "-o FOLDER: is a folder; name the page in it, such as FOLDER/logbook"),
    (["RUN", "-o", "FOLDER/new/"], "-o FOLDER/new/: is a folder; name the page in it"),
    (["RUN", "-o", "FOLDER/taken"], "-o FOLDER/taken.html: is a folder"),
    (["RUN", "-o", "FOLDER/a/b/file.txt/page"], "FOLDER/a/b/file.txt/page.html: can't be written: "),
    (["RUN", "-o", f"FOLDER/c/d/{'x' * 300}"], f"FOLDER/c/d/{'x' * 300}.html: can't be written: File name too long"),
    (["RUN", "-o", "FOLDER/page", "--format", "csv"], 'unknown format "csv"; allowed: table, json'),
    (["FOLDER", "-o", "FOLDER/page"], "FOLDER: no run here (manifest.json is missing)"),
    (["UNFINISHED", "-o", "FOLDER/page"], "UNFINISHED: the run is unfinished; go on with run and --resume"),
]  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="the system's words")
@pytest.mark.parametrize(("args", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_a_mistake_is_one_line_and_writes_nothing(command, coins, tmp_path, args, message):
    (tmp_path / "taken.html").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file.txt").write_text("")
    (tmp_path / "unfinished").mkdir()
    (tmp_path / "unfinished" / "started.json").write_text("{}")
    places = {"RUN": str(coins), "UNFINISHED": str(tmp_path / "unfinished"), "FOLDER": str(tmp_path)}
    for word, place in places.items():
        args = [each.replace(word, place) for each in args]
        message = message.replace(word, place)
    before = sorted(tmp_path.rglob("*"))
    code, out, err = command("report", *args)
    assert (code, out) == (2, "")
    assert err.startswith(f"alchemy-sim: {message}")
    assert err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_page_is_written_whole_or_not_at_all(command, coins, tmp_path, monkeypatch):
    (tmp_path / "page.html").write_text("the old one")

    def full(*_args):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        code, out, err = command("report", coins, "-o", tmp_path / "page")
    assert (code, out) == (2, "")
    assert err == f"alchemy-sim: {tmp_path / 'page.html'}: can't be written: No space left on device\n"
    assert (tmp_path / "page.html").read_text() == "the old one"
    assert os.listdir(tmp_path) == ["page.html"]
