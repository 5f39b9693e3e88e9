# Every target sets up what it needs: a virtual environment in .venv, filled once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
DEV := $(VENV)/ready-dev

.PHONY: demo test check twin bench ladder verify clean

$(VENV)/made:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(READY): $(VENV)/made pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(DEV): $(VENV)/made pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@ $(READY)

# The main job: all twelve missions at three, four and five players, a page of what came out, and what to try next.
demo: $(READY)
	@rm -rf runs/demo
	@$(BIN)/alchemy-sim run crucible/logbook --games 20_000 --policy careful --seed 1 --out runs/demo
	@echo
	@$(BIN)/alchemy-sim report runs/demo -o reports/demo
	@echo "Open reports/demo.html in a browser: the same numbers as figures, with what was found in words."
	@echo
	@echo "Next: what does a higher limit do to mission 4?"
	@echo "  $(BIN)/alchemy-sim run crucible/mission-04 --set limit=24"
	@echo "Watch five missions being played, card by card:"
	@echo "  $(BIN)/alchemy-sim trace crucible/mission-04 --players 4 --policy careful --games 5"

# Two processes of tests, a file in one of them: tests of a file share what they set up.
test: $(DEV)
	$(BIN)/python -m pytest -n 2 --dist loadfile

# House rules: style, types, layers.
check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The tests of the games with the compiler off: the same source as plain Python, and the coverage of it.
twin: $(DEV)
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest tests/unit tests/oracle tests/contract/test_games.py
	$(BIN)/coverage report --include "alchemy_sim/core/*,alchemy_sim/games/*"

# Figures and ratios, not tests: missions a second and core, start-up times.
bench: $(DEV)
	$(BIN)/python -m tests.bench.bench

# The win rates of all players in all cells, as README has them.
ladder: $(DEV)
	$(BIN)/python -m tests.bench.ladder

# The slower studies: more traces, more games.
verify: $(DEV)
	$(BIN)/python -m pytest --slow

clean:
	rm -rf $(VENV) build dist
