# Everything a checkout needs. Only Python 3.11+ and make are assumed; uv is used where it is installed.
#   PYTHON=python3.13   which Python makes the environment (with a new VENV, or after `make clean`)
#   VENV=.venv-3.13     where the environment lives
#   PORT=8001           where demo-web listens
#   ARGS="-k cancel"    further arguments for test, cover, mutants, bench and lock

VENV ?= .venv
PYTHON ?=
ARGS ?=
COVER ?=

BIN := $(VENV)/bin
RUN := $(VENV)/.stamp-run
SERVER := $(VENV)/.stamp-server
DEV := $(VENV)/.stamp-dev
# The redirection makes old versions of make ask a shell: `command` is a word of the shell.
UV := $(shell command -v uv 2>/dev/null)

too_old = Soni needs Python 3.11 or newer, not %d.%d. Name one: make PYTHON=python3.12 ...

ifneq ($(UV),)
make_venv = test -x $(BIN)/python || \
	"$(UV)" venv --quiet --clear $(if $(PYTHON),--python "$(PYTHON)") "$(VENV)"
pip_install = "$(UV)" pip install --quiet --python $(BIN)/python
else
python = $(or $(PYTHON),python3)
# An environment without pip was left by uv or by an installation that failed: begin again.
make_venv = test -x $(BIN)/pip || { \
	$(python) -c 'import sys; v = sys.version_info[:2]; sys.exit(v < (3, 11) and "$(too_old)" % v)' \
	&& $(python) -m venv --clear "$(VENV)"; }
pip_install = $(BIN)/python -m pip install -qq --no-input --disable-pip-version-check
endif

mutmut = "mutmut==3.8.0" "pytest==9.1.1"
COVERED = $(filter-out 0,$(COVER))
coverage = -m 'not llm' --cov --cov-report=term --cov-fail-under=95
compile = "$(UV)" pip compile --quiet --universal --python-version 3.11 --no-emit-index-url \
	--generate-hashes --custom-compile-command "make lock" $(ARGS) pyproject.toml

.DEFAULT_GOAL := help
.PHONY: help install demo demo-web test test-llm chaos cover mutants .mutants lint bench bench-check lock clean

help: ## Say what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s%s\n", $$1, $$2}' Makefile

install: $(RUN) ## Create .venv with Soni and what it needs to run
	@echo "Soni is in $(VENV): $(BIN)/soni --help"

demo: $(RUN) ## Chat with the example bank in the terminal: no key, no network
	@echo "The same as a page in the browser, with the inspector: make demo-web"
	@$(BIN)/soni chat examples/bank

demo-web: $(SERVER) ## Chat with it in the browser, and see in the inspector what it does and why
	@$(BIN)/soni serve examples/bank --inspect --open $(if $(PORT),--port $(PORT))

# Bytecode is written whatever the environment says: some tests start Soni in processes of their own.
test: $(DEV) ## Run the tests; COVER=1 runs slow ones too, and wants branch coverage of 95 %
	$(if $(COVERED),@$(BIN)/python -m tests.models.weights smollm2 >/dev/null)
	@PYTHONDONTWRITEBYTECODE= $(if $(COVERED),SONI_TEST_DEPTH=full) $(BIN)/pytest -n auto --maxprocesses 8 --dist worksteal $(if $(COVERED),$(coverage)) $(ARGS)

test-llm: $(DEV) ## Talk to a real language model on this machine (fetches 1.1 GB once; minutes)
	@$(BIN)/python -m tests.models.weights qwen2.5-coder-1.5b
	@$(BIN)/pytest -m llm $(ARGS)

chaos: $(DEV) ## Kill, stall and starve processes while people talk, and look for what was lost
	@$(BIN)/python -m tests.chaos $(ARGS)

cover: COVER = 1
cover: test ## Run the tests with COVER=1

# mutmut lives beside the other environment: it does not work with the newest pytest.
mutants: ## Change the code in small ways and see a test fail each time (many minutes)
	@$(MAKE) --no-print-directory VENV="$(VENV)-mutants" .mutants

.mutants: $(DEV)
	@$(pip_install) $(mutmut)
	@$(BIN)/python tools/mutants.py $(ARGS)

lint: $(DEV) ## Check style, types, the direction of imports, names, sizes and languages
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m tools.house --check
	@$(BIN)/python -m tools.language --check

# ARGS are those of the first: each measures something else.
bench: $(RUN) ## Measure the cost of a turn beside a bare LangGraph graph, and of knowledge
	@$(BIN)/python benchmarks/turn.py $(ARGS)
	@$(BIN)/python benchmarks/knowledge.py

bench-check: $(RUN) ## Fail if less is understood of tests/nlu than was measured (minutes)
	@$(BIN)/python -m benchmarks.understanding.nlu --fail-under 0.95 $(ARGS)

lock: ## Pin every dependency anew, with uv; ARGS=--upgrade takes the newest versions
	$(if $(UV),,$(error make lock needs uv))
	@$(compile) --group build --output-file requirements.lock
	@$(compile) --group dev --constraint requirements.lock --output-file requirements-dev.lock
	@$(compile) --extra server --constraint requirements-dev.lock --output-file requirements-server.lock

clean: ## Remove .venv, caches, reports and what the examples have stored
	@rm -rf "$(VENV)" "$(VENV)-mutants" .venv-langgraph .venv-audit .ag-ui-client build dist htmlcov .coverage .coverage.* examples/*/.soni
	@rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The build backend is in the lock too, so building without isolation fetches nothing unpinned.
$(RUN): requirements.lock pyproject.toml
	@echo "Installing Soni into $(VENV) ..."
	@$(make_venv)
	@$(pip_install) --require-hashes --no-deps -r requirements.lock
	@$(pip_install) --no-build-isolation --no-deps --editable .
	@touch $@

$(SERVER): $(RUN) requirements-server.lock
	@echo "Installing what the server needs into $(VENV) ..."
	@$(pip_install) --require-hashes --no-deps -r requirements-server.lock
	@touch $@

$(DEV): $(RUN) requirements-dev.lock
	@echo "Installing what tests and checks need into $(VENV) ..."
	@$(pip_install) --require-hashes --no-deps -r requirements-dev.lock
	@touch $@
